/**
 * The one payment state machine, keyed by our own order id. Each move is one guarded statement: whoever comes first (the
 * return page, a retry, the completer) makes it, the others find it made. What a browser brings back is never believed;
 * the provider is asked by order id. No network call happens inside a transaction.
 *
 * What differs between payers (who, what is posted, what follows) is a `Payer`; the moves do not.
 */
import type { ExpressionBuilder, Kysely, Selectable } from 'kysely'
import { engineOf } from '../database/open.ts'
import {
  cardAddress,
  cardLabel,
  failureReason,
  failureText,
  type PaymentState,
  REFUND_TRIES,
  retriesUsedUp,
  statesBefore,
} from '../domain/payment.ts'
import { achFailed } from '../domain/texts/payment.ts'
import { enqueue } from '../platform/jobs/queue.ts'
import type { PayerKind } from '../platform/schema/columns.ts'
import type { PaymentsTable, QuotesTable, Tables } from '../platform/schema/tables.ts'
import { type BankAccount, BankUnavailable, type DebitResult } from '../ports/bank/bank.ts'
import { CardProviderUnavailable, type OrderResult } from '../ports/card-provider/card-provider.ts'
import type { House } from '../storage-system/operation.ts'
import { type Books, booksOf, type LockedLease, lockLease } from '../storage-system/postings.ts'
import { type FacilityFacts, facilityFacts, QUOTE_MS } from '../storage-system/pricing.ts'
import type { Checkout } from './checkout.ts'

export type Payment = Selectable<PaymentsTable>

/** What a kind of payer adds to the one machine. */
export interface Payer {
  kind: PayerKind
  /**
   * Puts captured money where it belongs, in the transaction that marks it posted.
   * @param facts of the payment's facility, since nothing but `tx` may be asked in there; null where it is gone
   * @param held the lease that is paid for, locked in this transaction, where the order was made for one
   * @returns the lease it was posted to
   * @throws CannotPost where that can never work: the money goes back
   */
  post(
    tx: Kysely<Tables>,
    house: House,
    payment: Payment,
    facts: FacilityFacts | null,
    held: HeldLease | null,
  ): Promise<{ leaseNumber: number | null }>
}

export interface HeldLease {
  lease: LockedLease
  books: Books
}

/** Captured money that cannot be used: it must go back. */
export class CannotPost extends Error {
  readonly why: string
  constructor(why: string) {
    super(why)
    this.name = 'CannotPost'
    this.why = why
  }
}

/** Points at which a test ends the process. */
export type CrashPoint = 'order written' | 'page opened' | 'provider asked' | 'captured' | 'posted'
export type Crash = (point: CrashPoint) => void
const noCrash: Crash = () => {}

export type Settled =
  | { state: 'posted'; leaseNumber: number | null; payment: Payment }
  /** Not known yet: asked again by order id, safe to close. `unreachable`: the provider could not even be asked. */
  | { state: 'checking'; unreachable?: true }
  /** `message` is the specified sentence; `retriesUsedUp` asks for the retry notice. */
  | { state: 'declined'; message: string; reason: string; retriesUsedUp: boolean }
  | { state: 'cancelled' }
  /** Captured, but it differs from what was agreed: a person decides. */
  | { state: 'review' }
  /** Captured, cannot be used, on its way back. */
  | { state: 'refund' }
  | { state: 'unknown' }

export async function paymentOf(house: House, orderId: string): Promise<Payment | undefined> {
  if (!/^[A-Za-z0-9-]{8,64}$/.test(orderId)) return undefined
  return house.db.read.selectFrom('payments').selectAll().where('order_id', '=', orderId).executeTakeFirst()
}

/** What pays, as the ledger says it: 'VI **** 1111', 'Checking ****6789'. */
export const paidBy = (payment: Payment): string =>
  payment.method === 'ACH'
    ? (payment.bank_label ?? 'bank account')
    : cardLabel(payment.card_brand ?? '', payment.masked_card ?? '')

/** What a bank account that pays is sealed under in `bank_sealed`. */
export const paymentBankContext = (orderId: string) => `payment:${orderId}:bank`

/** What autopay may charge from now on: the card that was kept, or the bank account that paid; null where neither is. */
export function keptParty(house: Pick<House, 'sealer'>, payment: Payment): { alias: string } | BankAccount | null {
  if (payment.method === 'CC') {
    const alias = payment.alias_sealed && house.sealer.open(payment.alias_sealed, paymentAliasContext(payment.order_id))
    return alias ? { alias } : null
  }
  return payment.bank_sealed
    ? (JSON.parse(house.sealer.open(payment.bank_sealed, paymentBankContext(payment.order_id))) as BankAccount)
    : null
}

/** An order id nobody can guess, short enough for any provider. */
export const newOrderId = (house: House): string => `LK${house.random.hex(12).toUpperCase()}`

export const openStates: PaymentState[] = ['created', 'presented']

/** Nobody is paying these any more; a late approval still counts. */
const closedStates: PaymentState[] = ['cancelled', 'expired']

type Details = Partial<Omit<PaymentsTable, 'order_id' | 'state'>>

/**
 * Moves a payment on, from any state that may; null where somebody else has moved it elsewhere.
 * @param through a state that it passes on the way, in the same statement: it comes from where that may be reached
 */
