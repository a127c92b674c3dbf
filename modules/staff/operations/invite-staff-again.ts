import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { inviteOnFile, owners, person, reason, staffId } from '../invitations.ts'

/** Invites a former staff member again, with their earlier roles. */
export const InviteStaffAgain = internalOperation({
  name: 'InviteStaffAgain',
  access: owners,
  freshFactor: true,
  input: v.object({ staff_id: staffId, reason }),
  example: { input: { ...person, reason: 'Back for the season' } },
  run: (services, input, callers) => inviteOnFile(services, callers, input, 'staff.invited'),
})
