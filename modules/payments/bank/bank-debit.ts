// Validates an account before its first debit; the order id is the debit's idempotency key (cases 9, 11 and 15).
import { maskAccountNumber } from '../../../domain/bank.ts'
import { type Cents, format } from '../../../domain/money.ts'
import { formatPhone } from '../../../domain/phone.ts'
import { formatUsDay } from '../../../domain/plain-date.ts'
import { achFailed } from '../../../domain/texts/payment.ts'
import type { TenantCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type BankAccount, BankUnavailable, type DebitResult } from '../../../ports/bank/bank.ts'
import type { OrderResult } from '../../../ports/card-provider/card-provider.ts'
import { type FacilityFacts, facilityFacts } from '../../facilities/facility-facts.ts'
import { phoneFor } from '../../facilities/phone.ts'
import type { BrandRecord } from '../../facilities/rules/brand.ts'
import { loadBrand } from '../../facilities/site-settings.ts'
import type { Draft } from '../../reservations/draft-facts.ts'
import { markPresented } from '../card-page.ts'
import { type Checkout, consentToCheckout } from '../checkout.ts'
import { checkoutStatus } from '../checkout-status.ts'
import { type CheckoutRefused, checkoutOrder } from '../open/open-checkout.ts'
import { type MoveInPaymentRefusal, moveInOrder } from '../open/open-move-in-payment.ts'
import { changePaymentState, type Order, openOrder } from '../orders.ts'
import { asRecordedOrder, loadPayment, type Payment, type SettleResult } from '../payment.ts'
import { recordResult, settlePayment, toOrderResult } from '../settle-payment.ts'
import { type NotCharged, notCharged } from '../texts/charged.ts'
import { type BankCallOptions, callWithRetries, canBeDebited, type DebitAuthorizer } from './account-check.ts'

export type BankPaymentResult =
  | { state: 'posted'; orderId: string; leaseNumber: number | null }
  | { state: 'checking' | 'review' | 'refund'; orderId: string }
  /** No debit was made. `overtaken`: another payment of the same began meanwhile, perhaps by another payer. */
  | { state: 'failed'; message: string; charged: NotCharged | null; retriesUsedUp: boolean; overtaken?: true }

export const bankLabel = (account: Pick<BankAccount, 'type' | 'account'>): string =>
  `${account.type} ${maskAccountNumber(account.account)}`

/**
 * Returns the authorization text of a bank debit (Nacha WEB): shown beside the button, stored with the payment, and
 * printed on the receipt.
 */
export async function debitAuthorisation(
  services: Services,
  facts: FacilityFacts,
  of: { amount: Cents; consent: string | null; brand?: Pick<BrandRecord, 'name'> },
): Promise<string> {
  const [brand, digits] = await Promise.all([of.brand ?? loadBrand(services), phoneFor(services, facts.location)])
  const phone = formatPhone(digits)
  const once =
    of.amount === 0
      ? `Nothing is taken from your bank account today. I authorize ${brand.name} to check the account.`
      : `On ${formatUsDay(facts.today)}, I authorize ${brand.name} to take ${format(of.amount)} once, today or on the next banking day, from the bank account entered here, and to put it right where it was taken in error.`
  const revoke = `To revoke this, call ${phone}${of.amount === 0 ? '' : ' before it is processed'}.`
  return [once, of.consent, revoke].filter(Boolean).join(' ')
}

export const moveInConsent = (thenPerPeriod: Cents, nextBilling: string): string =>
  `I also authorize the amount due under my lease to be taken from this account every 30 days, next ${format(thenPerPeriod)} on ${formatUsDay(nextBilling)}, until I turn autopay off in my account.`

export async function payMoveInByBank(
  services: Services,
  draft: Draft,
  asked: { quoteId: string; tenant?: TenantCaller | undefined; account: BankAccount; by: DebitAuthorizer },
  ways: BankCallOptions = {},
): Promise<{ ok: true; paid: BankPaymentResult; amount: Cents } | MoveInPaymentRefusal> {
  const made = await moveInOrder(services, draft, asked)
  if (!made.ok) return made
  const { order, charges } = made
  const consent = order.autopay ? moveInConsent(charges.thenPerPeriod, charges.nextBilling) : null
  const paid = await payByBank(services, await authorised(services, order, consent, asked.by), asked.account, ways)
  // If the payment that overtook it is posted, report that one instead of a failure.
  const again = paid.state === 'failed' && paid.overtaken ? await moveInOrder(services, draft, asked) : made
  return again.ok ? { ok: true, paid, amount: order.amount } : again
}

export async function payCheckoutByBank(
  services: Services,
  checkout: Checkout,
  asked: { account: BankAccount; by: DebitAuthorizer },
  ways: BankCallOptions = {},
): Promise<{ ok: true; paid: BankPaymentResult } | CheckoutRefused> {
  const made = await checkoutOrder(services, checkout, 'ACH', asked.by)
  if (!made.ok) return made
  const consent = checkout.autopay ? checkout.autopayConsent : null
  const order = await authorised(services, made.order, consent, asked.by)
  const paid = await payByBank(services, order, asked.account, ways, () => isStillDue(services, checkout, order.amount))
  const again =
    paid.state === 'failed' && paid.overtaken ? await checkoutOrder(services, checkout, 'ACH', asked.by) : made
  return again.ok ? { ok: true, paid } : again
}