export async function move(
  db: Kysely<Tables>,
  house: House,
  orderId: string,
  to: PaymentState,
  set: Details = {},
  through: PaymentState = to,
): Promise<Payment | null> {
  const now = house.clock.now()
  const row = await db
    .updateTable('payments')
    .set({ updated_at: now, ...(closedStates.includes(to) && { closed_at: now }), ...set, state: to })
    .where('order_id', '=', orderId)
    .where('state', 'in', statesBefore(through))
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

// ── To the card page ──────────────────────────────────────────────────────────────────────────────────────────────────

/** What is paid for. Of one thing, one order is open at a time. */
export type PaidFor = { draftId: string } | { locationCode: string; leaseNumber: number } | { linkUuid: string }

const leasePayers: PayerKind[] = ['tenant', 'guest', 'autopay']

/** The orders of a thing. A lease has those of its tenant, of a guest and of autopay; a link or a draft has its own. */
const ordersOf = (what: PaidFor) => (eb: ExpressionBuilder<Tables, 'payments'>) =>
  'draftId' in what
    ? eb('draft_id', '=', what.draftId)
    : 'linkUuid' in what
      ? eb('link_uuid', '=', what.linkUuid)
      : eb.and([
          eb('location_code', '=', what.locationCode),
          eb('lease_number', '=', what.leaseNumber),
          eb('payer', 'in', leasePayers),
        ])

/**
 * Locks the row that stands for what is paid for. Lock order of all transactions about money: payable (draft, link or
 * lease), order, lease, ledger. SQLite's transactions run one after the other.
 */
async function lockPayable(tx: Kysely<Tables>, payer: PayerKind, what: PaidFor): Promise<void> {
  if (engineOf(tx) === 'sqlite') return
  if ('draftId' in what)
    await tx
      .selectFrom('rental_drafts')
      .select('draft_id')
      .where('draft_id', '=', what.draftId)
      .forNoKeyUpdate()
      .execute()
  else if ('linkUuid' in what)
    await tx.selectFrom(linksOf(payer)).select('uuid').where('uuid', '=', what.linkUuid).forNoKeyUpdate().execute()
  else await lockLease(tx, { location_code: what.locationCode, lease_number: what.leaseNumber })
}

const linksOf = (payer: PayerKind) => (payer === 'auction' ? 'auction_winners' : 'settlements')

/** What an order was made for. */
const paidForBy = ({ draft_id, link_uuid, location_code, lease_number }: Payment): PaidFor | null =>
  draft_id !== null
    ? { draftId: draft_id }
    : link_uuid !== null
      ? { linkUuid: link_uuid }
      : lease_number === null
        ? null
        : { locationCode: location_code, leaseNumber: lease_number }

/**
 * Locks what an order is made for and renews its draft: of two tabs the second sees the first one's order.
 * @returns its open orders, the newest first
 */
async function lockWithOpenOrders(tx: Kysely<Tables>, { payer, what }: Order, now: number): Promise<Payment[]> {
  await lockPayable(tx, payer, what)
  if ('draftId' in what)
    await tx.updateTable('rental_drafts').set({ touched_at: now }).where('draft_id', '=', what.draftId).execute()
  return tx
    .selectFrom('payments')
    .selectAll()
    .where(ordersOf(what))
    .where('state', 'in', openStates)
    .orderBy('created_at', 'desc')
    .execute()
}

/** Orders of a thing that are open, or captured and not posted yet. */
export async function openOrdersOf(house: House, what: PaidFor): Promise<string[]> {
  const rows = await house.db.read
    .selectFrom('payments')
    .select('order_id')
    .where(ordersOf(what))
    .where('state', 'in', [...openStates, 'captured'])
    .execute()
  return rows.map((row) => row.order_id)
}

/** Money for a thing that has arrived and is not in the books yet: paying again is not offered meanwhile. */
export async function orderOnItsWay(house: House, what: PaidFor): Promise<Payment | undefined> {
  return house.db.read
    .selectFrom('payments')
    .selectAll()
    .where(ordersOf(what))
    .where('state', 'in', ['captured', 'review'])
    .limit(1)
    .executeTakeFirst()
}

/** How a checkout of a lease stands. */
export interface CheckoutStanding {
  /** The lease's orders that are open, or captured and not posted yet. */
  open: string[]
  /** The order that has paid this checkout. */
  paid: string | null
  /** Money for its lease that has arrived and is not in the books yet. */
  onItsWay: { order_id: string; own: boolean } | undefined
  /** Why its latest try failed, as the payer is told it. */
  failure: string | null
}

type CheckoutKey = Pick<Checkout, 'checkoutId' | 'payer' | 'guest' | 'locationCode' | 'leaseNumber'>

export async function standingOf(house: House, checkout: CheckoutKey): Promise<CheckoutStanding> {
  const { checkoutId, locationCode, leaseNumber } = checkout
  const rows = await house.db.read
    .selectFrom('payments')
    .select(['order_id', 'payer', 'opened_by', 'state', 'quote_id', 'response_code', 'response_text', 'method'])
    .where(ordersOf({ locationCode, leaseNumber }))
    .where((eb) => eb.or([eb('state', 'in', [...openStates, 'captured', 'review']), eb('quote_id', '=', checkoutId)]))
    .orderBy('created_at', 'desc')
    .execute()
  const tries = rows.filter((row) => row.quote_id === checkoutId)
  const [last] = tries
  const onItsWay = rows.find((row) => row.state === 'captured' || row.state === 'review')
  return {
    open: rows.filter((row) => openStates.includes(row.state) || row.state === 'captured').map((row) => row.order_id),
    paid: tries.find((row) => row.payer === checkout.payer && row.state === 'posted')?.order_id ?? null,
    onItsWay: onItsWay && { order_id: onItsWay.order_id, own: isOwn(onItsWay, checkout) },
    failure:
      last?.state === 'declined'
        ? declineTexts(last, last.response_code ?? '', last.response_text ?? '').message
        : null,
  }
}

/** Whether an order is of this payer: of guests, which are told apart by their sign-ins. */
const isOwn = (
  order: Pick<Payment, 'payer' | 'opened_by'>,
  { payer, guest }: { payer: PayerKind; guest?: string | undefined },
): boolean => order.payer === payer && (payer !== 'guest' || order.opened_by === (guest ?? null))

export interface Order {
  payer: PayerKind
  /** Of a guest: `GuestCaller.signIn`. */
  guest?: string | undefined
  locationCode: string
  what: PaidFor
  /** The session that found the rental by names and opens this order; null or left out for all others. */
  resumedId?: string | null
  tenantId: number | null
  leaseNumber: number | null
  /** Cents; 0 only stores the card. */
  amount: number
  autopay: boolean
  /** The quote or checkout that was agreed to. */
  quoteId: string | null
  /** Where that is not kept yet: is, with the order. */
  quote?: QuotesTable
  /** What was agreed, as JSON; sealed with the order. */
  plan: string
  method?: 'CC' | 'ACH'
  /** What was agreed to with it, where more than this one payment was: autopay, a debit. */
  authorisation?: Authorisation | null
  /** Bank payments: see `paymentBankContext`. */
  bank?: { account: BankAccount; label: string }
}

export interface Authorisation {
  text: string
  /** Epoch milliseconds. */
  at: number
  address: string
  agent: string
}

export interface Customer {
  name: string
  email: string
  address: string
  city: string
  state: string
  zip: string
}

/** What a payment's card alias is sealed under. */
export const paymentAliasContext = (orderId: string) => `payment:${orderId}:alias`

/** What was agreed is sealed under this. */
export const planContext = (orderId: string) => `payment:${orderId}:plan`

/** What was agreed, as the order keeps it. */
export const sealedPlan = (house: House, orderId: string, plan: string): string =>
  JSON.stringify({ sealed: house.sealer.seal(plan, planContext(orderId)) })

/** What was agreed, as it was when the order was made. */
export function planOf<Plan>(house: House, payment: Pick<Payment, 'order_id' | 'plan'>): Plan {
  const { sealed } = JSON.parse(payment.plan) as { sealed: string }
  return JSON.parse(house.sealer.open(sealed, planContext(payment.order_id))) as Plan
}

export type Presented =
  | { ok: true; orderId: string; payPageUrl: string }
  /** The provider could not be reached: nothing was charged, trying again is safe. */
  | { ok: false; why: 'unavailable' }
  /** Money for the same is being taken at this moment, or the account holder is at the card page: this order's payer goes first. */
  | { ok: false; why: 'checking'; orderId: string }

/** A card page closes after an hour; one that is about to is not handed out again. */
const PAGE_MS = 50 * 60 * 1000

/** A debit, or autopay's charge, is asked for no longer than this, all tries together; later nobody is asking any more. */
const TAKING_MS = 60 * 1000

/** Whether its money is being taken at this moment: the provider may not have heard of it yet, and will take it all the same. */
export const isBeingTaken = (
  payment: Pick<Payment, 'payer' | 'method' | 'state' | 'updated_at'>,
  now: number,
): boolean =>
  payment.updated_at > now - TAKING_MS &&
  (payment.payer === 'autopay' || (payment.method === 'ACH' && payment.state === 'presented'))

/** An account holder who has opened a card page goes before guests for so long. */
const HOLDERS_TURN_MS = 10 * 60 * 1000

/** What a payer may go on with and close: the orders of their own sign-in or session, of all others those that nobody's is on. */
const isTheirs = (one: Payment, order: Order): boolean =>
  order.payer === 'guest' ? isOwn(one, order) : one.payer !== 'guest' && one.opened_by === openedBy(order)

/** Whether a guest who begins has to wait for the account holder. A guest's open card page keeps no one waiting. */
const isHoldersTurn = (one: Payment, order: Order, now: number): boolean =>
  order.payer === 'guest' && one.payer !== 'guest' && one.created_at > now - HOLDERS_TURN_MS

/** Who may know of the order beside those with a stronger proof: see `PaymentsTable`. */
const openedBy = (order: Order): string | null => order.guest ?? order.resumedId ?? null

/**
 * The one open order that a payer has of what is paid for. The same agreement again (a double click, a second tab) is the
 * same order; another agreement closes the payer's older order first. Where another order goes first (`taking`), none is
 * made beside it.
 */
export async function openOrder(house: House, order: Order): Promise<{ row: Payment } | { taking: Payment }> {
  const orderId = newOrderId(house)
  const now = house.clock.now()
  const method = order.method ?? 'CC'
  return house.db.transaction(async (tx) => {
    const open = await lockWithOpenOrders(tx, order, now)
    const theirs = open.filter((one) => isTheirs(one, order))
    const same = theirs.find(
      (one) =>
        one.payer === order.payer &&
        one.method === method &&
        one.amount === order.amount &&
        one.created_at > now - PAGE_MS &&
        one.autopay === (order.autopay ? 1 : 0) &&
        one.opened_by === openedBy(order) &&
        samePlan(house, one, order.plan) &&
        sameAccount(house, one, order.bank?.account),
    )
    const paid = !same && method === 'ACH' ? await paidJustNow(tx, house, order, now) : undefined
    if (paid) return { row: paid }
    const taking = open.find(
      (one) => one !== same && (isBeingTaken(one, now) || (!same && isHoldersTurn(one, order, now))),
    )
    if (taking) return { taking }
    for (const one of theirs) if (one !== same) await move(tx, house, one.order_id, 'cancelled', unlooked(one))
    if (order.quote) await tx.insertInto('quotes').values(order.quote).execute()
    if (same) return { row: await handedOver(tx, same, order) }
    const made = newPayment(house, orderId, order, now)
    await tx.insertInto('payments').values(made).execute()
    return { row: made }
  })
}

const newPayment = (house: House, orderId: string, order: Order, now: number): Payment => ({
  order_id: orderId,
  location_code: order.locationCode,
  payer: order.payer,
  draft_id: 'draftId' in order.what ? order.what.draftId : null,
  link_uuid: 'linkUuid' in order.what ? order.what.linkUuid : null,
  tenant_id: order.tenantId,
  lease_number: order.leaseNumber,
  state: 'created',
  amount: order.amount,
  quote_id: order.quoteId,
  plan: sealedPlan(house, orderId, order.plan),
  autopay: order.autopay ? 1 : 0,
  method: order.method ?? 'CC',
  authorisation: order.authorisation ? JSON.stringify(order.authorisation) : null,
  bank_sealed: order.bank ? house.sealer.seal(JSON.stringify(order.bank.account), paymentBankContext(orderId)) : null,
  bank_label: order.bank?.label ?? null,
  session_token: null,
  pay_page_url: null,
  transaction_id: null,
  response_code: null,
  response_text: null,
  approved_amount: null,
  card_brand: null,
  masked_card: null,
  exp_month: null,
  exp_year: null,
  card_name: null,
  card_address: null,
  card_zip: null,
  alias_sealed: null,
  receipt_id: null,
  trouble: null,
  created_at: now,
  updated_at: now,
  captured_at: null,
  posted_at: null,
  ...{ closed_at: null, return_code: null, returned_at: null, autopay_period: null, autopay_try: null },
  opened_by: openedBy(order),
})

/**
 * An open order that the same agreement is made of anew goes with the newest one: whoever left a card page and began again
 * with another quote or checkout has pressed the button of that one, and is shown its page, its tries and its outcome.
 */
async function handedOver(tx: Kysely<Tables>, open: Payment, order: Order): Promise<Payment> {
  if (open.quote_id === order.quoteId) return open
  const authorisation = order.authorisation ? JSON.stringify(order.authorisation) : open.authorisation
  const now = await tx
    .updateTable('payments')
    .set({ quote_id: order.quoteId, authorisation })
    .where('order_id', '=', open.order_id)
    .where('state', 'in', openStates)
    .returningAll()
    .executeTakeFirst()
  return now ?? open
}

/**
 * The order by which the very same agreement has been paid, by another press of the button that was quicker. A card page that
 * opens once more takes nothing; a debit would.
 */
async function paidJustNow(tx: Kysely<Tables>, house: House, order: Order, now: number): Promise<Payment | undefined> {
  const recent = await tx
    .selectFrom('payments')
    .selectAll()
    .where(ordersOf(order.what))
    .where('method', '=', 'ACH')
    .where('state', 'in', ['captured', 'posted', 'review'])
    .where('captured_at', '>', now - QUOTE_MS)
    .execute()
  // Of another checkout or period the plan is another one.
  const mayBe = (one: Payment) => (order.payer === 'guest' ? isOwn(one, order) : one.payer !== 'guest')
  return recent.find((one) => mayBe(one) && one.amount === order.amount && samePlan(house, one, order.plan))
}

/**
 * Begins to take an order's money. Of all who pay the same one at a time.
 * @returns the order; null where it has been moved meanwhile, 'taking' where another's money is being taken at this moment
 */
export async function beginTaking(house: House, orderId: string, order: Order): Promise<Payment | null | 'taking'> {
  const now = house.clock.now()
  return house.db.transaction(async (tx) => {
    const open = await lockWithOpenOrders(tx, order, now)
    if (open.some((one) => one.order_id !== orderId && isBeingTaken(one, now))) return 'taking'
    return move(tx, house, orderId, 'presented')
  })
}

/** An order that we close is asked about once more, whenever that was: somebody may be paying it at this moment. */
const unlooked = (payment: Pick<Payment, 'created_at'>) => ({ updated_at: payment.created_at })

/** The card page for an order; that of the open order where there is one of the same agreement. */
export async function presentOrder(
  house: House,
  order: Order & { customer: Customer },
  crash: Crash = noCrash,
): Promise<Presented> {
  const opened = await openOrder(house, order)
  if ('taking' in opened) return { ok: false, why: 'checking', orderId: opened.taking.order_id }
  const { row } = opened
  crash('order written')
  if (row.state === 'presented' && row.pay_page_url)
    return { ok: true, orderId: row.order_id, payPageUrl: row.pay_page_url }
  try {
    const page = await house.cardProvider.createHostedPage({
      orderId: row.order_id,
      amount: row.amount,
      // The token is what autopay charges later; without money, keeping the card is all there is to do.
      createAlias: row.autopay === 1 || row.amount === 0,
      returnUrl: `${house.publicUrl}/card-return/${row.order_id}`,
      customer: order.customer,
    })
    crash('page opened')
    // Lost in a power cut, it is an order whose page is opened again, and asked about all the same.
    await house.db.unsynced((db) =>
      move(db, house, row.order_id, 'presented', { session_token: page.sessionToken, pay_page_url: page.payPageUrl }),
    )
    return { ok: true, orderId: row.order_id, payPageUrl: page.payPageUrl }
  } catch (error) {
    if (!(error instanceof CardProviderUnavailable)) throw error
    // Another window with the same order was quicker: its page is this one's, and one that is paid opens no second time.
    const now = await paymentOf(house, row.order_id)
    if (now?.state === 'presented' && now.pay_page_url)
      return { ok: true, orderId: now.order_id, payPageUrl: now.pay_page_url }
    if (now && ['captured', 'review', 'posted'].includes(now.state))
      return { ok: false, why: 'checking', orderId: now.order_id }
    house.errors.report(error, { order: row.order_id, step: 'card page' })
    return { ok: false, why: 'unavailable' }
  }
}

/** A bank payment that is begun again with another account is another order. */
const sameAccount = (house: House, payment: Payment, account: BankAccount | undefined): boolean =>
  payment.method === 'CC' || JSON.stringify(keptParty(house, payment)) === JSON.stringify(account)

function samePlan(house: House, payment: Payment, plan: string): boolean {
  return JSON.stringify(planOf(house, payment)) === JSON.stringify(JSON.parse(plan))
}

// ── From the card page ────────────────────────────────────────────────────────────────────────────────────────────────

/** Where a payment stands, without asking anybody; null where the provider has to be asked. */
function standing(payment: Payment, retries: number): Settled | null {
  switch (payment.state) {
    case 'posted':
    // Days later the bank took it back: what it was paid for stays, and is due again.
    case 'returned':
      return { state: 'posted', leaseNumber: payment.lease_number, payment }
    case 'declined':
      return {
        state: 'declined',
        ...declineTexts(payment, payment.response_code ?? '', payment.response_text ?? ''),
        retriesUsedUp: retriesUsedUp(retries),
      }
    case 'review':
      return { state: 'review' }
    case 'refund_due':
    case 'refunded':
      return { state: 'refund' }
    default:
      return null
  }
}

function declineTexts(payment: Pick<Payment, 'method'>, responseCode: string, responseDescription: string) {
  const answer = { responseCode, responseDescription }
  return {
    message: payment.method === 'ACH' ? achFailed : failureText(answer),
    reason: failureReason(answer),
  }
}

/** What tries are counted of: a draft, a checkout, a link. */
export type Tried = Pick<Payment, 'draft_id' | 'link_uuid' | 'quote_id'>

/**
 * How many orders of the same draft, checkout or link were refused (spec 1 §4 "Retry rule"). Counted from the orders
 * themselves, so that none is lost and none counted twice, whoever saw the refusal and whatever ended in between.
 */
export async function failedTries(house: House, of: Tried): Promise<number> {
  const row = await house.db.read
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<number>().as('tries'))
    .where('state', '=', 'declined')
    .where((eb) =>
      of.draft_id !== null
        ? eb('draft_id', '=', of.draft_id)
        : of.link_uuid !== null
          ? eb('link_uuid', '=', of.link_uuid)
          : eb.and([eb('quote_id', '=', of.quote_id), eb('payer', 'in', leasePayers)]),
    )
    .executeTakeFirst()
  return Number(row?.tries ?? 0)
}

