import * as v from 'valibot'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { staffExample, staffId, staffManagerAccess } from '../invitations.ts'
import { endAllSignIns, loadStaffMember } from '../staff-members.ts'

export const EndStaffSignIns = internalOperation({
  name: 'EndStaffSignIns',
  access: staffManagerAccess,
  input: v.object({ staff_id: staffId }),
  example: { input: staffExample },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      const member = await loadStaffMember(tx, input.staff_id)
      if (!member) return recordNotFound
      await endAllSignIns(tx, input.staff_id, services.clock.now())
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'staff.sign_ins_ended',
        details: { person: member.name },
        subject: input.staff_id,
      })
      return succeed({ ended: true })
    }),
})
