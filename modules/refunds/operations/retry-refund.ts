import * as v from 'valibot'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { may } from '../../../platform/operations/staff-scope.ts'
import { retryRefund } from '../../payments/manual-review.ts'
import { isOfPosted, refund, withRefund } from '../internal/named-refund.ts'
import { sendRefundAgain } from '../send-refunds.ts'

export const RetryRefund = internalOperation({
  name: 'RetryRefund',
  access: { staff: may('review.decide') },
  freshFactor: true,
  input: v.object({ location_code: locationCode(), refund }),
  example: { input: { location_code: 'ATL01', refund: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c14' } },
  run: (services, input, callers) =>
    withRefund(services, callers, input, { kind: 'refund.retried', how: '' }, async (tx, who) =>
      isOfPosted(input.refund)
        ? (await sendRefundAgain(tx, services, input.refund, who)) !== null
        : retryRefund(services, input.refund, tx),
    ),
})
