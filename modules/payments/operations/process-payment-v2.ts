import * as v from 'valibot'
import { toWire } from '../../../domain/money.ts'
import { invalidTenantId, successful } from '../../../domain/texts/payment.ts'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { integer, locationCode, optionalText, requiredText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import {
  contradictedFields,
  loadOwnPayment,
  paymentFields,
  refuseContradiction,
} from '../load-own-payment-and-compare-stated-fields.ts'
import { decryptPlan } from '../order-terms-encryption.ts'
import type { LeasePlan } from '../payers/post-lease-payment.ts'
import { capturedCents, loadPayment, type Payment } from '../payment.ts'
import { isAutopayDropped } from '../rules/dropped-autopay-request.ts'
import { unpostedPaymentMessage } from '../rules/payment-failure-reason.ts'
import { settlePayment } from '../settle-payment.ts'

export const ProcessPayment_V2 = operation({
  name: 'ProcessPayment_V2',
  summary:
    'Posts the card payment of an order of the caller’s own, once; asking again answers the same. All that the caller sends is compared with our own payment of that order: a difference is 409.',
  access: { tenant: ownTenant, guest: ownTenant, auction: () => true, settlement: () => true },
  input: v.object({
    location_code: locationCode(),
    tenant_id: integer(invalidTenantId),
    unit_id: optionalText(16),
    pay_periods: optionalText(4),
    order_id: requiredText(64),
    auction_proceeds: optionalText(1),
    ...paymentFields,
  }),
  output: v.object({
    PaymentMessage: v.string(),
    order_id: v.string(),
    receipt_number: v.string(),
    amount: v.string(),
  }),
  limit: { points: 120, perSeconds: 3600 },
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      order_id: 'LK3F9A0C44D1E2B7A90C11D2E3',
      payment_method: 'CC',
      pay_periods: '1',
      autopay_bit: '0',
      auction_proceeds: '0',
    },
    output: {
      PaymentMessage: 'Successful',
      order_id: 'LK3F9A0C44D1E2B7A90C11D2E3',
      receipt_number: '77120',
      amount: '100.69',
    },
  },
  async run(services, { location_code, tenant_id, order_id, ...stated }, callers) {
    const ownOrder = await loadOwnPayment(services, callers, order_id)
    if (ownOrder.payer === 'move_in') {
      return refuse(409, 'differs', 'This is not a payment for a lease.', {
        fields: { order_id: 'is of another kind' },
      })
    }
    const expected = await loadLeaseFields(services, ownOrder, stated)
    const statedFields: Record<string, string> = { ...stated, location_code, tenant_id: String(tenant_id) }
    const { amount, payment_method } = stated
    const statedLeaseFields = Object.fromEntries(Object.keys(expected).map((name) => [name, statedFields[name]]))
    // Fields of our order are compared before any change; the provider's card details, after settling.
    const earlyDifferences = contradictedFields(
      services,
      ownOrder,
      { ...statedLeaseFields, amount, payment_method },
      expected,
    )
    if (earlyDifferences.length > 0) return refuseContradiction(services, order_id, earlyDifferences)
    const settled = await settlePayment(services, order_id)
    const payment = (await loadPayment(services, order_id)) ?? ownOrder
    const differences = contradictedFields(services, payment, statedFields, expected)
    if (differences.length > 0) return refuseContradiction(services, order_id, differences)
    return succeed({
      PaymentMessage: settled.state === 'posted' ? successful : unpostedPaymentMessage(settled, payment.trouble),
      order_id,
      receipt_number: payment.receipt_id ?? '',
      amount: toWire(capturedCents(payment)),
    })
  },
})

/** Loads our values of the lease fields that a caller may state with a payment. */
async function loadLeaseFields(
  services: Services,
  payment: Payment,
  stated: { pay_periods: string; autopay_bit: string },
): Promise<Record<string, string>> {
  const plan = decryptPlan<Partial<LeasePlan>>(services, payment)
  const lease = await services.db.read
    .selectFrom('leases')
    .select(['unit_id', 'tenant_id', 'scheduled_move_out', 'autopay'])
    .where('location_code', '=', payment.location_code)
    .where('lease_number', '=', payment.lease_number ?? -1)
    .executeTakeFirst()
  const isDropped = stated.autopay_bit === '1' && lease !== undefined && isAutopayDropped(payment.payer, lease)
  return {
    location_code: payment.location_code,
    // An auction payment has no tenant, but the request requires `tenant_id`, which must be that of the unit's lease.
    tenant_id: String(payment.tenant_id ?? lease?.tenant_id ?? ''),
    unit_id: String(lease?.unit_id ?? ''),
    pay_periods: plan.pays === 'prepay' ? String(plan.periods) : stated.pay_periods === '0' ? '0' : '1',
    // Our order states no autopay where the request for it was dropped.
    autopay_bit: isDropped ? '1' : String(payment.autopay),
    auction_proceeds: payment.payer === 'auction' ? '1' : '0',
  }
}
