import * as v from 'valibot'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { reason, staffExample, staffId } from '../internal/staff-operation-input.ts'
import { officeOperation } from '../office-operation.ts'
import { reinviteStaffMember } from '../send-invitation.ts'

/** Invites a former staff member again, with their earlier roles. */
export const InviteStaffAgain = officeOperation({
  name: 'InviteStaffAgain',
  permission: 'staff.manage',
  access: mayAnywhere('staff.manage'),
  freshFactor: true,
  input: v.object({ staff_id: staffId, reason }),
  example: { ...staffExample, reason: 'Back for the season' },
  work: (act, { staff_id }) => reinviteStaffMember(act, staff_id, 'staff.invited'),
})
