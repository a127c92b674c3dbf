import type { ExpressionBuilder } from 'kysely'
import { HOUR } from '../../domain/durations.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { closedStates, openStates, type Payment } from './payment.ts'
import { changePaymentState, dueForQueryColumns } from './payment-orders.ts'
import { settlePayment } from './settle-payment.ts'

/** Age in milliseconds at which an open order expires, and interval at which a closed order is queried. */
const ORDER_MS = 2 * HOUR

/** Time in milliseconds after its closing during which an order is queried, since a late approval still counts. */
const LATE_MS = 26 * HOUR

/**
 * Condition for closed orders that may still turn out to be approved: their last query was less than `LATE_MS` after
 * their closing.
 */
export const mayStillBeApproved = (eb: ExpressionBuilder<Tables, 'payments'>) =>
  eb.and([
    eb('state', 'in', closedStates),
    // Counted from the closing, since a site that was down for days closes old orders when it is back.
    eb('updated_at', '<', eb(eb.fn.coalesce('closed_at', 'created_at'), '+', LATE_MS)),
  ])

/** Time in milliseconds for the payer's browser to return before the order is settled without it. */
const GRACE_MS = 20_000

/** Maximum number of orders checked at once. A check mostly waits for the provider. */
const CONCURRENT_CHECKS = 16

const BATCH_SIZE = 200

/**
 * Settles payments whose browser did not return. Safe to run in several processes and to kill.
 * @returns number of orders that were settled or expired; cancelled orders are not counted
 */
export async function reconcilePayments(services: Services, isStopping: () => boolean = () => false): Promise<number> {
  let total = 0
  for (;;) {
    const orders = await loadDueOrders(services)
    const changed = await checkOrders(services, orders, isStopping)
    total += changed
    // Orders that only wait for the provider are checked again by the next run.
    if (orders.length < BATCH_SIZE || changed === 0 || isStopping()) return total
  }
}

type DueOrder = Pick<Payment, 'order_id' | 'state' | 'created_at' | 'updated_at' | 'closed_at'>

/**
 * Loads the orders that are due to be settled: captured ones, open ones after the grace time, and closed ones every
 * `ORDER_MS` for `LATE_MS`.
 */
function loadDueOrders(services: Services): Promise<DueOrder[]> {
  const now = services.clock.now()
  return services.db.read
    .selectFrom('payments')
    .select(['order_id', 'state', 'created_at', 'updated_at', 'closed_at'])
    .where((eb) =>
      eb.or([
        eb('state', '=', 'captured'),
        eb.and([eb('state', 'in', openStates), eb('updated_at', '<', now - GRACE_MS)]),
        eb.and([mayStillBeApproved(eb), eb('updated_at', '<', now - ORDER_MS)]),
      ]),
    )
    .orderBy('updated_at')
    .limit(BATCH_SIZE)
    .execute()
}

async function checkOrders(
  services: Services,
  orders: readonly DueOrder[],
  isStopping: () => boolean,
): Promise<number> {
  const now = services.clock.now()
  let changed = 0
  const queue = orders.values()
  const workers = Array.from({ length: Math.min(CONCURRENT_CHECKS, orders.length) }, async () => {
    for (const order of queue) {
      if (isStopping()) return
      try {
        if (await checkOrder(services, order, now)) changed += 1
      } catch (error) {
        // One failure must not block the other orders.
        services.errors.report(error, { order: order.order_id, step: 'completer' })
        await checkAgainLater(services, order)
      }
    }
  })
  await Promise.all(workers)
  return changed
}

/**
 * Settles an order, and expires it when it is too old.
 * @returns whether the order was settled or expired; false if it is pending or cancelled
 */
async function checkOrder(services: Services, order: DueOrder, now: number): Promise<boolean> {
  const settled = await settlePayment(services, order.order_id)
  if (settled.state !== 'checking' && settled.state !== 'cancelled') return true
  const isOpen = openStates.includes(order.state)
  const unreachable = settled.state === 'checking' && settled.unreachable === true
  if (isOpen && order.created_at < now - ORDER_MS && settled.state === 'checking' && !unreachable)
    return (
      (await changePaymentState(services.db.write, services, order.order_id, 'expired', dueForQueryColumns(order))) !==
      null
    )
  // A closed order whose provider was unreachable stays due.
  if (isOpen || !unreachable) await checkAgainLater(services, order)
  return false
}

/**
 * Moves an order to the end of the queue. Extends a closed order's checking time by the hours in which no check ran.
 */
async function checkAgainLater(
  services: Services,
  { order_id, updated_at, closed_at }: Pick<Payment, 'order_id' | 'updated_at' | 'closed_at'>,
): Promise<void> {
  const now = services.clock.now()
  // Checks are `ORDER_MS` apart. A gap of more than two intervals means that no check ran.
  const missedMs = closed_at === null ? 0 : now - Math.max(updated_at, closed_at) - 2 * ORDER_MS
  await services.db.write
    .updateTable('payments')
    .set({ updated_at: now, ...(closed_at !== null && missedMs > 0 && { closed_at: closed_at + missedMs }) })
    .where('order_id', '=', order_id)
    .execute()
}
