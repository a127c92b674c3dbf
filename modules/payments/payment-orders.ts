/** Opens, selects and locks payment orders, and changes their state by guarded statements, so that a change happens once. */

import type { Insertable, Kysely, SelectQueryBuilder } from 'kysely'
import { MINUTE } from '../../domain/durations.ts'
import type { Cents } from '../../domain/money.ts'
import type { PayerKind } from '../../domain/payer-kinds.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { PaymentsTable, QuotesTable, Tables } from '../../platform/schema/tables.ts'
import type { BankAccount } from '../../ports/bank/bank.ts'
import { lockLeaseRow } from '../leases/lock-lease-row.ts'
import { lockLink } from '../links/auction-and-settlement-link-records.ts'
import { QUOTE_MS } from '../pricing/rules/quote-duration.ts'
import { insertQuote } from '../pricing/stored-quotes.ts'
import { lockDraft } from '../reservations/draft.ts'
import { extendHoldForPayment } from '../reservations/limit-and-extend-unproven-holds.ts'
import { isSameAccount, isSamePlan } from './internal/same-bank-account-or-payment-plan.ts'
import { encryptPlan } from './order-terms-encryption.ts'
import {
  type Authorisation,
  capturedStates,
  chargedStates,
  closedStates,
  leasePayers,
  newOrderId,
  openStates,
  type Payment,
  type PaymentDetails,
  paymentBankContext,
} from './payment.ts'
import {
  agreedPartsOf,
  insertShares,
  isMultiUnitPayment,
  ordersOfLeases,
  paidLeaseNumbersOf,
} from './payment-shares-by-lease.ts'
import { CHARGING_MS } from './rules/card-possibly-charging.ts'
import { type PaymentState, statesBefore } from './rules/payment-states.ts'

/**
 * Moves a payment to another state by a guarded update.
 * @param intermediate state that the payment passes through, such as 'captured' before 'posted'; the guard then checks
 *   that the payment may move to this state
 * @returns the payment; null if its state does not allow the move
 */
