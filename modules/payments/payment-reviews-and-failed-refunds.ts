/** Payments in manual review and failed refunds. Staff members decide them in the office; commands only list them. */

import type { Kysely, Selectable } from 'kysely'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { RefundTasksTable, Tables } from '../../platform/schema/tables.ts'
import { type ExtraWrites, loadPayment, type Payment, type SettleResult } from './payment.ts'
import { changePaymentState } from './payment-orders.ts'
import { insertRefundTask } from './refund-unposted-payments.ts'
import { postCaptured } from './settle-payment.ts'

export type RefundTask = Selectable<RefundTasksTable>

/** Returns captured payments that differ from what was agreed, oldest first. */
export const loadPaymentsInReview = (services: Services): Promise<Payment[]> =>
  services.db.read.selectFrom('payments').selectAll().where('state', '=', 'review').orderBy('captured_at').execute()

/**
 * Returns unfinished refunds, failed ones first.
 * @param state 'failed' or 'open' only; omitted for both
 */
export async function loadUnfinishedRefunds(services: Services, state?: 'open' | 'failed'): Promise<RefundTask[]> {
  return services.db.read
    .selectFrom('refund_tasks')
    .selectAll()
    .where('state', 'in', state ? [state] : ['open', 'failed'])
    .orderBy('state')
    .orderBy('created_at')
    .execute()
}

export type ReviewDecisionResult =
  /** The payment is posted as captured, or is refunded by decision or because it cannot be posted. */
  { ok: true; settled: SettleResult } | { ok: false; why: 'no_payment' | 'not_in_review' }

/**
 * Decides a payment in review: 'post' accepts the captured amount, 'refund' refunds it in full. Only the first decision
 * counts.
 * @param extraWrites further writes in the transaction of the decision
 */
export async function decideReview(
  services: Services,
  orderId: string,
  decision: 'post' | 'refund',
  extraWrites?: ExtraWrites,
): Promise<ReviewDecisionResult> {
  const payment = await loadPayment(services, orderId)
  if (!payment) return { ok: false, why: 'no_payment' }
  if (payment.state !== 'review') return { ok: false, why: 'not_in_review' }
  if (decision === 'post') return { ok: true, settled: await postCaptured(services, payment, extraWrites) }
  await insertRefundTask(services, payment, 'review_refused', extraWrites)
  const decided = await loadPayment(services, orderId)
  return decided?.state === 'refund_due' || decided?.state === 'refunded'
    ? { ok: true, settled: { state: 'refund' } }
    : { ok: false, why: 'not_in_review' }
}

/**
 * Reopens a failed refund and sets its number of attempts to 0.
 * @returns false if the refund has not failed
 */
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

/**
 * Records, in the caller's transaction, that a failed refund was paid by hand.
 * @param paidBy how it was paid, such as 'check 1042'
 * @returns false if the refund has not failed
 */
export async function recordPaidByHand(
  tx: Kysely<Tables>,
  services: Services,
  orderId: string,
  paidBy: string,
): Promise<boolean> {
  const now = services.clock.now()
  const task = await tx
    .updateTable('refund_tasks')
    .set({ state: 'done', done_at: now, last_error: `given back by ${paidBy}`.slice(0, 500) })
    .where('order_id', '=', orderId)
    .where('state', '=', 'failed')
    .returning('order_id')
    .executeTakeFirst()
  if (!task) return false
  await changePaymentState(tx, services, orderId, 'refunded')
  await enqueue(tx, { kind: 'refund', once: orderId, payload: { orderId, by: paidBy }, runAt: now })
  return true
}