/**
 * Why paying failed, as the payer is told it (spec 1 §8, spec 2 §8).
 * @param which 'last': only where the latest try failed; 'any': the latest failure, though another try is open by now
 */
export async function lastFailureOf(house: House, of: Tried, which: 'last' | 'any'): Promise<string | null> {
  const tries = house.db.read
    .selectFrom('payments')
    .selectAll()
    .where((eb) =>
      of.draft_id !== null
        ? eb('draft_id', '=', of.draft_id)
        : of.link_uuid !== null
          ? eb('link_uuid', '=', of.link_uuid)
          : eb.and([eb('quote_id', '=', of.quote_id), eb('payer', 'in', leasePayers)]),
    )
    .orderBy('created_at', 'desc')
    .limit(1)
  const last = await (which === 'any' ? tries.where('state', '=', 'declined') : tries).executeTakeFirst()
  if (last?.state !== 'declined') return null
  return declineTexts(last, last.response_code ?? '', last.response_text ?? '').message
}

/** The truth about an order, from whom the money comes through. @throws CardProviderUnavailable, BankUnavailable */
async function ask(house: House, payment: Payment): Promise<OrderResult> {
  if (payment.method === 'CC') return house.cardProvider.queryPayment(payment.order_id)
  return resultOfDebit(await house.bank.queryDebit(payment.order_id))
}