export async function changePaymentState(
  db: Kysely<Tables>,
  services: Services,
  orderId: string,
  to: PaymentState,
  set: PaymentDetails = {},
  intermediate: PaymentState = to,
): Promise<Payment | null> {
  const now = services.clock.now()
  const row = await db
    .updateTable('payments')
    .set({ updated_at: now, ...(closedStates.includes(to) && { closed_at: now }), ...set, state: to })
    .where('order_id', '=', orderId)
    .where('state', 'in', statesBefore(intermediate))
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Subject of an order: a draft, leases or a link. It is locked while an order for it is opened or posted. */
export type PaymentSubject =
  | { draftId: string }
  | { locationCode: string; leaseNumbers: readonly number[] }
  | { linkUuid: string }

/**
 * Selects the payment orders of a rental draft, of a payment link, or of leases. The orders of a lease are its tenant's
 * (also payments for several units), its guest payers' and autopay's.
 */
export const ordersQuery = (
  db: Kysely<Tables>,
  subject: PaymentSubject,
): SelectQueryBuilder<Tables, 'payments', object> =>
  'draftId' in subject
    ? db.selectFrom('payments').where('draft_id', '=', subject.draftId)
    : 'linkUuid' in subject
      ? db.selectFrom('payments').where('link_uuid', '=', subject.linkUuid)
      : ordersOfLeases(db, subject.locationCode, subject.leaseNumbers).where('payer', 'in', leasePayers)

/**
 * Locks the draft, link or leases that an order pays for. Lock order of all money transactions: draft, link, or leases
 * by number; order; lease; ledger.
 * @param touchedAt time to store as the draft's last use, in epoch milliseconds; unchanged if omitted
 */
export async function lockPayable(
  tx: Kysely<Tables>,
  payer: PayerKind,
  subject: PaymentSubject,
  touchedAt?: number,
): Promise<void> {
  if ('draftId' in subject) await lockDraft(tx, subject.draftId, touchedAt)
  else if ('linkUuid' in subject) await lockLink(tx, payer === 'auction' ? 'auction' : 'settlement', subject.linkUuid)
  else
    for (const lease_number of subject.leaseNumbers.toSorted((a, b) => a - b))
      await lockLeaseRow(tx, { location_code: subject.locationCode, lease_number })
}

/** Returns the draft, link or leases that an order pays for; null for a lost charge without a known lease. */
export function paymentSubjectOf(services: Services, payment: Payment): PaymentSubject | null {
  const { draft_id, link_uuid, location_code: locationCode } = payment
  if (draft_id !== null) return { draftId: draft_id }
  if (link_uuid !== null) return { linkUuid: link_uuid }
  const leaseNumbers = paidLeaseNumbersOf(services, payment)
  return leaseNumbers.length > 0 ? { locationCode, leaseNumbers } : null
}

/**
 * Locks the draft, link or leases that an order pays for, so that the second of two tabs sees the order of the first.
 * @returns open orders for the same draft, link or leases, newest first
 */
export async function lockWithOpenOrders(
  tx: Kysely<Tables>,
  { payer, subject }: Order,
  now: number,
): Promise<Payment[]> {
  await lockPayable(tx, payer, subject, now)
  return ordersQuery(tx, subject)
    .selectAll('payments')
    .where('state', 'in', openStates)
    .orderBy('created_at', 'desc')
    .execute()
}

/** Returns the ids of open and captured orders for a draft, link or leases. */
export async function loadUnsettledOrderIds(services: Services, subject: PaymentSubject): Promise<string[]> {
  const rows = await ordersQuery(services.db.read, subject)
    .select('order_id')
    .where('state', 'in', [...openStates, 'captured'])
    .execute()
  return rows.map((row) => row.order_id)
}

/** Returns an order for a draft, link or leases that is captured or in review, if there is one. */
export async function findPendingOrder(services: Services, subject: PaymentSubject): Promise<Payment | undefined> {
  return ordersQuery(services.db.read, subject)
    .selectAll('payments')
    .where('state', 'in', capturedStates)
    .limit(1)
    .executeTakeFirst()
}

/** Returns whether an order was opened by this kind of payer and, for a guest payer, by the same sign-in. */
export const isOwnOrder = (
  order: Pick<Payment, 'payer' | 'opened_by'>,
  { payer, guest }: { payer: PayerKind; guest?: string | undefined },
): boolean => order.payer === payer && (payer !== 'guest' || order.opened_by === (guest ?? null))

export interface Order {
  payer: PayerKind
  /** Sign-in of a guest payer (`GuestCaller.signIn`); undefined for others. */
  guest?: string | undefined
  locationCode: string
  subject: PaymentSubject
  /** Session that found the rental by name and opens this order; null or omitted otherwise. */
  resumedId?: string | null
  tenantId: number | null
  leaseNumber: number | null
  /** Amount in cents; 0 only saves the card or account. */
  amount: number
  autopay: boolean
  quoteId: string | null
  /** Quote to insert with the order, if it is not stored yet. */
  quote?: QuotesTable
  plan: string
  method?: 'CC' | 'ACH'
  /** Consent to autopay or to a bank debit that the payer gave with this order. */
  authorisation?: Authorisation | null
  bank?: { account: BankAccount; label: string }
}

/** Maximum age of an open order that is continued, in milliseconds. The provider closes a card page after an hour. */
const PAGE_MS = 50 * MINUTE

/**
 * Returns whether an open order of autopay, or of a bank debit, may be charging now, even if the provider does not know
 * it yet. For orders with a card page see `isPayerAtCardForm`.
 */
export const isChargeInProgress = (
  payment: Pick<Payment, 'payer' | 'method' | 'state' | 'updated_at'>,
  now: number,
): boolean =>
  payment.updated_at > now - CHARGING_MS &&
  (payment.payer === 'autopay' || (payment.method === 'ACH' && payment.state === 'presented'))

/** Time in milliseconds for which a tenant's open order delays guest payers. */
const TENANT_FIRST_MS = 10 * MINUTE

/**
 * Returns whether a payer may continue or close an open order: a guest payer, and a session that found its rental by
 * name, only their own orders; any other payer also orders of other browsers, except of guests and such sessions.
 */
const mayContinue = (openOrder: Payment, order: Order): boolean =>
  order.payer === 'guest'
    ? isOwnOrder(openOrder, order)
    : openOrder.payer !== 'guest' && openOrder.opened_by === openedBy(order)

/** Returns whether a guest's order must wait for the tenant's open one. A guest's open card page delays no payer. */
const mustWaitForTenant = (openOrder: Payment, order: Order, now: number): boolean =>
  order.payer === 'guest' && openOrder.payer !== 'guest' && openOrder.created_at > now - TENANT_FIRST_MS

/**
 * Returns the guest payer's sign-in, or the session that found its rental by name, that opened an order; null for any
 * other payer. Of guests and such sessions, only this one may see the order.
 */
const openedBy = (order: Order): string | null => order.guest ?? order.resumedId ?? null

/** Returns whether an open order is for the same agreement as `order` and recent enough to be continued. */
const isSameAgreement = (services: Services, open: Payment, order: Order, now: number): boolean =>
  open.payer === order.payer &&
  open.method === (order.method ?? 'CC') &&
  open.amount === order.amount &&
  open.created_at > now - PAGE_MS &&
  open.autopay === (order.autopay ? 1 : 0) &&
  open.opened_by === openedBy(order) &&
  isSamePlan(services, open, order.plan) &&
  isSameAccount(services, open, order.bank?.account)

/**
 * Opens a payment order, or returns the payer's open order with the same agreed terms, or the order of a bank debit
 * that has just paid the same. The payer's other open orders are cancelled if an order is opened or continued.
 * @returns the order's row; in `orderInProgress` an order that must be settled first, because it may be being charged
 *   or the tenant has precedence over a guest
 */
export async function openOrder(
  services: Services,
  order: Order,
): Promise<{ row: Payment } | { orderInProgress: Payment }> {
  const now = services.clock.now()
  return services.db.transaction(async (tx) => {
    const openOrders = await lockWithOpenOrders(tx, order, now)
    const ownOrders = openOrders.filter((row) => mayContinue(row, order))
    const sameOrder = ownOrders.find((row) => isSameAgreement(services, row, order, now))
    const justPaid = !sameOrder && order.method === 'ACH' ? await findJustPaid(tx, services, order, now) : undefined
    if (justPaid) return { row: justPaid }
    const orderInProgress = openOrders.find(
      (row) =>
        row !== sameOrder && (isChargeInProgress(row, now) || (!sameOrder && mustWaitForTenant(row, order, now))),
    )
    if (orderInProgress) return { orderInProgress }
    for (const replaced of ownOrders.filter((row) => row !== sameOrder))
      await changePaymentState(tx, services, replaced.order_id, 'cancelled', dueForQueryColumns(replaced))
    if (order.quote) await insertQuote(tx, order.quote)
    if ('draftId' in order.subject) await extendHoldForPayment(tx, services, order.subject)
    if (sameOrder) return { row: await reassignOrder(tx, sameOrder, order) }
    return { row: await insertOrder(tx, services, order) }
  })
}

async function insertOrder(tx: Kysely<Tables>, services: Services, order: Order): Promise<Payment> {
  const { payer, locationCode, leaseNumber } = order
  const leaseInId = leaseNumber !== null && leasePayers.includes(payer) ? { locationCode, leaseNumber } : undefined
  const values = newPayment(services, newOrderId(services, leaseInId), order)
  const row = await tx.insertInto('payments').values(values).returningAll().executeTakeFirstOrThrow()
  if (isMultiUnitPayment(row)) await insertShares(tx, row, agreedPartsOf(services, row))
  return row
}

/** Builds the row of a new order in state `created`, with its plan and bank account encrypted. */
export function newPayment(services: Services, orderId: string, order: Order): Insertable<PaymentsTable> {
  const { subject, bank } = order
  const now = services.clock.now()
  return {
    order_id: orderId,
    location_code: order.locationCode,
    payer: order.payer,
    draft_id: 'draftId' in subject ? subject.draftId : null,
    link_uuid: 'linkUuid' in subject ? subject.linkUuid : null,
    tenant_id: order.tenantId,
    lease_number: order.leaseNumber,
    state: 'created',
    amount: order.amount,
    quote_id: order.quoteId,
    plan: encryptPlan(services, orderId, order.plan),
    autopay: order.autopay ? 1 : 0,
    method: order.method ?? 'CC',
    authorisation: order.authorisation ? JSON.stringify(order.authorisation) : null,
    bank_sealed: bank ? services.sealer.seal(JSON.stringify(bank.account), paymentBankContext(orderId)) : null,
    bank_label: bank?.label ?? null,
    created_at: now,
    updated_at: now,
    opened_by: openedBy(order),
  }
}

/**
 * Links an open order to the quote of the payer's newest checkout of the same agreement, so that the page of that
 * checkout shows the order's outcome. Returns the order unchanged when it is no longer open.
 */
async function reassignOrder(tx: Kysely<Tables>, open: Payment, order: Order): Promise<Payment> {
  if (open.quote_id === order.quoteId) return open
  const authorisation = order.authorisation ? JSON.stringify(order.authorisation) : open.authorisation
  const reassigned = await tx
    .updateTable('payments')
    .set({ quote_id: order.quoteId, authorisation })
    .where('order_id', '=', open.order_id)
    .where('state', 'in', openStates)
    .returningAll()
    .executeTakeFirst()
  return reassigned ?? open
}

/**
 * Returns an order that has just debited the bank for the same plan and amount, such as one of a parallel request,
 * since another debit would pay twice.
 */
async function findJustPaid(
  tx: Kysely<Tables>,
  services: Services,
  order: Order,
  now: number,
): Promise<Payment | undefined> {
  const recent = await ordersQuery(tx, order.subject)
    .selectAll('payments')
    .where('method', '=', 'ACH')
    .where('state', 'in', chargedStates)
    .where('captured_at', '>', now - QUOTE_MS)
    .execute()
  const mayBeOwn = (payment: Payment) =>
    order.payer === 'guest' ? isOwnOrder(payment, order) : payment.payer !== 'guest'
  // Payments for other periods or rentals have other plans.
  return recent.find((row) => mayBeOwn(row) && row.amount === order.amount && isSamePlan(services, row, order.plan))
}

/**
 * Returns columns that make a closed order due for a query two hours after its creation, at once if it is older, since
 * its card page may still be paid, or its debit have been made.
 */
export const dueForQueryColumns = (payment: Pick<Payment, 'created_at'>) => ({ updated_at: payment.created_at })

/**
 * Raises the refunded amount of a posted payment, in cents, up to the captured amount.
 * @returns false if less is left, or the payment is not posted or was returned by the bank
 */
export async function raiseRefunded(tx: Kysely<Tables>, orderId: string, cents: Cents): Promise<boolean> {
  const updated = await tx
    .updateTable('payments')
    .set((eb) => ({ refunded_cents: eb('refunded_cents', '+', cents) }))
    .where('order_id', '=', orderId)
    .where('state', '=', 'posted')
    .where('returned_at', 'is', null)
    .where((eb) => eb(eb('refunded_cents', '+', cents), '<=', eb.fn.coalesce('approved_amount', 'amount')))
    .returning('order_id')
    .executeTakeFirst()
  return updated !== undefined
}

/** Records that the bank returned a debit, and why; only the first time. */
export async function markReturned(
  tx: Kysely<Tables>,
  { orderId, code }: { orderId: string; code: string },
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ return_code: code, returned_at: now })
    .where('order_id', '=', orderId)
    .where('method', '=', 'ACH')
    .where('returned_at', 'is', null)
    .execute()
}
