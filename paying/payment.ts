/**
 * The one payment state machine, keyed by our own order id. Each move is one guarded statement: whoever comes first (the
 * return page, a retry, the completer) makes it, the others find it made. What a browser brings back is never believed;
 * the provider is asked by order id. No network call happens inside a transaction.
 *
 * What differs between payers (who, what is posted, what follows) is a `Payer`; the moves do not.
 */
import type { Kysely, Selectable } from 'kysely'
import { enqueue } from '../database/jobs.ts'
import type { PayerKind, PaymentsTable, Tables } from '../database/tables.ts'
import {
  cardAddress,
  failureReason,
  failureText,
  type PaymentState,
  retriesUsedUp,
  statesBefore,
} from '../domain/payment.ts'
import { CardProviderUnavailable, type OrderResult } from '../ports/card-provider/card-provider.ts'
import type { House } from '../storage-system/operation.ts'

export type Payment = Selectable<PaymentsTable>

/** What a kind of payer adds to the one machine. */
export interface Payer {
  kind: PayerKind
  /**
   * Puts captured money where it belongs, in the transaction that marks it posted.
   * @returns the lease it was posted to
   * @throws CannotPost where that can never work: the money goes back
   */
  post(tx: Kysely<Tables>, house: House, payment: Payment): Promise<{ leaseNumber: number | null }>
  /** A payment was refused: counts the try. @returns how many there were */
  refused(house: House, payment: Payment): Promise<number>
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
  | { state: 'posted'; leaseNumber: number | null }
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

/** An order id nobody can guess, short enough for any provider. */
export const newOrderId = (house: House): string => `LK${house.random.hex(12).toUpperCase()}`

/** Moves a payment on, from any state that may; null where somebody else has moved it elsewhere. */
async function move(
  db: Kysely<Tables>,
  house: House,
  orderId: string,
  to: PaymentState,
  set: Partial<Omit<PaymentsTable, 'order_id' | 'state'>> = {},
): Promise<Payment | null> {
  const row = await db
    .updateTable('payments')
    .set({ ...set, state: to, updated_at: house.clock.now() })
    .where('order_id', '=', orderId)
    .where('state', 'in', statesBefore(to))
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

// ── To the card page ──────────────────────────────────────────────────────────────────────────────────────────────────

export interface Order {
  payer: PayerKind
  locationCode: string
  draftId: string | null
  tenantId: number | null
  leaseNumber: number | null
  /** Cents; 0 only stores the card. */
  amount: number
  autopay: boolean
  quoteId: string | null
  /** What was agreed, as JSON; sealed with the order. */
  plan: string
  customer: { name: string; email: string; address: string; city: string; state: string; zip: string }
}

/** What a payment's card alias is sealed under. */
export const paymentAliasContext = (orderId: string) => `payment:${orderId}:alias`

const planContext = (orderId: string) => `payment:${orderId}:plan`

/** What was agreed, as it was when the order was made. */
export function planOf<Plan>(house: House, payment: Pick<Payment, 'order_id' | 'plan'>): Plan {
  const { sealed } = JSON.parse(payment.plan) as { sealed: string }
  return JSON.parse(house.sealer.open(sealed, planContext(payment.order_id))) as Plan
}

export type Presented =
  | { ok: true; orderId: string; payPageUrl: string }
  /** The provider could not be reached: nothing was charged, trying again is safe. */
  | { ok: false; why: 'unavailable' }

const openStates: PaymentState[] = ['created', 'presented']

/** A card page closes after an hour; one that is about to is not handed out again. */
const PAGE_MS = 50 * 60 * 1000

/**
 * The card page for an order. A draft has one open order: the same agreement again (a double click, a second tab) comes
 * back to the same page; another agreement closes the older order first.
 */
export async function presentOrder(house: House, order: Order, crash: Crash = noCrash): Promise<Presented> {
  const orderId = newOrderId(house)
  const now = house.clock.now()
  const row = await house.db.transaction(async (tx) => {
    if (order.draftId !== null) {
      // Takes the draft's row first, so that of two tabs the second sees the first one's order.
      await tx.updateTable('rental_drafts').set({ touched_at: now }).where('draft_id', '=', order.draftId).execute()
      const open = await tx
        .selectFrom('payments')
        .selectAll()
        .where('draft_id', '=', order.draftId)
        .where('state', 'in', openStates)
        .orderBy('created_at', 'desc')
        .execute()
      const same = open.find(
        (one) =>
          one.amount === order.amount &&
          one.created_at > now - PAGE_MS &&
          one.autopay === (order.autopay ? 1 : 0) &&
          samePlan(house, one, order.plan),
      )
      for (const one of open) if (one !== same) await move(tx, house, one.order_id, 'cancelled')
      if (same) return same
    }
    return tx
      .insertInto('payments')
      .values({
        order_id: orderId,
        location_code: order.locationCode,
        payer: order.payer,
        draft_id: order.draftId,
        tenant_id: order.tenantId,
        lease_number: order.leaseNumber,
        state: 'created',
        amount: order.amount,
        quote_id: order.quoteId,
        plan: JSON.stringify({ sealed: house.sealer.seal(order.plan, planContext(orderId)) }),
        autopay: order.autopay ? 1 : 0,
        method: 'CC',
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
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
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
    await move(house.db.write, house, row.order_id, 'presented', {
      session_token: page.sessionToken,
      pay_page_url: page.payPageUrl,
    })
    return { ok: true, orderId: row.order_id, payPageUrl: page.payPageUrl }
  } catch (error) {
    if (!(error instanceof CardProviderUnavailable)) throw error
    house.errors.report(error, { order: row.order_id, step: 'card page' })
    return { ok: false, why: 'unavailable' }
  }
}

function samePlan(house: House, payment: Payment, plan: string): boolean {
  return JSON.stringify(planOf(house, payment)) === JSON.stringify(JSON.parse(plan))
}

// ── From the card page ────────────────────────────────────────────────────────────────────────────────────────────────

/** Where a payment stands, without asking anybody; null where the provider has to be asked. */
function standing(payment: Payment, retries: number): Settled | null {
  switch (payment.state) {
    case 'posted':
      return { state: 'posted', leaseNumber: payment.lease_number }
    case 'declined':
      return {
        state: 'declined',
        ...declineTexts(payment.response_code ?? '', payment.response_text ?? ''),
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

const declineTexts = (responseCode: string, responseDescription: string) => ({
  message: failureText({ responseCode, responseDescription }),
  reason: failureReason({ responseCode, responseDescription }),
})

async function retriesOf(house: House, payment: Payment): Promise<number> {
  if (payment.draft_id === null) return 0
  const row = await house.db.read
    .selectFrom('rental_drafts')
    .select('payment_retries')
    .where('draft_id', '=', payment.draft_id)
    .executeTakeFirst()
  return row?.payment_retries ?? 0
}

/**
 * Moves a payment as far as it goes: asks the provider, takes down what it says, posts what was captured. Opened any
 * number of times, in parallel, by anybody: one conversion, the same answer (case 6).
 */
export async function settlePayment(
  house: House,
  payers: Record<string, Payer>,
  orderId: string,
  crash: Crash = noCrash,
): Promise<Settled> {
  const payment = await paymentOf(house, orderId)
  if (!payment) return { state: 'unknown' }
  const known = standing(payment, await retriesOf(house, payment))
  if (known) return known
  if (payment.state === 'captured') return post(house, payers, payment, crash)

  let result: OrderResult
  try {
    result = await house.cardProvider.queryPayment(orderId)
  } catch (error) {
    if (!(error instanceof CardProviderUnavailable)) throw error
    // Nothing is known: not a failure, and never a second charge.
    return { state: 'checking', unreachable: true }
  }
  crash('provider asked')
  return take(house, payers, payment, result, crash)
}

/** Takes down the provider's word about an order. */
async function take(
  house: House,
  payers: Record<string, Payer>,
  payment: Payment,
  result: OrderResult,
  crash: Crash,
): Promise<Settled> {
  const orderId = payment.order_id
  switch (result.state) {
    case 'APPROVED': {
      const differs = result.orderId !== orderId || result.approvedAmount !== payment.amount
      const taken = await captured(house, payment, result, differs)
      crash('captured')
      if (!taken) break
      return taken.state === 'review' ? { state: 'review' } : post(house, payers, taken, crash)
    }
    case 'DECLINED': {
      const moved = await move(house.db.write, house, orderId, 'declined', {
        response_code: result.responseCode,
        response_text: result.responseDescription.slice(0, 500),
      })
      if (!moved) break
      // Only the one who moved it counts the try, however many look at the same time.
      const retries = (await payers[payment.payer]?.refused(house, moved)) ?? 0
      return {
        state: 'declined',
        ...declineTexts(result.responseCode, result.responseDescription),
        retriesUsedUp: retriesUsedUp(retries),
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
  return standing(fresh, await retriesOf(house, fresh)) ?? { state: 'checking' }
}

/** The money is there: with what the provider says of the card. An amount that differs is kept for a person (case 8). */
async function captured(
  house: House,
  payment: Payment,
  result: OrderResult,
  differs: boolean,
): Promise<Payment | null> {
  const now = house.clock.now()
  return house.db.transaction(async (tx) => {
    const taken = await move(tx, house, payment.order_id, differs ? 'review' : 'captured', {
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
      captured_at: now,
      ...(differs ? { trouble: 'amount_differs' } : {}),
    })
    if (taken && differs) await notify(tx, 'payment_review', payment.order_id, now)
    return taken
  })
}

const notify = (tx: Kysely<Tables>, kind: string, orderId: string, now: number) =>
  enqueue(tx, { kind, once: orderId, payload: { orderId }, runAt: now })

/** Captured money to where it belongs, once; where it belongs nowhere, back (case 3). */
async function post(house: House, payers: Record<string, Payer>, payment: Payment, crash: Crash): Promise<Settled> {
  const payer = payers[payment.payer]
  if (!payer) throw new Error(`nobody posts payments of ${payment.payer}`)
  const now = house.clock.now()
  try {
    const leaseNumber = await house.db.transaction(async (tx) => {
      const mine = await move(tx, house, payment.order_id, 'posted', { posted_at: now })
      if (!mine) return null
      const posted = await payer.post(tx, house, mine)
      await tx
        .updateTable('payments')
        .set({ lease_number: posted.leaseNumber })
        .where('order_id', '=', payment.order_id)
        .execute()
      if (mine.amount > 0) await notify(tx, 'receipt', payment.order_id, now)
      return posted
    })
    crash('posted')
    if (leaseNumber) return { state: 'posted', leaseNumber: leaseNumber.leaseNumber }
  } catch (error) {
    if (!(error instanceof CannotPost)) throw error
    await sendBack(house, payment, error.why)
    return { state: 'refund' }
  }
  const fresh = await paymentOf(house, payment.order_id)
  return (fresh && standing(fresh, 0)) ?? { state: 'checking' }
}

/** Opens the refund task; the payer is written to when the money has gone back. */
async function sendBack(house: House, payment: Payment, why: string): Promise<void> {
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
/** Orders we closed are asked after once more for so long: the card page may have been open in another tab. */
const LATE_MS = 26 * 60 * 60 * 1000
/** A browser that is on its way back gets this much time before the reconciler asks. */
const GRACE_MS = 20_000

/**
 * The completer and the reconciler: posts what was captured, asks about what was presented and never came back, closes
 * what nobody finished, and asks once more about what was closed. Runs at the start and every few seconds; can run twice,
 * on two machines, or die half-way.
 * @returns how many payments were moved
 */
export async function completePayments(house: House, payers: Record<string, Payer>, most = 200): Promise<number> {
  const now = house.clock.now()
  const due = await house.db.read
    .selectFrom('payments')
    .select(['order_id', 'state', 'created_at'])
    .where((eb) =>
      eb.or([
        eb('state', '=', 'captured'),
        eb.and([eb('state', 'in', openStates), eb('updated_at', '<', now - GRACE_MS)]),
        eb.and([
          eb('state', 'in', ['cancelled', 'expired']),
          eb('created_at', '>', now - LATE_MS),
          eb('updated_at', '<', now - ORDER_MS),
        ]),
      ]),
    )
    .orderBy('updated_at')
    .limit(most)
    .execute()
  let moved = 0
  for (const one of due) {
    try {
      const settled = await settlePayment(house, payers, one.order_id)
      if (settled.state === 'checking' || settled.state === 'cancelled') {
        const closed = one.state === 'created' || one.state === 'presented'
        if (closed && one.created_at < now - ORDER_MS && settled.state === 'checking') {
          if (await move(house.db.write, house, one.order_id, 'expired')) moved += 1
        } else await lookAgainLater(house, one.order_id)
      } else moved += 1
    } catch (error) {
      // One that fails must not keep the others waiting.
      house.errors.report(error, { order: one.order_id, step: 'completer' })
      await lookAgainLater(house, one.order_id)
    }
  }
  return moved
}

/** To the end of the queue. */
async function lookAgainLater(house: House, orderId: string): Promise<void> {
  await house.db.write
    .updateTable('payments')
    .set({ updated_at: house.clock.now() })
    .where('order_id', '=', orderId)
    .execute()
}

/** When a refund that failed so many times is tried next, in milliseconds after it came up: 30 s, then twice as long each time. */
function refundWait(attempts: number): number {
  const doubled = Math.min(attempts, 10)
  return 30_000 * (2 ** doubled - 1) + (attempts - doubled) * 6 * 60 * 60 * 1000
}

/** A refund that keeps failing is reported at these tries, so that a person looks. */
const isWorrying = (attempts: number) => attempts === 3 || attempts % 10 === 0

/**
 * Gives back what is owed; what the provider refuses or does not answer stays open, with its reason, and is tried again
 * later (case 14).
 */
export async function settleRefunds(house: House, most = 50): Promise<number> {
  const open = await house.db.read
    .selectFrom('refund_tasks')
    .selectAll()
    .where('state', '=', 'open')
    .orderBy('attempts')
    .orderBy('created_at')
    .limit(most * 10)
    .execute()
  const asOf = house.clock.now()
  const tasks = open.filter((task) => task.created_at + refundWait(task.attempts) <= asOf).slice(0, most)
  let done = 0
  for (const task of tasks) {
    let failure = ''
    try {
      const answer = await house.cardProvider.giveBack({ orderId: task.order_id, amount: task.cents })
      if (!answer.done) failure = `${answer.responseCode} ${answer.responseDescription}`
    } catch (error) {
      // One that fails must not keep the others waiting.
      failure = error instanceof Error ? error.message : String(error)
    }
    const now = house.clock.now()
    if (failure) {
      await house.db.write
        .updateTable('refund_tasks')
        .set((eb) => ({ attempts: eb('attempts', '+', 1), last_error: failure.slice(0, 500) }))
        .where('order_id', '=', task.order_id)
        .where('state', '=', 'open')
        .execute()
      if (isWorrying(task.attempts + 1))
        house.errors.report(new Error(`A refund keeps failing: ${failure}`), { order: task.order_id })
      continue
    }
    await house.db.transaction(async (tx) => {
      const finished = await tx
        .updateTable('refund_tasks')
        .set((eb) => ({ state: 'done', done_at: now, attempts: eb('attempts', '+', 1), last_error: null }))
        .where('order_id', '=', task.order_id)
        .where('state', '=', 'open')
        .returning('order_id')
        .executeTakeFirst()
      if (!finished) return
      await move(tx, house, task.order_id, 'refunded')
      if (task.cents > 0) await notify(tx, 'refund', task.order_id, now)
    })
    done += 1
  }
  return done
}
