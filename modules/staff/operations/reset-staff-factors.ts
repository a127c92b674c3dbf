import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { reason, reinviteStaffMember, staffExample, staffId, staffManagerAccess } from '../invitations.ts'

export const ResetStaffFactors = internalOperation({
  name: 'ResetStaffFactors',
  access: staffManagerAccess,
  freshFactor: true,
  input: v.object({ staff_id: staffId, reason }),
  example: { input: { ...staffExample, reason: 'Lost phone' } },
  run: (services, input, callers) => reinviteStaffMember(services, callers, input, 'staff.factors_reset'),
})
