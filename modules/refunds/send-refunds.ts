/**
 * Sends recorded refunds to the card provider or the bank, outside transactions and with retries. After the last
 * attempt a refund waits for a staff member.
 */
import type { Kysely } from 'kysely'
import { afterCommit } from '../../platform/database/after-commit.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { JobHandler } from '../../platform/jobs/job-runner.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import {
  failedRefundAttempt,
  refundBackoff,
  reportDoubleRefund,
  reportFailedRefund,
  requestRefund,
} from '../payments/refund-unposted-payments.ts'
import { endTasksAbout } from '../staff/staff-tasks.ts'
import { addRefundTask, COLLECT_TASK, type Refund } from './record-refund.ts'
import { REFUND_TASK } from './rules/refund-task-kind-constant.ts'

type RefundWithPayment = Refund & { method: 'CC' | 'ACH'; return_code: string | null; time_zone: string }

const loadRefundWithPayment = (db: Kysely<Tables>, refundId: string): Promise<RefundWithPayment | undefined> =>
  db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.order_id', 'refunds.order_id')
    .innerJoin('locations', 'locations.location_code', 'refunds.location_code')
    .selectAll('refunds')
    .select(['method', 'return_code', 'time_zone'])
    .where('refund_id', '=', refundId)
    .executeTakeFirst()

/** Handles one attempt to send a refund. The result is written in the transaction that ends the job. */
export const sendRefund =
  (services: Services): JobHandler<'send_refund'> =>
  async ({ payload: { refundId } }) => {
    const refund = await loadRefundWithPayment(services.db.read, refundId)
    if (refund?.state !== 'open') return
    // The bank has returned the debit, so a refund would pay twice. `endRefundsOfReturnedDebit` closes the refund.
    if (refund.return_code !== null) return
    // The refund must be on disk before it is requested.
    await services.db.flush()
    const failure = await requestRefund(services, refund)
    return failure ? (tx) => recordFailure(tx, services, refund, failure) : (tx) => recordSent(tx, services, refund)
  }

async function recordFailure(
  tx: Kysely<Tables>,
  services: Services,
  refund: RefundWithPayment,
  failure: string,
): Promise<void> {
  const attempt = failedRefundAttempt(refund, failure)
  const { attempts, isLast } = attempt
  const updated = await tx
    .updateTable('refunds')
    .set(attempt.columns)
    .where('refund_id', '=', refund.refund_id)
    .where('state', '=', 'open')
    .where('attempts', '=', refund.attempts)
    .returning('refund_id')
    .executeTakeFirst()
  if (!updated) return
  if (isLast) await addRefundTask(tx, services, refund, { kind: REFUND_TASK, note: 'A refund could not be sent' })
  // `refundBackoff` counts from the opening of the refund, so the difference is the wait until the next attempt.
  else
    await enqueueAttempt(
      tx,
      services,
      refund.refund_id,
      attempts,
      refundBackoff(attempts) - refundBackoff(attempts - 1),
    )
  const ids = { order: refund.order_id, refund: refund.refund_id }
  afterCommit(tx, () => reportFailedRefund(services, attempt, failure, ids))
}

const enqueueAttempt = (tx: Kysely<Tables>, services: Services, refundId: string, attempts: number, waitMs: number) => {
  const now = services.clock.now()
  const runAt = now + waitMs
  // The key includes the time, since a reopened refund counts its attempts from 0 again.
  return enqueue(tx, {
    kind: 'send_refund',
    once: `${refundId}:${attempts}:${runAt}`,
    payload: { refundId },
    runAt,
    now,
  })
}

async function recordSent(tx: Kysely<Tables>, services: Services, refund: RefundWithPayment): Promise<void> {
  const now = services.clock.now()
  const updated = await tx
    .updateTable('refunds')
    .set((eb) => ({ state: 'done', done_at: now, attempts: eb('attempts', '+', 1), last_error: null }))
    .where('refund_id', '=', refund.refund_id)
    // 'returned': the bank returned the debit while this refund was being sent.
    .where('state', 'in', ['open', 'returned'])
    .returning('refund_id')
    .executeTakeFirst()
  if (!updated) return
  await notifyPayer(tx, refund.refund_id, now)
  const { returned_at } = await tx
    .selectFrom('payments')
    .select('returned_at')
    .where('order_id', '=', refund.order_id)
    .executeTakeFirstOrThrow()
  if (returned_at !== null) await recordDoubleRefund(tx, services, refund)
}

