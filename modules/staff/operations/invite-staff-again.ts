import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { inviteOnFile, owners, person, reason, staffId } from '../invitations.ts'

/** Brings a person who has left back, with the roles they had. */
export const InviteStaffAgain = internalOperation({
  name: 'InviteStaffAgain',
  access: owners,
  freshFactor: true,
  input: v.object({ staff_id: staffId, reason }),
  example: { input: { ...person, reason: 'Back for the season' } },
  run: (services, input, callers) => inviteOnFile(services, callers, input, 'staff.invited'),
})
