import { REFUND_TRIES } from '../../domain/payment.ts'
import type { Services } from '../../platform/operations/services.ts'
import { notify } from './notify.ts'
import { move } from './orders.ts'
import type { Payment } from './payment.ts'

/** Opens the refund task; the payer is written to when the money has gone back. */
export async function openRefund(services: Services, payment: Payment, why: string): Promise<void> {
  const now = services.clock.now()
  const cents = payment.approved_amount ?? payment.amount
  await services.db.transaction(async (tx) => {
    const moved = await move(tx, services, payment.order_id, 'refund_due', { trouble: why })
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

/** When a refund that failed so many times is tried next, in milliseconds after it came up: 30 s, then twice as long each time. */
function refundWait(attempts: number): number {
  const doubled = Math.min(attempts, 10)
  return 30_000 * (2 ** doubled - 1) + (attempts - doubled) * 6 * 60 * 60 * 1000
}

/** A refund that keeps failing is reported at this try, and when it is given up, so that a person looks. */
const WORRYING_TRY = 3

/** The payer has a debit's money twice, by our credit and by the bank's return: nothing in the books shows it. */
export function reportDoubleRefund(services: Pick<Services, 'errors'>, orderId: string, cents: number): void {
  services.errors.report(new Error('The bank sent back a debit that was given back already'), {
    order: orderId,
    cents: String(cents),
  })
}

/**
 * Gives back what is owed; what the provider refuses or does not answer stays open, with its reason, and is tried again
 * later (case 14). After `REFUND_TRIES` it is 'failed' and waits for the operator; see `retryRefund` of modules/payments/review.ts.
 */
export async function processRefunds(services: Services, most = 50): Promise<number> {
  const open = await services.db.read
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
  const asOf = services.clock.now()
  const tasks = open
    .filter((task) => task.return_code !== null || task.created_at + refundWait(task.attempts) <= asOf)
    .slice(0, most)
  // Money goes back for what is written for good, and not for what a power cut may undo.
  if (tasks.length > 0) await services.db.synced()
  let done = 0
  for (const task of tasks) {
    let failure = ''
    try {
      const what = { orderId: task.order_id, amount: task.cents }
      if (task.return_code !== null || task.cents === 0) {
        // The payer has the money already: the bank would refuse a credit, and one that it took would be a gift. Of an order
        // over 0, which only keeps a card or an account, the bank has never heard.
      } else if (task.method === 'ACH') {
        const answer = await services.bank.giveBack(what)
        if (!answer.done) failure = `${answer.code} ${answer.description}`
      } else {
        const answer = await services.cardProvider.giveBack(what)
        if (!answer.done) failure = `${answer.responseCode} ${answer.responseDescription}`
      }
    } catch (error) {
      // One that fails must not keep the others waiting.
      failure = error instanceof Error ? error.message : String(error)
    }
    const now = services.clock.now()
    if (failure) {
      const tries = task.attempts + 1
      const over = tries >= REFUND_TRIES
      const noted = await services.db.write
        .updateTable('refund_tasks')
        .set({ attempts: tries, last_error: failure.slice(0, 500), ...(over && { state: 'failed' }) })
        .where('order_id', '=', task.order_id)
        .where('state', '=', 'open')
        // Two machines that tried at the same time are one try.
        .where('attempts', '=', task.attempts)
        .returning('order_id')
        .executeTakeFirst()
      if (noted && (over || tries === WORRYING_TRY))
        services.errors.report(new Error(`A refund ${over ? 'was given up' : 'keeps failing'}: ${failure}`), {
          order: task.order_id,
        })
      continue
    }
    const twice = await services.db.transaction(async (tx) => {
      const finished = await tx
        .updateTable('refund_tasks')
        .set((eb) => ({ state: 'done', done_at: now, attempts: eb('attempts', '+', 1), last_error: null }))
        .where('order_id', '=', task.order_id)
        .where('state', '=', task.state)
        .returning('order_id')
        .executeTakeFirst()
      if (!finished) return false
      const refunded = await move(tx, services, task.order_id, 'refunded')
      // What came back from the bank was not given back by us.
      if (task.cents === 0 || task.return_code !== null) return false
      await notify(tx, 'refund', task.order_id, now)
      // The bank sent it back at the very time.
      return refunded !== null && refunded.returned_at !== null
    })
    if (twice) reportDoubleRefund(services, task.order_id, task.cents)
    done += 1
  }
  return done
}
