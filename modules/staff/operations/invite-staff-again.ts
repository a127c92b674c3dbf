import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { reason, reinviteStaffMember, staffExample, staffId, staffManagerAccess } from '../invitations.ts'

/** Invites a former staff member again, with their earlier roles. */
export const InviteStaffAgain = internalOperation({
  name: 'InviteStaffAgain',
  access: staffManagerAccess,
  freshFactor: true,
  input: v.object({ staff_id: staffId, reason }),
  example: { input: { ...staffExample, reason: 'Back for the season' } },
  run: (services, input, callers) => reinviteStaffMember(services, callers, input, 'staff.invited'),
})
