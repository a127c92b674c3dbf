import * as v from 'valibot'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { cancelRentChange } from '../internal/cancel-rent-change.ts'
import { reason, uuid } from '../internal/rent-change-operation-parts.ts'

/** Cancels a rent change before its first period is charged. */
export const CancelRentChange = officeOperation({
  name: 'CancelRentChange',
  permission: 'rent.propose',
  input: v.object({ change_id: uuid, location_code: locationCode(), reason }),
  example: {
    change_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15',
    location_code: 'ATL01',
    reason: 'Agreed with the tenant',
  },
  async work(act, input) {
    await act.audit(await cancelRentChange(act, input))
    return { cancelled: true }
  },
})
