import * as v from 'valibot'
import { lastOwner } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { reason, staffExample, staffId, staffManagerAccess } from '../invitations.ts'
import { endStaffAccess, hasAnotherOwner, loadStaffMember, lockOwners, lockStaffMember } from '../staff-members.ts'
import { releaseTasks } from '../staff-tasks.ts'

export const EndStaff = internalOperation({
  name: 'EndStaff',
  access: staffManagerAccess,
  freshFactor: true,
  input: v.object({ staff_id: staffId, reason }),
  example: { input: { ...staffExample, reason: 'Left the company' } },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      await lockOwners(tx)
      await lockStaffMember(tx, input.staff_id)
      const member = await loadStaffMember(tx, input.staff_id)
      if (!member) return recordNotFound
      if (member.state === 'ended') return succeed({ ended: true })
      if (!(await hasAnotherOwner(tx, input.staff_id))) return refuse(409, 'last_owner', lastOwner)
      await endStaffAccess(tx, services, input.staff_id)
      await releaseTasks(tx, input.staff_id, new Set())
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'staff.ended',
        details: { person: member.name },
        subject: input.staff_id,
        reason: input.reason,
      })
      return succeed({ ended: true })
    }),
})
