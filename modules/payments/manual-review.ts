// Nothing here is reachable from outside: the office decides, and the command line lists.
import type { Kysely, Selectable } from 'kysely'
import { isTenant } from '../../platform/database/record-keys.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { RefundTasksTable, Tables } from '../../platform/schema/tables.ts'
import { sharesOf } from './allocations.ts'
import { move } from './orders.ts'
import { type Also, noFaults, type Payment, paymentOf, type Settled } from './payment.ts'
import { openRefund } from './refund-tasks.ts'
import { postCaptured } from './settle.ts'

export type RefundTask = Selectable<RefundTasksTable>

/** Captured payments that differ from what was agreed, the oldest first. */
export const paymentsInReview = (services: Services): Promise<Payment[]> =>
  services.db.read.selectFrom('payments').selectAll().where('state', '=', 'review').orderBy('captured_at').execute()

/** Refunds that are not done, those given up first. @param state 'failed' only, 'open' only, or both where left out */
export async function refundsToDo(services: Services, state?: 'open' | 'failed'): Promise<RefundTask[]> {
  return services.db.read
    .selectFrom('refund_tasks')
    .selectAll()
    .where('state', 'in', state ? [state] : ['open', 'failed'])
    .orderBy('state')
    .orderBy('created_at')
    .execute()
}

export interface InReview {
  orderId: string
  leaseNumber: number
  amount: number
  at: number
}

/** Those of one tenant, guests' payments included, the newest first. */
export async function inReviewOf(
  services: Pick<Services, 'db'>,
  of: { locationCode: string; tenantId: number },
): Promise<InReview[]> {
  const rows = await services.db.read
    .selectFrom('payments')
    .selectAll()
    .where(isTenant({ location_code: of.locationCode, tenant_id: of.tenantId }))
    .where('state', '=', 'review')
    .orderBy('created_at', 'desc')
    .execute()
  const each = rows.map(async (row) =>
    (await sharesOf(services.db.read, row)).map(({ lease_number: leaseNumber, cents: amount }) => ({
      orderId: row.order_id,
      leaseNumber,
      amount,
      at: row.captured_at ?? row.created_at,
    })),
  )
  return (await Promise.all(each)).flat()
}

export type Decided =
  /** Posted as captured; or on its way back, also where posting turned out to be impossible. */
  { ok: true; settled: Settled } | { ok: false; why: 'no_payment' | 'not_in_review' }

/**
 * 'post' counts what was captured for what was agreed, 'refund' gives all of it back. Decided twice, the first holds.
 * @param also written in the transaction of the decision
 */
export async function decideReview(
  services: Services,
  orderId: string,
  decision: 'post' | 'refund',
  also?: Also,
): Promise<Decided> {
  const payment = await paymentOf(services, orderId)
  if (!payment) return { ok: false, why: 'no_payment' }
  if (payment.state !== 'review') return { ok: false, why: 'not_in_review' }
  if (decision === 'post') return { ok: true, settled: await postCaptured(services, payment, noFaults, also) }
  await openRefund(services, payment, 'review_refused', also)
  const after = await paymentOf(services, orderId)
  return after?.state === 'refund_due' || after?.state === 'refunded'
    ? { ok: true, settled: { state: 'refund' } }
    : { ok: false, why: 'not_in_review' }
}

/** Reopens a refund that was given up, with no failures counted. @returns false where it was not given up */
export async function retryRefund(
  services: Services,
  orderId: string,
  db: Kysely<Tables> = services.db.write,
): Promise<boolean> {
  const task = await db
    .updateTable('refund_tasks')
    .set({ state: 'open', attempts: 0, last_error: null, created_at: services.clock.now() })
    .where('order_id', '=', orderId)
    .where('state', '=', 'failed')
    .returning('order_id')
    .executeTakeFirst()
  return task !== undefined
}

/** Records, in a transaction, that a refund that was given up was paid by hand. @param by how, such as 'check 1042'. @returns false where it is still tried */
export async function recordPaidByHand(
  tx: Kysely<Tables>,
  services: Services,
  orderId: string,
  by: string,
): Promise<boolean> {
  const now = services.clock.now()
  const task = await tx
    .updateTable('refund_tasks')
    .set({ state: 'done', done_at: now, last_error: `given back by ${by}`.slice(0, 500) })
    .where('order_id', '=', orderId)
    .where('state', '=', 'failed')
    .returning('order_id')
    .executeTakeFirst()
  if (!task) return false
  await move(tx, services, orderId, 'refunded')
  await enqueue(tx, { kind: 'refund', once: orderId, payload: { orderId, by }, runAt: now })
  return true
}
