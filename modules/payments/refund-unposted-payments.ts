import type { Selectable } from 'kysely'
import { HOUR } from '../../domain/durations.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { RefundTasksTable } from '../../platform/schema/tables.ts'
import { errorMessage } from '../../ports/errors/error-code-and-message.ts'
import { MAX_REFUND_ATTEMPTS } from '../refunds/rules/max-refund-attempts.ts'
import { enqueueOrderMail } from './internal/order-mails.ts'
import { capturedCents, type ExtraWrites, type Payment } from './payment.ts'
import { changePaymentState } from './payment-orders.ts'

/**
 * Marks a payment to be refunded in full, and adds a task for its refund. Does nothing if the payment's state does not
 * allow a refund.
 * @param reason code of the reason, stored with the payment and the task
 * @param extraWrites further writes in the same transaction
 */
export async function insertRefundTask(
  services: Services,
  payment: Payment,
  reason: string,
  extraWrites?: ExtraWrites,
): Promise<void> {
  const now = services.clock.now()
  const cents = capturedCents(payment)
  await services.db.transaction(async (tx) => {
    const changed = await changePaymentState(tx, services, payment.order_id, 'refund_due', { trouble: reason })
    if (!changed) return
    await tx
      .insertInto('refund_tasks')
      .values({
        order_id: payment.order_id,
        location_code: payment.location_code,
        cents,
        reason: reason,
        state: 'open',
        attempts: 0,
        last_error: null,
        created_at: now,
        done_at: null,
      })
      .onConflict((conflict) => conflict.column('order_id').doNothing())
      .execute()
    await extraWrites?.(tx)
  })
}

/**
 * Returns the backoff after `attempts` failures, in milliseconds since the task was opened: 30 s, doubled each time, at
 * most 6 h apart.
 */
export function refundBackoff(attempts: number): number {
  const doubled = Math.min(attempts, 10)
  return 30_000 * (2 ** doubled - 1) + (attempts - doubled) * 6 * HOUR
}

/** Attempt at which a failing refund is first reported; reported again when it fails for good. */
export const REPORTED_REFUND_ATTEMPT = 3

/** Returns the changed columns of a refund after a failed attempt, and whether it was the last attempt. */
export function failedRefundAttempt({ attempts: earlier }: { attempts: number }, failure: string) {
  const attempts = earlier + 1
  const isLast = attempts >= MAX_REFUND_ATTEMPTS
  const columns = { attempts, last_error: failure.slice(0, 500), ...(isLast && { state: 'failed' as const }) }
  return { attempts, isLast, columns }
}

/** Reports a failed attempt to refund, if it is the last one or the first to report. */
export function reportFailedRefund(
  services: Pick<Services, 'errors'>,
  { attempts, isLast }: { attempts: number; isLast: boolean },
  failure: string,
  ids: { order: string; refund?: string },
): void {
  if (isLast || attempts === REPORTED_REFUND_ATTEMPT)
    services.errors.report(new Error(`A refund ${isLast ? 'failed for good' : 'keeps failing'}: ${failure}`), ids)
}

/** Reports a debit that we refunded and the bank also returned, so that the payer got the money twice. */
export function reportDoubleRefund(services: Pick<Services, 'errors'>, orderId: string, cents: number): void {
  services.errors.report(new Error('The bank sent back a debit that was given back already'), {
    order: orderId,
    cents: String(cents),
  })
}

type DueRefund = Selectable<RefundTasksTable> & Pick<Payment, 'method' | 'return_code'>

/** Loads open refunds whose next attempt is due, and open or failed ones whose debit the bank has returned. */
async function loadDueRefunds(services: Services, max: number): Promise<DueRefund[]> {
  // Reads more rows than needed, since the filter below leaves out refunds whose backoff has not ended.
  const candidates = await services.db.read
    .selectFrom('refund_tasks')
    .innerJoin('payments', 'payments.order_id', 'refund_tasks.order_id')
    .selectAll('refund_tasks')
    .select(['method', 'return_code'])
    .where((eb) =>
      eb.or([
        eb('refund_tasks.state', '=', 'open'),
        eb.and([eb('refund_tasks.state', '=', 'failed'), eb('returned_at', 'is not', null)]),
      ]),
    )
    .orderBy('attempts')
    .orderBy('refund_tasks.created_at')
    .limit(max * 10)
    .execute()
  const now = services.clock.now()
  return candidates
    .filter((task) => task.return_code !== null || task.created_at + refundBackoff(task.attempts) <= now)
    .slice(0, max)
}

/**
 * Returns whether a due refund needs no payment: the bank has returned the debit, so that a credit would pay twice, or
 * nothing was captured.
 */
const needsNoCredit = (task: DueRefund): boolean => task.return_code !== null || task.cents === 0

/**
 * Requests from the bank or card provider that an order's whole amount goes back.
 * @returns the reason of a failure; '' on success
 */
export async function requestRefund(
  services: Services,
  task: { order_id: string; cents: number; method: 'CC' | 'ACH' },
): Promise<string> {
  const orderId = task.order_id
  try {
    if (task.method === 'ACH') {
      const response = await services.bank.refund({ orderId, amount: task.cents })
      return response.done ? '' : `${response.code} ${response.description}`
    }
    const response = await services.cardProvider.refund({ orderId })
    return response.done ? '' : `${response.responseCode} ${response.responseDescription}`
  } catch (error) {
    return errorMessage(error)
  }
}

async function recordFailure(services: Services, task: DueRefund, failure: string): Promise<void> {
  const attempt = failedRefundAttempt(task, failure)
  const updated = await services.db.write
    .updateTable('refund_tasks')
    .set(attempt.columns)
    .where('order_id', '=', task.order_id)
    .where('state', '=', 'open')
    // Two processes at the same time count as one attempt.
    .where('attempts', '=', task.attempts)
    .returning('order_id')
    .executeTakeFirst()
  if (updated) reportFailedRefund(services, attempt, failure, { order: task.order_id })
}

async function recordRefunded(services: Services, task: DueRefund): Promise<void> {
  const now = services.clock.now()
  const refundedTwice = await services.db.transaction(async (tx) => {
    const finished = await tx
      .updateTable('refund_tasks')
      .set((eb) => ({ state: 'done', done_at: now, attempts: eb('attempts', '+', 1), last_error: null }))
      .where('order_id', '=', task.order_id)
      .where('state', '=', task.state)
      .returning('order_id')
      .executeTakeFirst()
    if (!finished) return false
    const refunded = await changePaymentState(tx, services, task.order_id, 'refunded')
    if (needsNoCredit(task)) return false
    await enqueueOrderMail(tx, 'refund', task.order_id, now)
    // The bank returned the debit while we refunded it.
    return refunded !== null && refunded.returned_at !== null
  })
  if (refundedTwice) reportDoubleRefund(services, task.order_id, task.cents)
}

/**
 * Makes the refunds that are due, with backoff. After `MAX_REFUND_ATTEMPTS` attempts a refund waits for a staff
 * member.
 * @returns number of finished refunds, including those that need no payment
 */
export async function processRefunds(services: Services, max = 50): Promise<number> {
  const tasks = await loadDueRefunds(services, max)
  // The task must be on disk before its refund is requested.
  if (tasks.length > 0) await services.db.flush()
  let finished = 0
  for (const task of tasks) {
    const failure = needsNoCredit(task) ? '' : await requestRefund(services, task)
    if (failure) await recordFailure(services, task, failure)
    else {
      await recordRefunded(services, task)
      finished += 1
    }
  }
  return finished
}
