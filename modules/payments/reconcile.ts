import type { Services } from '../../platform/operations/services.ts'
import { checkAgainNow, move } from './orders.ts'
import { closedStates, openStates, type Payment } from './payment.ts'
import { settlePayment } from './settle.ts'

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
export async function reconcilePayments(services: Services, stopping: () => boolean = () => false): Promise<number> {
  const most = 200
  let moved = 0
  for (;;) {
    const round = await completeSome(services, most, stopping)
    moved += round.moved
    // A full round of which something moved is followed by the next one; what only waits is asked about some seconds later.
    if (round.looked < most || round.moved === 0 || stopping()) return moved
  }
}

async function completeSome(
  services: Services,
  most: number,
  stopping: () => boolean,
): Promise<{ looked: number; moved: number }> {
  const now = services.clock.now()
  const due = await services.db.read
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
      const settled = await settlePayment(services, one.order_id)
      if (settled.state === 'checking' || settled.state === 'cancelled') {
        const open = openStates.includes(one.state)
        const unreachable = settled.state === 'checking' && settled.unreachable === true
        if (open && one.created_at < now - ORDER_MS && settled.state === 'checking' && !unreachable) {
          if (await move(services.db.write, services, one.order_id, 'expired', checkAgainNow(one))) moved += 1
          // Of a closed order, a look that saw nothing was none.
        } else if (open || !unreachable) await checkAgainLater(services, one)
      } else moved += 1
    } catch (error) {
      // One that fails must not keep the others waiting.
      services.errors.report(error, { order: one.order_id, step: 'completer' })
      await checkAgainLater(services, one)
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
async function checkAgainLater(
  services: Services,
  { order_id, updated_at, closed_at }: Pick<Payment, 'order_id' | 'updated_at' | 'closed_at'>,
): Promise<void> {
  const now = services.clock.now()
  const missed = closed_at === null ? 0 : now - Math.max(updated_at, closed_at) - 2 * ORDER_MS
  await services.db.write
    .updateTable('payments')
    .set({ updated_at: now, ...(closed_at !== null && missed > 0 && { closed_at: closed_at + missed }) })
    .where('order_id', '=', order_id)
    .execute()
}
