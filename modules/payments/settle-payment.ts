import type { Kysely } from 'kysely'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { BankUnavailable, type DebitResult } from '../../ports/bank/bank.ts'
import type { BusinessEvents } from '../../ports/business-event-counter.ts'
import { CardProviderUnavailable, type OrderResult } from '../../ports/card-provider/card-provider.ts'
import { loadFacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { recordRefusals } from '../leases/autopay-mandate.ts'
import { lockLeaseRow } from '../leases/lock-lease-row.ts'
import { loadLedgerTotals } from '../ledger/lease-ledger-totals.ts'
import { proveRenter } from '../reservations/limit-and-extend-unproven-holds.ts'
import { enqueueOrderMail, enqueueReceipt } from './internal/order-mails.ts'
import { payers } from './internal/payers/every-payer.ts'
import { countFailedAttempts, declineTexts, loadRefusedAttempts, storedOutcome } from './order-outcome-and-attempts.ts'
import {
  capturedCents,
  closedStates,
  type ExtraWrites,
  leasePayers,
  loadPayment,
  type Payment,
  type PaymentDetails,
  PostingRejected,
  paymentAliasContext,
  type SettleResult,
} from './payment.ts'
import {
  changePaymentState,
  loadUnsettledOrderIds,
  lockPayable,
  type PaymentSubject,
  paymentSubjectOf,
} from './payment-orders.ts'
import { insertRefundTask } from './refund-unposted-payments.ts'
import { cardAddress } from './rules/card-brand-and-expiry.ts'
import { retriesUsedUp } from './rules/retry-notice-after-declines.ts'

async function queryProvider(services: Services, payment: Payment): Promise<OrderResult> {
  if (payment.method === 'CC') return services.cardProvider.queryPayment(payment.order_id)
  return toOrderResult(await services.bank.queryDebit(payment.order_id))
}

/**
 * Converts a bank debit to an order result. A returned debit was accepted first;
 * modules/refunds/reverse-payments-returned-by-bank.ts handles the return.
 */
export function toOrderResult(debit: DebitResult): OrderResult {
  const state = ({ ACCEPTED: 'APPROVED', RETURNED: 'APPROVED', REFUSED: 'DECLINED', UNKNOWN: 'PENDING' } as const)[
    debit.state
  ]
  return {
    state,
    orderId: debit.orderId,
    responseCode: state === 'APPROVED' ? '000' : debit.code,
    responseDescription: debit.description,
    transactionId: debit.traceNumber,
    approvedAmount: debit.amount,
    alias: '',
    cardBrand: '',
    maskedCardNumber: '',
    expMonth: '',
    expYear: '',
    customerName: '',
    address: '',
    postalCode: '',
    receiptId: '',
  }
}

/**
 * Settles a payment: queries the provider if needed, then moves the payment by the response, posting or refunding what
 * was captured. Idempotent, also in parallel.
 * @param loaded the payment's row, if the caller has just read it
 */
export async function settlePayment(services: Services, orderId: string, loaded?: Payment): Promise<SettleResult> {
  const payment = loaded ?? (await loadPayment(services, orderId))
  if (!payment) return { state: 'unknown' }
  const outcome = storedOutcome(
    payment,
    payment.state === 'declined' ? await countFailedAttempts(services, payment) : 0,
  )
  if (outcome) return outcome
  if (payment.state === 'captured') return postCaptured(services, payment)

  let result: OrderResult
  try {
    result = await queryProvider(services, payment)
  } catch (error) {
    if (!(error instanceof CardProviderUnavailable || error instanceof BankUnavailable)) throw error
    // An unknown outcome is not a failure: no second charge is offered.
    return { state: 'checking', unreachable: true }
  }
  return recordResult(services, payment, result)
}

/**
 * Settles the open and captured orders of a draft, link or leases before another order is opened or the lease is signed,
 * since one of them may have been paid although its browser did not return.
 */
export const settleOrdersOf = async (services: Services, subject: PaymentSubject) =>
  settleOrders(services, await loadUnsettledOrderIds(services, subject))

/**
 * Settles orders known to be open or captured, concurrently, since a lease may have many orders of guest payers.
 * @returns in `posted` the id of the first order that is posted now; `unreachable` if a provider did not respond
 */
export async function settleOrders(
  services: Services,
  orderIds: readonly string[],
): Promise<{ posted: string | null; unreachable: boolean }> {
  const settled = await Promise.all(orderIds.map((orderId) => settlePayment(services, orderId)))
  return {
    posted: orderIds.find((_, index) => settled[index]?.state === 'posted') ?? null,
    unreachable: settled.some((result) => result.state === 'checking' && result.unreachable),
  }
}

/** Records the provider's result for an order, and posts what was captured. */
export async function recordResult(services: Services, payment: Payment, result: OrderResult): Promise<SettleResult> {
  const settled = await applyResult(services, payment, result)
  if (settled) return settled
  // Another process changed the order meanwhile; its state is the outcome.
  const fresh = await loadPayment(services, payment.order_id)
  if (!fresh) return { state: 'unknown' }
  if (fresh.state === 'captured') return postCaptured(services, fresh)
  if (result.state === 'CANCELLED' && isClosed(fresh)) return { state: 'cancelled' }
  return storedOutcome(fresh, await countFailedAttempts(services, fresh)) ?? { state: 'checking' }
}

/**
 * Moves an order according to the provider's result.
 * @returns null where another process has moved the order meanwhile
 */
async function applyResult(services: Services, payment: Payment, result: OrderResult): Promise<SettleResult | null> {
  const orderId = payment.order_id
  switch (result.state) {
    case 'APPROVED': {
      const details = toPaymentDetails(services, payment, result)
      const differs = result.orderId !== orderId || result.approvedAmount !== payment.amount
      return (differs ? captureForReview : captureAndPost)(services, payment, details)
    }
    case 'DECLINED': {
      const moved = await decline(services, payment, {
        response_code: result.responseCode,
        response_text: result.responseDescription.slice(0, 500),
      })
      if (!moved) return null
      countOutcome(services, moved, 'declined')
      return {
        state: 'declined',
        ...declineTexts(moved, result.responseCode, result.responseDescription),
        retriesUsedUp: retriesUsedUp(await countFailedAttempts(services, moved)),
      }
    }
    case 'CANCELLED':
      if (isClosed(payment)) return { state: 'cancelled' }
      return (await changePaymentState(services.db.write, services, orderId, 'cancelled'))
        ? { state: 'cancelled' }
        : null
    case 'PENDING':
      // An order that we closed is shown as cancelled, not as being checked.
      return { state: isClosed(payment) ? 'cancelled' : 'checking' }
  }
}

const isClosed = ({ state }: Payment): boolean => closedStates.includes(state)

/**
 * Marks the renter of a move-in as proven (modules/reservations/limit-and-extend-unproven-holds.ts), because money was captured or
 * the attempts are used up.
 */
async function proveRenterByPayment(
  tx: Kysely<Tables>,
  services: Services,
  { draft_id: draftId }: Payment,
): Promise<void> {
  if (draftId !== null) await proveRenter(tx, services, { draftId })
}

/** Declines an order. For autopay, also counts the refusal on the lease in the same transaction. */
async function decline(services: Services, payment: Payment, details: PaymentDetails): Promise<Payment | null> {
  const { order_id, location_code, lease_number, autopay_period } = payment
  if (lease_number === null || autopay_period === null)
    return services.db.transaction(async (tx) => {
      const moved = await changePaymentState(tx, services, order_id, 'declined', details)
      // The retry notice promises that the unit is held for 24 hours (spec 1 §8).
      if (moved && retriesUsedUp(await countFailedAttempts({ db: { read: tx } }, moved)))
        await proveRenterByPayment(tx, services, moved)
      return moved
    })
  return services.db.transaction(async (tx) => {
    const key = { location_code, lease_number }
    await lockLeaseRow(tx, key)
    const moved = await changePaymentState(tx, services, order_id, 'declined', details)
    if (moved)
      await recordRefusals(tx, key, autopay_period, (await loadRefusedAttempts(tx, key, autopay_period)).length)
    return moved
  })
}

function toPaymentDetails(services: Services, payment: Payment, result: OrderResult): PaymentDetails {
  return {
    transaction_id: result.transactionId,
    response_code: result.responseCode,
    response_text: result.responseDescription.slice(0, 500),
    approved_amount: result.approvedAmount,
    card_brand: result.cardBrand,
    masked_card: result.maskedCardNumber,
    exp_month: result.expMonth,
    exp_year: result.expYear,
    card_name: result.customerName.slice(0, 100),
    card_address: cardAddress(result.address),
    card_zip: result.postalCode.slice(0, 10),
    alias_sealed: result.alias ? services.sealer.seal(result.alias, paymentAliasContext(payment.order_id)) : null,
    receipt_id: result.receiptId,
    captured_at: services.clock.now(),
  }
}

/**
 * Records a captured payment whose order id or amount differs from the requested one, for manual review, and enqueues a
 * mail about it to the payer.
 * @returns null when another process has already changed the order's state
 */
async function captureForReview(
  services: Services,
  { order_id: orderId }: Payment,
  details: PaymentDetails,
): Promise<SettleResult | null> {
  const now = services.clock.now()
  const reviewed = await services.db.transaction(async (tx) => {
    const captured = await changePaymentState(tx, services, orderId, 'review', {
      ...details,
      trouble: 'amount_differs',
    })
    if (captured) await proveRenterByPayment(tx, services, captured)
    if (captured) await enqueueOrderMail(tx, 'payment_review', orderId, now)
    return captured
  })
  if (!reviewed) return null
  countOutcome(services, reviewed, 'review')
  return { state: 'review' }
}

/**
 * Records a capture and posts it in one transaction. If posting fails, records only the capture; a payment that can
 * never be posted is then refunded.
 * @returns null where another process moved the order
 */
async function captureAndPost(
  services: Services,
  payment: Payment,
  details: PaymentDetails,
): Promise<SettleResult | null> {
  try {
    return await postInTransaction(services, payment, details)
  } catch (error) {
    const captured = await services.db.transaction(async (tx) => {
      const captured = await changePaymentState(tx, services, payment.order_id, 'captured', details)
      if (captured) await proveRenterByPayment(tx, services, captured)
      return captured
    })
    if (!(error instanceof PostingRejected)) throw error
    if (!captured) return null
    await insertRefundTask(services, captured, error.why)
    countOutcome(services, captured, 'refund')
    return { state: 'refund' }
  }
}

/** Posts a captured payment once, or refunds it if it cannot be posted. */
export async function postCaptured(
  services: Services,
  payment: Payment,
  extraWrites?: ExtraWrites,
): Promise<SettleResult> {
  try {
    const posted = await postInTransaction(services, payment, undefined, extraWrites)
    if (posted) return posted
  } catch (error) {
    if (!(error instanceof PostingRejected)) throw error
    await insertRefundTask(services, payment, error.why, extraWrites)
    countOutcome(services, payment, 'refund')
    return { state: 'refund' }
  }
  const fresh = await loadPayment(services, payment.order_id)
  return (fresh && storedOutcome(fresh, 0)) ?? { state: 'checking' }
}

/**
 * Posts a payment in one transaction.
 * @param details the provider's details, recorded with the posting
 * @param extraWrites further writes in the same transaction
 * @returns null where another process has moved the payment
 * @throws PostingRejected
 */
async function postInTransaction(
  services: Services,
  payment: Payment,
  details?: PaymentDetails,
  extraWrites?: ExtraWrites,
): Promise<SettleResult | null> {
  const now = services.clock.now()
  const facts = (await loadFacilityFacts(services, [payment.location_code])).get(payment.location_code) ?? null
  const posted = await services.db.transaction(async (tx) => {
    const locked = isOfLease(payment) ? await lockWithTotals(tx, payment) : null
    const subject = locked ? null : paymentSubjectOf(services, payment)
    if (subject) await lockPayable(tx, payment.payer, subject)
    const postedDetails = { ...details, posted_at: now }
    const moved = await changePaymentState(
      tx,
      services,
      payment.order_id,
      'posted',
      postedDetails,
      details ? 'captured' : 'posted',
    )
    if (!moved) return null
    const { leaseNumber } = await payers[payment.payer].post(tx, services, moved, facts, locked)
    await recordLease(tx, moved, leaseNumber)
    await enqueueReceipt(tx, moved, now)
    await extraWrites?.(tx)
    return { ...moved, lease_number: leaseNumber }
  })
  if (!posted) return null
  countOutcome(services, posted, 'posted')
  return { state: 'posted', leaseNumber: posted.lease_number, payment: posted }
}

/** Stores on a payment the number of the lease that its posting created. */
async function recordLease(tx: Kysely<Tables>, payment: Payment, lease_number: number | null): Promise<void> {
  if (lease_number === payment.lease_number) return
  await tx.updateTable('payments').set({ lease_number }).where('order_id', '=', payment.order_id).execute()
}

function countOutcome(services: Services, payment: Payment, outcome: BusinessEvents['payment']['outcome']): void {
  const { order_id: order, method, payer } = payment
  services.businessEvents?.count('payment', { order, method, payer, outcome, cents: capturedCents(payment) })
}

/**
 * Returns whether an order is for one existing lease, which is locked first. A move-in has no lease yet, and for an
 * order of a link the link is locked before the lease.
 */
const isOfLease = (payment: Payment): payment is Payment & { lease_number: number } =>
  leasePayers.includes(payment.payer) && payment.lease_number !== null

async function lockWithTotals(tx: Kysely<Tables>, key: { location_code: string; lease_number: number }) {
  const lease = await lockLeaseRow(tx, key)
  return lease ? { lease, totals: await loadLedgerTotals(tx, key) } : null
}