/** A debit in the words of the one machine; one that came back was taken first. */
export function resultOfDebit(debit: DebitResult): OrderResult {
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
    ...{ alias: '', cardBrand: '', maskedCardNumber: '', expMonth: '', expYear: '' },
    ...{ customerName: '', address: '', postalCode: '', receiptId: '' },
  }
}

/**
 * Moves a payment as far as it goes: asks the provider, takes down what it says, posts what was captured. Opened any
 * number of times, in parallel, by anybody: one conversion, the same answer (case 6).
 * @param known its row, where the caller has just read it
 */
export async function settlePayment(
  house: House,
  payers: Record<string, Payer>,
  orderId: string,
  crash: Crash = noCrash,
  known?: Payment,
): Promise<Settled> {
  const payment = known ?? (await paymentOf(house, orderId))
  if (!payment) return { state: 'unknown' }
  const stands = standing(payment, payment.state === 'declined' ? await failedTries(house, payment) : 0)
  if (stands) return stands
  if (payment.state === 'captured') return post(house, payers, payment, crash)

  let result: OrderResult
  try {
    result = await ask(house, payment)
  } catch (error) {
    if (!(error instanceof CardProviderUnavailable || error instanceof BankUnavailable)) throw error
    // Nothing is known: not a failure, and never a second charge.
    return { state: 'checking', unreachable: true }
  }
  crash('provider asked')
  return take(house, payers, payment, result, crash)
}

