import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { alreadyDecided } from '../../../domain/texts/office-refusals.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { retryRefund } from '../../payments/payment-reviews-and-failed-refunds.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { isRefundId, loadRefund, refundIdField } from '../internal/refund-id-input.ts'
import { reopenRefund } from '../send-refunds.ts'

/** Attempts a failed refund again. */
export const RetryRefund = officeOperation({
  name: 'RetryRefund',
  permission: 'review.decide',
  freshFactor: true,
  input: v.object({ location_code: locationCode(), refund: refundIdField }),
  example: { location_code: 'ATL01', refund: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c14' },
  async work(act, input) {
    const { tx, services, staff } = act
    const refund = await loadRefund(act, input)
    const isReopened = isRefundId(input.refund)
      ? (await reopenRefund(tx, services, input.refund, staff.staffId)) !== null
      : await retryRefund(services, input.refund, tx)
    if (!isReopened) throw refusalError(409, 'decided', alreadyDecided)
    await act.audit({ kind: 'refund.retried', details: { amount: format(refund.cents) }, ...refund })
    return { done: true }
  },
})
