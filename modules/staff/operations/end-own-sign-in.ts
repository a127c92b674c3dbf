import * as v from 'valibot'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { anyStaffMember } from '../internal/any-staff-access.ts'
import { endSignIn } from '../sign-ins.ts'

export const EndOwnSignIn = internalOperation({
  name: 'EndOwnSignIn',
  access: anyStaffMember,
  input: v.object({ sign_in: v.pipe(plainLine, v.regex(/^[0-9a-f]{16}$/)) }),
  example: { input: { sign_in: '0123456789abcdef' } },
  run: (services, { sign_in }, callers) =>
    services.db.transaction(async (tx) => {
      const { staffId, name } = staffOf(callers)
      if (!(await endSignIn(tx, staffId, sign_in, services.clock.now()))) return recordNotFound
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'staff.sign_ins_ended',
        details: { person: name },
      })
      return succeed({ ended: true })
    }),
})