/** Takes down the provider's word about an order, and posts what it captured. */
export async function take(
  house: House,
  payers: Record<string, Payer>,
  payment: Payment,
  result: OrderResult,
  crash: Crash = noCrash,
): Promise<Settled> {
  const orderId = payment.order_id
  switch (result.state) {
    case 'APPROVED': {
      const answer = answered(house, payment, result)
      const differs = result.orderId !== orderId || result.approvedAmount !== payment.amount
      if (!differs) {
        const posted = await takeAndPost(house, payers, payment, answer, crash)
        if (posted) return posted
        break
      }
      const now = house.clock.now()
      const kept = await house.db.transaction(async (tx) => {
        const taken = await move(tx, house, orderId, 'review', { ...answer, trouble: 'amount_differs' })
        if (taken) await notify(tx, 'payment_review', orderId, now)
        return taken
      })
      crash('captured')
      if (!kept) break
      return { state: 'review' }
    }
    case 'DECLINED': {
      const moved = await move(house.db.write, house, orderId, 'declined', {
        response_code: result.responseCode,
        response_text: result.responseDescription.slice(0, 500),
      })
      if (!moved) break
      return {
        state: 'declined',
        ...declineTexts(moved, result.responseCode, result.responseDescription),
        retriesUsedUp: retriesUsedUp(await failedTries(house, moved)),
      }
    }
    case 'CANCELLED':
      if (payment.state !== 'cancelled') await move(house.db.write, house, orderId, 'cancelled')
      return { state: 'cancelled' }
    case 'PENDING':
      // An order we closed ourselves is not being checked: nobody is paying it.
      return payment.state === 'cancelled' || payment.state === 'expired'
        ? { state: 'cancelled' }
        : { state: 'checking' }
  }
  // Somebody else moved it in the meantime: what they made of it holds.
  const fresh = await paymentOf(house, orderId)
  if (!fresh) return { state: 'unknown' }
  if (fresh.state === 'captured') return post(house, payers, fresh, crash)
  return standing(fresh, await failedTries(house, fresh)) ?? { state: 'checking' }
}