const notifyPayer = (tx: Kysely<Tables>, refundId: string, now: number) =>
  enqueue(tx, { kind: 'refund_sent', once: refundId, payload: { refundId }, runAt: now })

/** Creates a collection task and reports an error: the payer got a debit back twice, as a refund and from the bank. */
async function recordDoubleRefund(tx: Kysely<Tables>, services: Services, refund: RefundWithPayment): Promise<void> {
  await addRefundTask(tx, services, refund, {
    kind: COLLECT_TASK,
    note: 'The bank sent back a debit that was refunded: collect it again',
  })
  afterCommit(tx, () => reportDoubleRefund(services, refund.order_id, refund.cents))
}

/**
 * Ends the unsent refunds of a debit that the bank returned. For refunds already paid it creates collection tasks,
 * since the payer got the debit back twice.
 */
export async function endRefundsOfReturnedDebit(
  tx: Kysely<Tables>,
  services: Services,
  orderId: string,
): Promise<void> {
  const endedRefunds = await tx
    .updateTable('refunds')
    .set({ state: 'returned', done_at: services.clock.now() })
    .where('order_id', '=', orderId)
    .where('state', 'in', ['open', 'failed', 'by_hand'])
    .returning('refund_id')
    .execute()
  for (const { refund_id } of endedRefunds)
    await endTasksAbout(tx, services, { kind: REFUND_TASK, subject: refund_id }, { by: null, state: 'dropped' })
  const paidRefunds = await tx
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.order_id', 'refunds.order_id')
    .innerJoin('locations', 'locations.location_code', 'refunds.location_code')
    .selectAll('refunds')
    .select(['method', 'return_code', 'time_zone'])
    .where('refunds.order_id', '=', orderId)
    .where('refunds.state', '=', 'done')
    .execute()
  for (const refund of paidRefunds) await recordDoubleRefund(tx, services, refund)
}

/**
 * Reopens a failed refund: resets its attempts, enqueues the next attempt for now and ends the refund's tasks.
 * @returns the refund; null when its state is not `failed`
 */
export async function reopenRefund(
  tx: Kysely<Tables>,
  services: Services,
  refundId: string,
  staffId: string,
): Promise<Refund | null> {
  const refund = await tx
    .updateTable('refunds')
    .set({ state: 'open', attempts: 0, last_error: null })
    .where('refund_id', '=', refundId)
    .where('state', '=', 'failed')
    .returningAll()
    .executeTakeFirst()
  if (!refund) return null
  await enqueueAttempt(tx, services, refundId, 0, 0)
  await endTasksAbout(tx, services, { kind: REFUND_TASK, subject: refundId }, { by: staffId, state: 'done' })
  return refund
}

/**
 * Records that a staff member paid a refund by hand.
 * @param payout.how means of payment, such as 'check 1042'
 * @param payout.staffId staff member who recorded the payout
 * @returns the refund; null when its state is neither `failed` nor `by_hand`
 */
export async function recordRefundPaidByHand(
  tx: Kysely<Tables>,
  services: Services,
  refundId: string,
  payout: { how: string; staffId: string },
): Promise<Refund | null> {
  const now = services.clock.now()
  const refund = await tx
    .updateTable('refunds')
    .set({ state: 'done', done_at: now, paid_by: payout.how })
    .where('refund_id', '=', refundId)
    .where('state', 'in', ['failed', 'by_hand'])
    .returningAll()
    .executeTakeFirst()
  if (!refund) return null
  await endTasksAbout(tx, services, { kind: REFUND_TASK, subject: refundId }, { by: payout.staffId, state: 'done' })
  await notifyPayer(tx, refundId, now)
  return refund
}
