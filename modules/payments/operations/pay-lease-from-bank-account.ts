import * as v from 'valibot'
import { type Cents, toWire } from '../../../domain/money.ts'
import { invalidTenantId, paymentStillChecked, successful } from '../../../domain/texts/payment.ts'
import { isTenant } from '../../../platform/database/where-tenant-or-lease-key.ts'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { flag, integer, locationCode, money, prepaidPeriods } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { invalidLeaseNumber } from '../../leases/texts/portal.ts'
import { accountFields, toBankAccount } from '../bank/bank-account-input.ts'
import { type BankPaymentResult, payCheckoutByBank } from '../bank/bank-debit.ts'
import { findRepeatedBankPayment, type LeaseKeyInput } from '../internal/find-repeated-bank-payment.ts'
import { checkoutRefusal } from '../open/open-checkout.ts'
import { loadPayment } from '../payment.ts'
import { beginDuesOrPrepay, startCheckout } from '../price-checkout.ts'
import { refuseOtherAmount } from '../refuse-amount-that-differs-from-cost.ts'
import { unpostedPaymentMessage } from '../rules/payment-failure-reason.ts'

export const ProcessACHPayments = operation({
  name: 'ProcessACHPayments',
  summary:
    'Pays the dues of a lease, or periods ahead, from a bank account. The same call again within 35 seconds, or with the same idempotency key, is the same payment.',
  access: { tenant: ownTenant, guest: ownTenant },
  input: v.object({
    location_code: locationCode(),
    tenant_id: integer(invalidTenantId),
    lease_number: integer(invalidLeaseNumber),
    amount: money(),
    ...accountFields,
    /** Number of periods ahead; omitted or 0 to pay the dues if any, else one period. */
    pay_periods: v.optional(prepaidPeriods(0), 0),
    autopay_bit: v.optional(flag(), false),
  }),
  output: v.object({
    PaymentMessage: v.string(),
    order_id: v.string(),
    amount: v.string(),
  }),
  limit: { points: 60, perSeconds: 3600 },
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      amount: '100.69',
      ACHAccountNumber: '000123450000',
      ACHRoutingNumber: '061000104',
      ACHAccountType: 'Checking',
      pay_periods: '1',
      autopay_bit: '0',
      AutoAchProcessingDay: '1',
    },
    output: { PaymentMessage: 'Successful', order_id: 'LK…', amount: '100.69' },
  },
  async run(services, input, callers) {
    const payer = callers.tenant && ownTenant(callers.tenant, input) ? 'tenant' : 'guest'
    const guest = payer === 'guest' ? callers.guest?.signIn : undefined
    // A guest's bank account is not assumed to be the tenant's.
    const account = toBankAccount(input, payer === 'tenant' ? await loadHolderName(services, input) : 'Account holder')
    const earlier = await findRepeatedBankPayment(services, input, account, { payer, guest })
    if (earlier) {
      return succeed({ PaymentMessage: successful, order_id: earlier.order_id, amount: toWire(earlier.amount) })
    }
    const started = await beginDuesOrPrepay(services, startCheckout, {
      payer,
      guest,
      locationCode: input.location_code,
      tenantId: input.tenant_id,
      leaseNumber: input.lease_number,
      periods: input.pay_periods || undefined,
      autopay: input.autopay_bit,
    })
    if (!started.ok) return started
    const { checkout } = started
    if (!checkout.allowAch) return refuse(409, 'ach_not_offered', 'This location takes no bank accounts.')
    const { total } = checkout.price.ACH
    if (input.amount !== total) return refuseOtherAmount('amount', total)
    const authorizer = { address: callers.address, agent: callers.agent }
    const result = await payCheckoutByBank(services, checkout, { account, by: authorizer })
    if (result.ok) return respondToPayment(services, result.paid, total)
    // The provider of an earlier order for the lease did not respond, so that order may have been paid.
    if (result.why === 'unavailable')
      return succeed({ PaymentMessage: paymentStillChecked, order_id: '', amount: toWire(total) })
    return result.why === 'price_changed'
      ? refuseOtherAmount('amount', result.now.price.ACH.total)
      : checkoutRefusal(result)
  },
})

async function respondToPayment(services: Services, paid: BankPaymentResult, total: Cents) {
  const orderId = 'orderId' in paid ? paid.orderId : ''
  const PaymentMessage =
    paid.state === 'posted' ? successful : unpostedPaymentMessage(paid, (await loadPayment(services, orderId))?.trouble)
  return succeed({ PaymentMessage, order_id: orderId, amount: toWire(total) })
}

async function loadHolderName(services: Services, lease: LeaseKeyInput): Promise<string> {
  const tenant = await services.db.read
    .selectFrom('tenants')
    .select(['first', 'last'])
    .where(isTenant(lease))
    .executeTakeFirst()
  return tenant ? `${tenant.first} ${tenant.last}`.trim() || 'Account holder' : 'Account holder'
}