/** The money is there: what the provider says of it and of the card. */
function answered(house: House, payment: Payment, result: OrderResult): Details {
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
    alias_sealed: result.alias ? house.sealer.seal(result.alias, paymentAliasContext(payment.order_id)) : null,
    receipt_id: result.receiptId,
    captured_at: house.clock.now(),
  }
}

/**
 * Money that has arrived, to where it belongs in the transaction that takes it down: as a rule nothing is in its way. Where
 * something is, whatever it is, it is taken down as captured, so that nobody has to ask for it again.
 * @returns null where somebody else has moved the payment
 */
async function takeAndPost(
  house: House,
  payers: Record<string, Payer>,
  payment: Payment,
  answer: Details,
  crash: Crash,
): Promise<Settled | null> {
  try {
    return await posting(house, payers, payment, crash, answer)
  } catch (error) {
    const taken = await move(house.db.write, house, payment.order_id, 'captured', answer)
    if (!(error instanceof CannotPost)) throw error
    if (!taken) return null
    await sendBack(house, taken, error.why)
    return { state: 'refund' }
  }
}

type OrderNotice = 'receipt' | 'payment_review' | 'refund'

const notify = (tx: Kysely<Tables>, kind: OrderNotice, orderId: string, now: number) =>
  enqueue(tx, { kind, once: orderId, payload: { orderId }, runAt: now })

/** Captured money to where it belongs, once; where it belongs nowhere, back (case 3). */
export async function post(
  house: House,
  payers: Record<string, Payer>,
  payment: Payment,
  crash: Crash = noCrash,
): Promise<Settled> {
  try {
    const posted = await posting(house, payers, payment, crash)
    if (posted) return posted
  } catch (error) {
    if (!(error instanceof CannotPost)) throw error
    await sendBack(house, payment, error.why)
    return { state: 'refund' }
  }
  const fresh = await paymentOf(house, payment.order_id)
  return (fresh && standing(fresh, 0)) ?? { state: 'checking' }
}

/**
 * @param answer of a payment that is not taken down as captured yet: is, by the way
 * @returns null where somebody else has moved the payment
 * @throws CannotPost where it belongs nowhere
 */
