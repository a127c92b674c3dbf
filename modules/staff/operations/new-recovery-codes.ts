import * as v from 'valibot'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { anyStaffMember } from '../internal/any-staff-access.ts'
import { replaceRecoveryCodes } from '../mfa.ts'
import { lockStaffMember } from '../staff-members.ts'

export const NewRecoveryCodes = internalOperation({
  name: 'NewRecoveryCodes',
  access: anyStaffMember,
  freshFactor: true,
  input: v.object({}),
  example: { input: {} },
  run: (services, _, callers) =>
    services.db.transaction(async (tx) => {
      const { staffId } = staffOf(callers)
      await lockStaffMember(tx, staffId)
      const codes = await replaceRecoveryCodes(tx, services, staffId)
      await writeAuditEvent(tx, services, staffActor(callers), { kind: 'staff.recovery_codes_made', details: {} })
      return succeed({ codes })
    }),
})