/**
 * Returns whether the checkout is still due at this price; another order, the desk or autopay may have paid it
 * meanwhile.
 */
async function isStillDue(services: Services, checkout: Checkout, amount: Cents): Promise<boolean> {
  const { onItsWay } = await checkoutStatus(services, checkout)
  const consent = onItsWay ? null : await consentToCheckout(services, checkout, 'ACH')
  return consent?.ok === true && consent.price.total === amount
}

async function authorised(
  services: Services,
  order: Order,
  consent: string | null,
  by: DebitAuthorizer,
): Promise<Order> {
  const facts = (await facilityFacts(services, [order.locationCode])).get(order.locationCode)
  if (!facts) throw new Error(`There is no facility ${order.locationCode}`)
  return {
    ...order,
    authorisation: {
      text: await debitAuthorisation(services, facts, { amount: order.amount, consent }),
      at: services.clock.now(),
      address: by.address,
      agent: by.agent.slice(0, 300),
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
  ways: BankCallOptions,
  isStillDue: () => Promise<boolean> = async () => true,
): Promise<BankPaymentResult> {
  const opened = await openOrder(services, {
    ...order,
    method: 'ACH',
    bank: { account, label: bankLabel(account) },
  })
  if ('taking' in opened) return overtaken
  const { row } = opened
  const orderId = row.order_id
  // A parallel request got here first.
  if (row.state !== 'created' && row.state !== 'presented')
    return bankPaid(services, row, await settlePayment(services, orderId))
  const ended = await endWithoutDebit(services, row, order, account, ways)
  if (ended) return ended
  const begun = await markPresented(services, orderId, order)
  if (begun === 'taking') {
    await gaveUp(services, row)
    return overtaken
  }
  const open = begun ?? (await loadPayment(services, orderId))
  // Another tab has agreed to other terms meanwhile, or has paid this order.
  if (open?.state !== 'presented') return bankPaid(services, row, await settlePayment(services, orderId))
  if (!(await isStillDue())) {
    await gaveUp(services, open)
    return overtaken
  }
  let debit: DebitResult
  try {
    debit = await callWithRetries(ways, () =>
      services.bank.debit({ orderId, account, amount: row.amount, descriptor: descriptorOf(order) }),
    )
  } catch (error) {
    if (!(error instanceof BankUnavailable)) throw error
    services.errors.report(error, { order: orderId, step: 'debit' })
    const settled = await settlePayment(services, orderId)
    // The bank responded that it does not know the order, so it will not take the debit later.
    if (settled.state === 'checking' && !settled.unreachable && error.reason !== 'timeout')
      return gaveUp(services, open)
    return bankPaid(services, row, settled)
  }
  return bankPaid(services, row, await recordResult(services, open, toOrderResult(debit)))
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
  ways: BankCallOptions,
): Promise<BankPaymentResult | null> {
  try {
    if (!(await canBeDebited(services, account, order.authorisation?.address ?? '', ways)))
      return bankPaid(services, row, await recordResult(services, row, refused(row.order_id)))
    // Nothing is due today; the account is only saved.
    if (row.amount === 0) return bankPaid(services, row, await recordResult(services, row, nothingTaken(row.order_id)))
    return null
  } catch (error) {
    if (!(error instanceof BankUnavailable)) throw error
    return gaveUp(services, row, error)
  }
}

const descriptorOf = (order: Order): string =>
  order.leaseNumber === null ? 'Storage rent' : `Lease ${order.leaseNumber}`

/**
 * Cancels an order that the bank has not taken. `reconcilePayments` queries it once more and posts or refunds what it
 * finds.
 */
async function gaveUp(services: Services, payment: Payment, error?: Error): Promise<BankPaymentResult> {
  if (error) services.errors.report(error, { order: payment.order_id, step: 'bank account' })
  await changePaymentState(services.db.write, services, payment.order_id, 'cancelled', {
    updated_at: payment.created_at,
  })
  return failed(services, payment.order_id, false)
}

/**
 * Returns the failure of a debit that was not made. The order is read again, since another process may have moved it.
 */
async function failed(services: Services, orderId: string, retriesUsedUp: boolean): Promise<BankPaymentResult> {
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

async function bankPaid(
  services: Services,
  { order_id: orderId }: Payment,
  settled: SettleResult,
): Promise<BankPaymentResult> {
  switch (settled.state) {
    case 'posted':
      return { state: 'posted', orderId, leaseNumber: settled.leaseNumber }
    case 'declined':
      return failed(services, orderId, settled.retriesUsedUp)
    case 'checking':
    case 'review':
    case 'refund':
      return { state: settled.state, orderId }
    default: {
      // Closed by another tab, which shows its own outcome.
      const payment = await loadPayment(services, orderId)
      return payment?.state === 'captured' ? { state: 'checking', orderId } : overtaken
    }
  }
}

const result = (orderId: string, of: Pick<DebitResult, 'state' | 'code' | 'description'>): OrderResult =>
  toOrderResult({ orderId, amount: 0, traceNumber: '', ...of })

const refused = (orderId: string) =>
  result(orderId, { state: 'REFUSED', code: 'account', description: 'The account was refused when it was checked' })

const nothingTaken = (orderId: string) =>
  result(orderId, { state: 'ACCEPTED', code: '', description: 'Nothing is due' })
