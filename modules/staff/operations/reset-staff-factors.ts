import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { inviteOnFile, owners, person, reason, staffId } from '../invitations.ts'

export const ResetStaffFactors = internalOperation({
  name: 'ResetStaffFactors',
  access: owners,
  freshFactor: true,
  input: v.object({ staff_id: staffId, reason }),
  example: { input: { ...person, reason: 'Lost phone' } },
  run: (services, input, callers) => inviteOnFile(services, callers, input, 'staff.factors_reset'),
})
