import * as v from 'valibot'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { cancelRentChange } from '../internal/store-batch-decision.ts'
import { reason, uuid } from '../rent-change-operation-parts.ts'

const change = { change_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15', location_code: 'ATL01' }

export const CancelRentChange = internalOperation({
  name: 'CancelRentChange',
  access: { staff: mayAtFacility('rent.propose') },
  input: v.object({ change_id: uuid, location_code: locationCode(), reason }),
  example: { input: { ...change, reason: 'Agreed with the tenant' } },
  async run(services, input, callers) {
    const refusal = await cancelRentChange(services, callers, {
      changeId: input.change_id,
      locationCode: input.location_code,
      reason: input.reason,
    })
    return refusal ?? succeed({ cancelled: true })
  },
})
