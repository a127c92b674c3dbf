import * as v from 'valibot'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { reason, staffExample, staffId } from '../internal/staff-operation-input.ts'
import { officeOperation } from '../office-operation.ts'
import { reinviteStaffMember } from '../send-invitation.ts'

/**
 * Deletes a staff member’s password and second factors, ends their sign-ins, and mails an invitation to set a new
 * password and factor.
 */
export const ResetStaffCredentials = officeOperation({
  name: 'ResetStaffFactors',
  permission: 'staff.manage',
  access: mayAnywhere('staff.manage'),
  freshFactor: true,
  input: v.object({ staff_id: staffId, reason }),
  example: { ...staffExample, reason: 'Lost phone' },
  work: (act, { staff_id }) => reinviteStaffMember(act, staff_id, 'staff.factors_reset'),
})
