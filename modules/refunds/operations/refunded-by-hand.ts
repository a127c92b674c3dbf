import * as v from 'valibot'
import { locationCode, requiredText } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { recordPaidByHand } from '../../payments/manual-review.ts'
import { decideRefund, isRefundId, refundIdField } from '../internal/decide-stuck-refund.ts'
import { recordRefundPaidByHand } from '../send-refunds.ts'

export const RefundedByHand = internalOperation({
  name: 'RefundedByHand',
  access: { staff: mayAtFacility('review.decide') },
  freshFactor: true,
  input: v.object({ location_code: locationCode(), refund: refundIdField, how: requiredText(100) }),
  example: { input: { location_code: 'ATL01', refund: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c14', how: 'check 1042' } },
  run: (services, input, callers) =>
    decideRefund(services, callers, input, { kind: 'refund.paid_by_hand', how: input.how }, async (tx, staffId) =>
      isRefundId(input.refund)
        ? (await recordRefundPaidByHand(tx, services, input.refund, { how: input.how, staffId })) !== null
        : recordPaidByHand(tx, services, input.refund, input.how),
    ),
})
