import * as v from 'valibot'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { retryRefund } from '../../payments/manual-review.ts'
import { decideRefund, isRefundId, refundIdField } from '../internal/decide-stuck-refund.ts'
import { reopenRefund } from '../send-refunds.ts'

export const RetryRefund = internalOperation({
  name: 'RetryRefund',
  access: { staff: mayAtFacility('review.decide') },
  freshFactor: true,
  input: v.object({ location_code: locationCode(), refund: refundIdField }),
  example: { input: { location_code: 'ATL01', refund: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c14' } },
  run: (services, input, callers) =>
    decideRefund(services, callers, input, { kind: 'refund.retried', how: '' }, async (tx, staffId) =>
      isRefundId(input.refund)
        ? (await reopenRefund(tx, services, input.refund, staffId)) !== null
        : retryRefund(services, input.refund, tx),
    ),
})
