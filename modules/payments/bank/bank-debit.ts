/**
 * Pays orders by bank debit. Validates an account before its first debit; the order id is the debit's idempotency key.
 */

import { maskAccountNumber } from '../../../domain/bank-account-numbers-and-return-reasons.ts'
import { type Cents, format } from '../../../domain/money.ts'
import { formatPhone } from '../../../domain/phone.ts'
import { formatUsDay } from '../../../domain/plain-date.ts'
import { achFailed } from '../../../domain/texts/payment.ts'
import type { TenantCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type BankAccount, BankUnavailable, type DebitResult } from '../../../ports/bank/bank.ts'
import type { OrderResult } from '../../../ports/card-provider/card-provider.ts'
import { loadSupportPhoneDigits } from '../../facilities/choose-support-phone.ts'
import { type FacilityFacts, loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { loadBrand } from '../../facilities/operator-settings-and-brand.ts'
import type { BrandRecord } from '../../facilities/rules/brand.ts'
import type { Draft } from '../../reservations/rules/journey/draft.ts'
import { loadCheckoutStatus } from '../internal/checkout-status.ts'
import { markPresented } from '../internal/open-provider-card-page.ts'
import { type CheckoutRefused, checkoutOrder } from '../open/open-checkout.ts'
import { moveInOrder } from '../open/open-move-in-payment.ts'
import { asRecordedOrder, loadPayment, type Payment, type SettleResult } from '../payment.ts'
import { changePaymentState, dueForQueryColumns, type Order, openOrder } from '../payment-orders.ts'
import { consentToCheckout } from '../price-checkout.ts'
import type { Checkout } from '../rules/checkout-terms.ts'
import type { MoveInPaymentRefusal } from '../rules/move-in-payment-refusal-reasons.ts'
import { recordResult, settlePayment, toOrderResult } from '../settle-payment.ts'
import { moveInConsent } from '../texts/move-in-autopay-consent.ts'
import { type NotCharged, notCharged } from '../texts/was-money-taken-by-payment-state.ts'
import { type BankCallOptions, callWithRetries, canBeDebited, type DebitAuthorizer } from './account-validation.ts'

export type BankPaymentResult =
  | { state: 'posted'; orderId: string; leaseNumber: number | null }
  | { state: 'checking' | 'review' | 'refund'; orderId: string }
  /**
   * No debit of this payment is known. `charged`: the beginning of the sentence that says so; null where that may be
   * untrue. `overtaken`: before the debit, another payment for the same draft or leases began or was made, what is due
   * changed, or another tab or process closed the order.
   */
  | { state: 'failed'; message: string; charged: NotCharged | null; retriesUsedUp: boolean; overtaken?: true }

/** Returns the account as the ledger shows it: 'Checking ****6789'. */
export const bankLabel = (account: Pick<BankAccount, 'type' | 'account'>): string =>
  `${account.type} ${maskAccountNumber(account.account)}`

/**
 * Returns the authorization text of a bank debit (Nacha WEB): shown beside the button, stored with the payment, and
 * printed on the receipt.
 * @param terms amount: in cents, 0 to check the account only; consent: text of the consent to autopay, null without it
 */
export async function debitAuthorizationText(
  services: Services,
  facts: FacilityFacts,
  terms: { amount: Cents; consent: string | null; brand?: Pick<BrandRecord, 'name'> },
): Promise<string> {
  const [brand, digits] = await Promise.all([
    terms.brand ?? loadBrand(services),
    loadSupportPhoneDigits(services, facts.location),
  ])
  const phone = formatPhone(digits)
  const debitText =
    terms.amount === 0
      ? `Nothing is taken from your bank account today. I authorize ${brand.name} to check the account.`
      : `On ${formatUsDay(facts.today)}, I authorize ${brand.name} to take ${format(terms.amount)} once, today or on the next banking day, from the bank account entered here, and to put it right where it was taken in error.`
  const revocationText = `To revoke this, call ${phone}${terms.amount === 0 ? '' : ' before it is processed'}.`
  return [debitText, terms.consent, revocationText].filter(Boolean).join(' ')
}

/**
 * Pays a move-in by a bank debit.
 * @returns the debit's result and the order's amount in cents, or why the move-in cannot be paid
 */
export async function payMoveInByBank(
  services: Services,
  draft: Draft,
  request: { quoteId: string; tenant?: TenantCaller | undefined; account: BankAccount; by: DebitAuthorizer },
  options: BankCallOptions = {},
): Promise<{ ok: true; paid: BankPaymentResult; amount: Cents } | MoveInPaymentRefusal> {
  const orderResult = await moveInOrder(services, draft, request)
  if (!orderResult.ok) return orderResult
  const { order, charges } = orderResult
  const consent = order.autopay ? moveInConsent(charges.thenPerPeriod, charges.nextBilling) : null
  const paid = await payByBank(
    services,
    await withAuthorization(services, order, consent, request.by),
    request.account,
    options,
  )
  // If another payment overtook this one, returns what prevents a payment now, such as 'already_rented' or 'checking'.
  const outcome = paid.state === 'failed' && paid.overtaken ? await moveInOrder(services, draft, request) : orderResult
  return outcome.ok ? { ok: true, paid, amount: order.amount } : outcome
}

export async function payCheckoutByBank(
  services: Services,
  checkout: Checkout,
  request: { account: BankAccount; by: DebitAuthorizer },
  options: BankCallOptions = {},
): Promise<{ ok: true; paid: BankPaymentResult } | CheckoutRefused> {
  const orderResult = await checkoutOrder(services, checkout, 'ACH', request.by)
  if (!orderResult.ok) return orderResult
  const consent = checkout.autopay ? checkout.autopayConsent : null
  const order = await withAuthorization(services, orderResult.order, consent, request.by)
  const paid = await payByBank(services, order, request.account, options, () =>
    isStillDue(services, checkout, order.amount),
  )
  const outcome =
    paid.state === 'failed' && paid.overtaken ? await checkoutOrder(services, checkout, 'ACH', request.by) : orderResult
  return outcome.ok ? { ok: true, paid } : outcome
}

/**
 * Returns whether the checkout is still due at this amount, in cents; another order, a payment at the counter or
 * autopay may have paid it meanwhile.
 */
async function isStillDue(services: Services, checkout: Checkout, amount: Cents): Promise<boolean> {
  const { pending } = await loadCheckoutStatus(services, checkout)
  const consent = pending ? null : await consentToCheckout(services, checkout, 'ACH')
  return consent?.ok === true && consent.price.total === amount
}

/** Returns a bank order with its debit authorization: the text, the time, and the browser that authorized it. */
async function withAuthorization(
  services: Services,
  order: Order,
  consent: string | null,
  authorizer: DebitAuthorizer,
): Promise<Order> {
  const facts = (await loadFacilityFacts(services, [order.locationCode])).get(order.locationCode)
  if (!facts) throw new Error(`There is no facility ${order.locationCode}`)
  return {
    ...order,
    authorisation: {
      text: await debitAuthorizationText(services, facts, { amount: order.amount, consent }),
      at: services.clock.now(),
      address: authorizer.address,
      agent: authorizer.agent.slice(0, 300),
    },
  }
}

/**
 * Pays an order by a single bank debit, however often it is called.
 * @param isStillDue checked right before the debit
 */
async function payByBank(
  services: Services,
  order: Order,
  account: BankAccount,
  options: BankCallOptions,
  isStillDue: () => Promise<boolean> = async () => true,
): Promise<BankPaymentResult> {
  const opened = await openOrder(services, {
    ...order,
    method: 'ACH',
    bank: { account, label: bankLabel(account) },
  })
  if ('orderInProgress' in opened) return overtaken
  const { row } = opened
  const orderId = row.order_id
  // An earlier or parallel request has already settled or closed this order.
  if (row.state !== 'created' && row.state !== 'presented')
    return toBankPaymentResult(services, row, await settlePayment(services, orderId))
  const undebited = await endWithoutDebit(services, row, order, account, options)
  if (undebited) return undebited
  const presented = await markPresented(services, orderId, order)
  if (presented === 'charge_in_progress') {
    await cancelUndebited(services, row)
    return overtaken
  }
  const current = presented ?? (await loadPayment(services, orderId))
  // Another tab has agreed to other terms meanwhile, or has paid this order.
  if (current?.state !== 'presented') return toBankPaymentResult(services, row, await settlePayment(services, orderId))
  if (!(await isStillDue())) {
    await cancelUndebited(services, current)
    return overtaken
  }
  let debit: DebitResult
  try {
    debit = await callWithRetries(options, () =>
      services.bank.debit({ orderId, account, amount: row.amount, descriptor: debitDescriptor(order) }),
    )
  } catch (error) {
    if (!(error instanceof BankUnavailable)) throw error
    services.errors.report(error, { order: orderId, step: 'debit' })
    const settled = await settlePayment(services, orderId)
    // The bank does not know the order. Unless the call timed out, no request for the debit is still pending.
    if (settled.state === 'checking' && !settled.unreachable && error.reason !== 'timeout')
      return cancelUndebited(services, current)
    return toBankPaymentResult(services, row, settled)
  }
  return toBankPaymentResult(services, row, await recordResult(services, current, toOrderResult(debit)))
}

/**
 * Ends an order whose account is refused or cannot be validated, or whose amount is 0.
 * @returns null where a debit follows
 */
async function endWithoutDebit(
  services: Services,
  row: Payment,
  order: Order,
  account: BankAccount,
  options: BankCallOptions,
): Promise<BankPaymentResult | null> {
  try {
    if (!(await canBeDebited(services, account, order.authorisation?.address ?? '', options)))
      return toBankPaymentResult(services, row, await recordResult(services, row, refusedAccountResult(row.order_id)))
    // Nothing is due today; the account is only saved.
    if (row.amount === 0)
      return toBankPaymentResult(services, row, await recordResult(services, row, nothingDueResult(row.order_id)))
    return null
  } catch (error) {
    if (!(error instanceof BankUnavailable)) throw error
    return cancelUndebited(services, row, error)
  }
}

const debitDescriptor = (order: Order): string =>
  order.leaseNumber === null ? 'Storage rent' : `Lease ${order.leaseNumber}`

/**
 * Cancels an order that the bank has not debited. `reconcilePayments` queries the order again later, and posts or
 * refunds a debit that was made after all.
 */
async function cancelUndebited(services: Services, payment: Payment, error?: Error): Promise<BankPaymentResult> {
  if (error) services.errors.report(error, { order: payment.order_id, step: 'bank account' })
  await changePaymentState(services.db.write, services, payment.order_id, 'cancelled', dueForQueryColumns(payment))
  return failedResult(services, payment.order_id, false)
}

/**
 * Returns the result of a bank payment whose debit was not made. The order is read again, since another process may
 * have moved it.
 */
async function failedResult(services: Services, orderId: string, retriesUsedUp: boolean): Promise<BankPaymentResult> {
  const order = await loadPayment(services, orderId)
  return {
    state: 'failed',
    message: achFailed,
    charged: order ? notCharged(asRecordedOrder(order)) : null,
    retriesUsedUp,
  }
}

const overtaken: BankPaymentResult = {
  state: 'failed',
  message: achFailed,
  charged: null,
  retriesUsedUp: false,
  overtaken: true,
}

async function toBankPaymentResult(
  services: Services,
  { order_id: orderId }: Payment,
  settled: SettleResult,
): Promise<BankPaymentResult> {
  switch (settled.state) {
    case 'posted':
      return { state: 'posted', orderId, leaseNumber: settled.leaseNumber }
    case 'declined':
      return failedResult(services, orderId, settled.retriesUsedUp)
    case 'checking':
    case 'review':
    case 'refund':
      return { state: settled.state, orderId }
    default: {
      // Another tab or process has closed the order, or has captured its debit after this result was read.
      const payment = await loadPayment(services, orderId)
      return payment?.state === 'captured' ? { state: 'checking', orderId } : overtaken
    }
  }
}

const accountCheckResult = (
  orderId: string,
  outcome: Pick<DebitResult, 'state' | 'code' | 'description'>,
): OrderResult => toOrderResult({ orderId, amount: 0, traceNumber: '', ...outcome })

const refusedAccountResult = (orderId: string) =>
  accountCheckResult(orderId, {
    state: 'REFUSED',
    code: 'account',
    description: 'The account was refused when it was checked',
  })

const nothingDueResult = (orderId: string) =>
  accountCheckResult(orderId, { state: 'ACCEPTED', code: '', description: 'Nothing is due' })
