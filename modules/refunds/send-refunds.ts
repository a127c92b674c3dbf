/**
 * Sends recorded refunds to the provider outside transactions, with retries. A failed refund waits for a staff member.
 */
import type { Kysely } from 'kysely'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import type { JobHandler } from '../../platform/jobs/job-runner.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { REPORTED_REFUND_ATTEMPT, refundBackoff, reportDoubleRefund, requestRefund } from '../payments/refund-tasks.ts'
import { endTasksAbout } from '../staff/staff-tasks.ts'
import { COLLECT_TASK, REFUND_TASK, type Refund, refundTask } from './post-refund.ts'
import { MAX_REFUND_ATTEMPTS } from './rules/refund-attempts.ts'

type DueRefund = Refund & { method: 'CC' | 'ACH'; return_code: string | null; time_zone: string }

const withPayment = (db: Kysely<Tables>, refundId: string): Promise<DueRefund | undefined> =>
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
    const refund = await withPayment(services.db.read, refundId)
    if (refund?.state !== 'open') return
    // The bank has returned the debit, so a refund would pay twice. Reversing the debit ends the refund.
    if (refund.return_code !== null) return
    // No money leaves before the refund's row is safe from a power cut.
    await services.db.flush()
    const failure = await requestRefund(services, refund)
    return failure ? (tx) => recordFailure(tx, services, refund, failure) : (tx) => recordSent(tx, services, refund)
  }

async function recordFailure(
  tx: Kysely<Tables>,
  services: Services,
  refund: DueRefund,
  failure: string,
): Promise<void> {
  const tries = refund.attempts + 1
  const over = tries >= MAX_REFUND_ATTEMPTS
  const noted = await tx
    .updateTable('refunds')
    .set({ attempts: tries, last_error: failure.slice(0, 500), ...(over && { state: 'failed' }) })
    .where('refund_id', '=', refund.refund_id)
    .where('state', '=', 'open')
    .where('attempts', '=', refund.attempts)
    .returning('refund_id')
    .executeTakeFirst()
  if (!noted) return
  if (over) await refundTask(tx, services, refund, { kind: REFUND_TASK, note: 'A refund could not be sent' })
  else await tryAgain(tx, services, refund.refund_id, tries, refundBackoff(tries) - refundBackoff(tries - 1))
  if (over || tries === REPORTED_REFUND_ATTEMPT)
    services.errors.report(new Error(`A refund ${over ? 'was given up' : 'keeps failing'}: ${failure}`), {
      order: refund.order_id,
      refund: refund.refund_id,
    })
}

const tryAgain = (tx: Kysely<Tables>, services: Services, refundId: string, tries: number, wait: number) => {
  const now = services.clock.now()
  const runAt = now + wait
  // The instant distinguishes attempts after a revival from earlier ones.
  return enqueue(tx, { kind: 'send_refund', once: `${refundId}:${tries}:${runAt}`, payload: { refundId }, runAt, now })
}

async function recordSent(tx: Kysely<Tables>, services: Services, refund: DueRefund): Promise<void> {
  const now = services.clock.now()
  const done = await tx
    .updateTable('refunds')
    .set((eb) => ({ state: 'done', done_at: now, attempts: eb('attempts', '+', 1), last_error: null }))
    .where('refund_id', '=', refund.refund_id)
    .where('state', 'in', ['open', 'returned'])
    .returning('refund_id')
    .executeTakeFirst()
  if (!done) return
  await tellPayer(tx, refund.refund_id, now)
  const { returned_at } = await tx
    .selectFrom('payments')
    .select('returned_at')
    .where('order_id', '=', refund.order_id)
    .executeTakeFirstOrThrow()
  if (returned_at !== null) await paidTwice(tx, services, refund)
}

const tellPayer = (tx: Kysely<Tables>, refundId: string, now: number) =>
  enqueue(tx, { kind: 'refund_sent', once: refundId, payload: { refundId }, runAt: now })

/** Creates a task and reports that the payer got a debit back twice: refunded, and returned by the bank. */
async function paidTwice(tx: Kysely<Tables>, services: Services, refund: DueRefund): Promise<void> {
  await refundTask(tx, services, refund, {
    kind: COLLECT_TASK,
    note: 'The bank sent back a debit that was refunded: collect it again',
  })
  reportDoubleRefund(services, refund.order_id, refund.cents)
}

/**
 * Ends the unsent refunds of a debit that the bank returned; sent ones have paid the debit twice. Runs in the
 * reversal's transaction.
 */
export async function endRefundsOfReturnedDebit(
  tx: Kysely<Tables>,
  services: Services,
  orderId: string,
): Promise<void> {
  const stopped = await tx
    .updateTable('refunds')
    .set({ state: 'returned', done_at: services.clock.now() })
    .where('order_id', '=', orderId)
    .where('state', 'in', ['open', 'failed', 'by_hand'])
    .returning('refund_id')
    .execute()
  for (const { refund_id } of stopped)
    await endTasksAbout(tx, services, { kind: REFUND_TASK, subject: refund_id }, { by: null, state: 'dropped' })
  const left = await tx
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.order_id', 'refunds.order_id')
    .innerJoin('locations', 'locations.location_code', 'refunds.location_code')
    .selectAll('refunds')
    .select(['method', 'return_code', 'time_zone'])
    .where('refunds.order_id', '=', orderId)
    .where('refunds.state', '=', 'done')
    .execute()
  for (const refund of left) await paidTwice(tx, services, refund)
}

/**
 * Reopens a failed refund with its attempts reset, schedules its next attempt and ends the tasks about it. Runs in the
 * caller's transaction.
 * @returns the refund; null when it had not failed
 */
export async function reopenRefund(
  tx: Kysely<Tables>,
  services: Services,
  refundId: string,
  who: string,
): Promise<Refund | null> {
  const revived = await tx
    .updateTable('refunds')
    .set({ state: 'open', attempts: 0, last_error: null })
    .where('refund_id', '=', refundId)
    .where('state', '=', 'failed')
    .returningAll()
    .executeTakeFirst()
  if (!revived) return null
  await tryAgain(tx, services, refundId, 0, 0)
  await endTasksAbout(tx, services, { kind: REFUND_TASK, subject: refundId }, { by: who, state: 'done' })
  return revived
}

/**
 * Records that a staff member paid a refund by hand. Runs in the caller's transaction.
 * @param by.how for example 'check 1042'
 * @returns the refund; null when it did not wait for a staff member
 */
export async function refundPaidByHand(
  tx: Kysely<Tables>,
  services: Services,
  refundId: string,
  { how, who }: { how: string; who: string },
): Promise<Refund | null> {
  const now = services.clock.now()
  const paid = await tx
    .updateTable('refunds')
    .set({ state: 'done', done_at: now, paid_by: how })
    .where('refund_id', '=', refundId)
    .where('state', 'in', ['failed', 'by_hand'])
    .returningAll()
    .executeTakeFirst()
  if (!paid) return null
  await endTasksAbout(tx, services, { kind: REFUND_TASK, subject: refundId }, { by: who, state: 'done' })
  await tellPayer(tx, refundId, now)
  return paid
}
