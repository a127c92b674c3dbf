import * as v from 'valibot'
import { lastOwner } from '../../../domain/texts/office-refusals.ts'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { reason, staffExample, staffId } from '../internal/staff-operation-input.ts'
import { officeOperation } from '../office-operation.ts'
import { endAllSignIns, hasAnotherOwner, loadStaffMember, lockOwners, lockStaffMember } from '../staff-members.ts'
import { releaseTasks } from '../staff-tasks.ts'

/**
 * Ends a staff member's access: ends their sign-ins, withdraws their invitation and unassigns their open tasks. The
 * staff record stays, since ledger entries, notes and audit events refer to it.
 */
export const EndStaff = officeOperation({
  name: 'EndStaff',
  permission: 'staff.manage',
  access: mayAnywhere('staff.manage'),
  freshFactor: true,
  input: v.object({ staff_id: staffId, reason }),
  example: { ...staffExample, reason: 'Left the company' },
  async work({ tx, services, audit, leaveUnchanged }, { staff_id }) {
    await lockOwners(tx)
    await lockStaffMember(tx, staff_id)
    const member = await loadStaffMember(tx, staff_id)
    if (!member) throw new RefusalError(recordNotFound)
    if (member.state === 'ended') {
      leaveUnchanged()
      return { ended: true }
    }
    if (!(await hasAnotherOwner(tx, staff_id))) throw refusalError(409, 'last_owner', lastOwner)
    const now = services.clock.now()
    await tx
      .updateTable('staff')
      .set({ ended_at: now, invite_hash: null, invite_expires_at: null })
      .where('staff_id', '=', staff_id)
      .execute()
    await endAllSignIns(tx, staff_id, now)
    await releaseTasks(tx, staff_id, new Set())
    await audit({ kind: 'staff.ended', details: { person: member.name }, subject: staff_id })
    return { ended: true }
  },
})
