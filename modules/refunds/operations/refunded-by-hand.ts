import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { alreadyDecided } from '../../../domain/texts/office-refusals.ts'
import { locationCode, requiredText } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { recordPaidByHand } from '../../payments/payment-reviews-and-failed-refunds.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { isRefundId, loadRefund, refundIdField } from '../internal/refund-id-input.ts'
import { recordRefundPaidByHand } from '../send-refunds.ts'

/** Records that a staff member paid a refund by hand: one that failed, or one to be paid by check. */
export const RefundedByHand = officeOperation({
  name: 'RefundedByHand',
  permission: 'review.decide',
  freshFactor: true,
  input: v.object({ location_code: locationCode(), refund: refundIdField, how: requiredText(100) }),
  example: { location_code: 'ATL01', refund: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c14', how: 'check 1042' },
  async work(act, input) {
    const { tx, services, staff } = act
    const { how } = input
    const refund = await loadRefund(act, input)
    const isRecorded = isRefundId(input.refund)
      ? (await recordRefundPaidByHand(tx, services, input.refund, { how, staffId: staff.staffId })) !== null
      : await recordPaidByHand(tx, services, input.refund, how)
    if (!isRecorded) throw refusalError(409, 'decided', alreadyDecided)
    await act.audit({ kind: 'refund.paid_by_hand', details: { amount: format(refund.cents), how }, ...refund })
    return { done: true }
  },
})