async function posting(
  house: House,
  payers: Record<string, Payer>,
  payment: Payment,
  crash: Crash,
  answer?: Details,
): Promise<Settled | null> {
  const payer = payers[payment.payer]
  if (!payer) throw new Error(`nobody posts payments of ${payment.payer}`)
  const now = house.clock.now()
  const facts = (await facilityFacts(house, [payment.location_code])).get(payment.location_code) ?? null
  const posted = await house.db.transaction(async (tx) => {
    const held = isOfLease(payment) ? await holdLease(tx, payment) : null
    const what = held ? null : paidForBy(payment)
    if (what) await lockPayable(tx, payment.payer, what)
    const details = { ...answer, posted_at: now }
    const mine = await move(tx, house, payment.order_id, 'posted', details, answer ? 'captured' : 'posted')
    if (!mine) return null
    if (answer) crash('captured')
    const { leaseNumber } = await payer.post(tx, house, mine, facts, held)
    if (leaseNumber !== mine.lease_number)
      await tx
        .updateTable('payments')
        .set({ lease_number: leaseNumber })
        .where('order_id', '=', payment.order_id)
        .execute()
    if ((mine.approved_amount ?? mine.amount) > 0) await notify(tx, 'receipt', payment.order_id, now)
    return { ...mine, lease_number: leaseNumber }
  })
  if (!posted) return null
  crash('posted')
  return { state: 'posted', leaseNumber: posted.lease_number, payment: posted }
}

/** Whether an order was made for a lease: a move-in's is yet to be, and of a link the link is looked at first. */
const isOfLease = (payment: Payment): payment is Payment & { lease_number: number } =>
  leasePayers.includes(payment.payer) && payment.lease_number !== null

/** A lease, locked, with its books; null where it is gone. */
async function holdLease(tx: Kysely<Tables>, key: { location_code: string; lease_number: number }) {
  const lease = await lockLease(tx, key)
  return lease ? { lease, books: await booksOf(tx, key) } : null
}

/** Opens the refund task; the payer is written to when the money has gone back. */
export async function sendBack(house: House, payment: Payment, why: string): Promise<void> {
  const now = house.clock.now()
  const cents = payment.approved_amount ?? payment.amount
  await house.db.transaction(async (tx) => {
    const moved = await move(tx, house, payment.order_id, 'refund_due', { trouble: why })
    if (!moved) return
    await tx
      .insertInto('refund_tasks')
      .values({
        order_id: payment.order_id,
        location_code: payment.location_code,
        cents,
        reason: why,
        state: 'open',
        attempts: 0,
        last_error: null,
        created_at: now,
        done_at: null,
      })
      .onConflict((known) => known.column('order_id').doNothing())
      .execute()
  })
}

// ── Without the browser ───────────────────────────────────────────────────────────────────────────────────────────────

/** An order that nobody has finished after so long is closed; a late approval still counts. */
const ORDER_MS = 2 * 60 * 60 * 1000
/**
 * Orders we closed are asked after, every two hours, for so long after that: the card page may have been open in another
 * tab. Hours in which the site was down and asked nobody do not count, or it might ask but once, of a provider that is behind.
 */
const LATE_MS = 26 * 60 * 60 * 1000
/** A browser that is on its way back gets this much time before the reconciler asks. */
const GRACE_MS = 20_000
/** Most of a look is waiting for the provider: after an hour without it, thousands of orders wait for one. */
const LOOKS_AT_A_TIME = 16

/**
 * The completer and the reconciler: posts what was captured, asks about what was presented and never came back, closes
 * what nobody finished, and asks once more about what was closed. Runs at the start and every few seconds; can run twice,
 * on two machines, or die half-way.
 * @param stopping whether the server is going down: what has not begun is left
 * @returns how many payments were moved
 */
export async function completePayments(
  house: House,
  payers: Record<string, Payer>,
  stopping: () => boolean = () => false,
): Promise<number> {
  const most = 200
  let moved = 0
  for (;;) {
    const round = await completeSome(house, payers, most, stopping)
    moved += round.moved
    // A full round of which something moved is followed by the next one; what only waits is asked about some seconds later.
    if (round.looked < most || round.moved === 0 || stopping()) return moved
  }
}

async function completeSome(
  house: House,
  payers: Record<string, Payer>,
  most: number,
  stopping: () => boolean,
): Promise<{ looked: number; moved: number }> {
  const now = house.clock.now()
  const due = await house.db.read
    .selectFrom('payments')
    .select(['order_id', 'state', 'created_at', 'updated_at', 'closed_at'])
    .where((eb) =>
      eb.or([
        eb('state', '=', 'captured'),
        eb.and([eb('state', 'in', openStates), eb('updated_at', '<', now - GRACE_MS)]),
        eb.and([
          eb('state', 'in', closedStates),
          // Until one look was made that late after it was closed, not after it was made: a site that was down for days closes
          // an order and asks once more moments later, and a provider that is behind has nothing to tell either time.
          eb('updated_at', '<', eb(eb.fn.coalesce('closed_at', 'created_at'), '+', LATE_MS)),
          eb('updated_at', '<', now - ORDER_MS),
        ]),
      ]),
    )
    .orderBy('updated_at')
    .limit(most)
    .execute()
  let moved = 0
  const look = async (one: (typeof due)[number]) => {
    try {
      const settled = await settlePayment(house, payers, one.order_id)
      if (settled.state === 'checking' || settled.state === 'cancelled') {
        const open = openStates.includes(one.state)
        const unreachable = settled.state === 'checking' && settled.unreachable === true
        if (open && one.created_at < now - ORDER_MS && settled.state === 'checking' && !unreachable) {
          if (await move(house.db.write, house, one.order_id, 'expired', unlooked(one))) moved += 1
          // Of a closed order, a look that saw nothing was none.
        } else if (open || !unreachable) await lookAgainLater(house, one)
      } else moved += 1
    } catch (error) {
      // One that fails must not keep the others waiting.
      house.errors.report(error, { order: one.order_id, step: 'completer' })
      await lookAgainLater(house, one)
    }
  }
  const queue = due.values()
  await Promise.all(
    Array.from({ length: Math.min(LOOKS_AT_A_TIME, due.length) }, async () => {
      for (const one of queue) {
        if (stopping()) return
        await look(one)
      }
    }),
  )
  return { looked: due.length, moved }
}

