import * as v from 'valibot'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import { staffExample, staffId } from '../internal/staff-operation-input.ts'
import { officeOperation } from '../office-operation.ts'
import { endAllSignIns, loadStaffMember } from '../staff-members.ts'

/** Ends all sign-ins of a staff member. */
export const EndStaffSignIns = officeOperation({
  name: 'EndStaffSignIns',
  permission: 'staff.manage',
  access: mayAnywhere('staff.manage'),
  input: v.object({ staff_id: staffId }),
  example: staffExample,
  async work({ tx, services, audit }, { staff_id }) {
    const member = await loadStaffMember(tx, staff_id)
    if (!member) throw new RefusalError(recordNotFound)
    await endAllSignIns(tx, staff_id, services.clock.now())
    await audit({ kind: 'staff.sign_ins_ended', details: { person: member.name }, subject: staff_id })
    return { ended: true }
  },
})