/** To the end of the queue. Of a closed order, what nobody asked in time since the last look or its closing is not counted. */
async function lookAgainLater(
  house: House,
  { order_id, updated_at, closed_at }: Pick<Payment, 'order_id' | 'updated_at' | 'closed_at'>,
): Promise<void> {
  const now = house.clock.now()
  const missed = closed_at === null ? 0 : now - Math.max(updated_at, closed_at) - 2 * ORDER_MS
  await house.db.write
    .updateTable('payments')
    .set({ updated_at: now, ...(closed_at !== null && missed > 0 && { closed_at: closed_at + missed }) })
    .where('order_id', '=', order_id)
    .execute()
}

/** When a refund that failed so many times is tried next, in milliseconds after it came up: 30 s, then twice as long each time. */
function refundWait(attempts: number): number {
  const doubled = Math.min(attempts, 10)
  return 30_000 * (2 ** doubled - 1) + (attempts - doubled) * 6 * 60 * 60 * 1000
}

/** A refund that keeps failing is reported at this try, and when it is given up, so that a person looks. */
const WORRYING_TRY = 3

/** The payer has a debit's money twice, by our credit and by the bank's return: nothing in the books shows it. */
export function reportBothWays(house: Pick<House, 'errors'>, orderId: string, cents: number): void {
  house.errors.report(new Error('The bank sent back a debit that was given back already'), {
    order: orderId,
    cents: String(cents),
  })
}

/**
 * Gives back what is owed; what the provider refuses or does not answer stays open, with its reason, and is tried again
 * later (case 14). After `REFUND_TRIES` it is 'failed' and waits for the operator; see `retryRefund` of paying/review.ts.
 */
export async function settleRefunds(house: House, most = 50): Promise<number> {
  const open = await house.db.read
    .selectFrom('refund_tasks')
    .innerJoin('payments', 'payments.order_id', 'refund_tasks.order_id')
    .selectAll('refund_tasks')
    .select(['method', 'return_code'])
    // Also those given up, once the bank has sent the debit back.
    .where((eb) =>
      eb.or([
        eb('refund_tasks.state', '=', 'open'),
        eb.and([eb('refund_tasks.state', '=', 'failed'), eb('returned_at', 'is not', null)]),
      ]),
    )
    .orderBy('attempts')
    .orderBy('refund_tasks.created_at')
    .limit(most * 10)
    .execute()
  const asOf = house.clock.now()
  const tasks = open
    .filter((task) => task.return_code !== null || task.created_at + refundWait(task.attempts) <= asOf)
    .slice(0, most)
  // Money goes back for what is written for good, and not for what a power cut may undo.
  if (tasks.length > 0) await house.db.synced()
  let done = 0
  for (const task of tasks) {
    let failure = ''
    try {
      const what = { orderId: task.order_id, amount: task.cents }
      if (task.return_code !== null || task.cents === 0) {
        // The payer has the money already: the bank would refuse a credit, and one that it took would be a gift. Of an order
        // over 0, which only keeps a card or an account, the bank has never heard.
      } else if (task.method === 'ACH') {
        const answer = await house.bank.giveBack(what)
        if (!answer.done) failure = `${answer.code} ${answer.description}`
      } else {
        const answer = await house.cardProvider.giveBack(what)
        if (!answer.done) failure = `${answer.responseCode} ${answer.responseDescription}`
      }
    } catch (error) {
      // One that fails must not keep the others waiting.
      failure = error instanceof Error ? error.message : String(error)
    }
    const now = house.clock.now()
    if (failure) {
      const tries = task.attempts + 1
      const over = tries >= REFUND_TRIES
      const noted = await house.db.write
        .updateTable('refund_tasks')
        .set({ attempts: tries, last_error: failure.slice(0, 500), ...(over && { state: 'failed' }) })
        .where('order_id', '=', task.order_id)
        .where('state', '=', 'open')
        // Two machines that tried at the same time are one try.
        .where('attempts', '=', task.attempts)
        .returning('order_id')
        .executeTakeFirst()
      if (noted && (over || tries === WORRYING_TRY))
        house.errors.report(new Error(`A refund ${over ? 'was given up' : 'keeps failing'}: ${failure}`), {
          order: task.order_id,
        })
      continue
    }
    const twice = await house.db.transaction(async (tx) => {
      const finished = await tx
        .updateTable('refund_tasks')
        .set((eb) => ({ state: 'done', done_at: now, attempts: eb('attempts', '+', 1), last_error: null }))
        .where('order_id', '=', task.order_id)
        .where('state', '=', task.state)
        .returning('order_id')
        .executeTakeFirst()
      if (!finished) return false
      const refunded = await move(tx, house, task.order_id, 'refunded')
      // What came back from the bank was not given back by us.
      if (task.cents === 0 || task.return_code !== null) return false
      await notify(tx, 'refund', task.order_id, now)
      // The bank sent it back at the very time.
      return refunded !== null && refunded.returned_at !== null
    })
    if (twice) reportBothWays(house, task.order_id, task.cents)
    done += 1
  }
  return done
}
