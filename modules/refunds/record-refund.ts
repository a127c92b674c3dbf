/**
 * Records the refund of a posted payment: its refunded amount, the refund and ledger entries, in one transaction.
 * Afterwards a job sends the money, or a staff member pays it by check.
 */
import type { Kysely, Selectable } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { EntryReason } from '../../domain/office/ledger-entry-reasons.ts'
import { writtenAlready } from '../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { refusalError } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { RefundsTable, Tables } from '../../platform/schema/tables.ts'
import { loadSetting } from '../facilities/operator-settings-and-brand.ts'
import type { LockedLease } from '../leases/lock-lease-row.ts'
import { prepaidFrom } from '../payments/payers/post-lease-payment.ts'
import { capturedCents, type Payment, paymentMethodLabel } from '../payments/payment.ts'
import { raiseRefunded } from '../payments/payment-orders.ts'
import { addRefundToShare, isMultiUnitPayment, paymentForLease } from '../payments/payment-shares-by-lease.ts'
import { addTask } from '../staff/staff-tasks.ts'
import type { LedgerSteps } from '../standing/ledger-operation.ts'
import { postRefund } from '../standing/refund-entries.ts'
import type { WrittenEntries } from '../standing/rules/ledger-operation-result-types.ts'
import { REFUND_TASK } from './rules/refund-task-kind-constant.ts'
import {
  BANK_REFUND_DAYS,
  type RefundedChargeTreatment,
  type RefundRefusal,
  type RefundWay,
  refundRefusal,
} from './rules/why-not-refundable.ts'

export type Refund = Selectable<RefundsTable>

/** Kind of the tasks to collect a refund back from the payer, because the bank returned the refunded debit as well. */
export const COLLECT_TASK = 'collect'

/** A refund as a staff member requests it. */
export interface RefundRequest {
  /** Id of the form, so that one form creates one refund. */
  refundId: string
  cents: Cents
  way: RefundWay
  afterwards: RefundedChargeTreatment
  reason: EntryReason | ''
  note: string
}

/** Returns the number of days after which a bank debit may be refunded: setting `bank_refund_days`, or the default. */
export async function loadBankRefundDays(db: Kysely<Tables>): Promise<number> {
  const setting = await loadSetting(db, 'bank_refund_days')
  return setting !== null && /^\d{1,3}$/.test(setting) ? Number(setting) : BANK_REFUND_DAYS
}

/**
 * Loads an order by its id, reduced to the given lease's share when it pays for several leases.
 * @returns undefined when no such order concerns the lease
 */
export async function loadOrderForLease(
  db: Kysely<Tables>,
  orderKey: { order_id: string; location_code: string; lease_number: number },
): Promise<Payment | undefined> {
  const payment = await db
    .selectFrom('payments')
    .selectAll()
    .where('order_id', '=', orderKey.order_id)
    .where('location_code', '=', orderKey.location_code)
    .executeTakeFirst()
  return payment && paymentForLease(db, payment, orderKey.lease_number)
}

/** Returns why a payment cannot be refunded in the requested amount and way; null when it can. */
export const refusalOfRefund = (
  payment: Payment,
  request: { cents: Cents; way: RefundWay },
  context: { timeZone: string; now: number; bankDays: number },
): RefundRefusal | null =>
  refundRefusal(
    {
      state: payment.state,
      payer: payment.payer,
      method: payment.method,
      returnedAt: payment.returned_at,
      captured: capturedCents(payment),
      refunded: payment.refunded_cents,
      ofSeveral: isMultiUnitPayment(payment),
      postedOn: todayIn(context.timeZone, payment.posted_at ?? payment.created_at),
    },
    request,
    todayIn(context.timeZone, context.now),
    context.bankDays,
  )

/**
 * Writes a refund, with the lease locked.
 * @throws RefusalError with 409 when less of the payment is left, or the form was used before
 */
export async function writeRefund(
  act: LedgerSteps,
  { payment, lease, request }: { payment: Payment; lease: LockedLease; request: RefundRequest },
): Promise<WrittenEntries> {
  const { refundId, cents, way, afterwards, reason, note } = request
  const { tx, services } = act
  const now = services.clock.now()
  await raiseRefundedAmount(tx, payment, cents)
  const inserted = await tx
    .insertInto('refunds')
    .values({
      refund_id: refundId,
      order_id: payment.order_id,
      cents,
      way,
      afterwards,
      location_code: lease.location_code,
      tenant_id: lease.tenant_id,
      lease_number: lease.lease_number,
      state: way === 'provider' ? 'open' : 'by_hand',
      reason: reason || 'other',
      note,
      staff_id: act.staff.staffId,
      attempts: 0,
      last_error: null,
      paid_by: null,
      created_at: now,
      done_at: null,
    })
    .onConflict((conflict) => conflict.column('refund_id').doNothing())
    .returning('refund_id')
    .executeTakeFirst()
  if (!inserted) throw refusalError(409, 'written', writtenAlready)
  const written = await postRefund(act, {
    lease,
    refundId,
    orderId: payment.order_id,
    cents,
    forgiven: afterwards === 'forgiven',
    description: way === 'provider' ? `Refund to ${paymentMethodLabel(payment)}` : 'Refund by check',
    ahead: cents === capturedCents(payment) ? prepaidFrom(services, payment) : null,
  })
  if (way === 'provider') await enqueue(tx, { kind: 'send_refund', once: refundId, payload: { refundId }, runAt: now })
  else {
    const task = { kind: REFUND_TASK, note: 'Pay a refund by check' } as const
    await addRefundTask(tx, services, { ...lease, refund_id: refundId, cents }, task)
  }
  return written
}

/** Raises the refunded amount of a payment and of its lease's share, never above the captured amount. */
async function raiseRefundedAmount(tx: Kysely<Tables>, payment: Payment, cents: Cents): Promise<void> {
  const raised = await raiseRefunded(tx, payment.order_id, cents)
  if (!raised || !(await addRefundToShare(tx, payment, cents)))
    throw refusalError(409, 'more_than_left', 'Less of this payment is left by now. Look at it again.')
}

/** Creates a task for a staff member about a refund. */
export const addRefundTask = (
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  refund: Pick<Refund, 'refund_id' | 'location_code' | 'tenant_id' | 'lease_number' | 'cents'> & { time_zone: string },
  { kind, note }: { kind: typeof REFUND_TASK | typeof COLLECT_TASK; note: string },
): Promise<string | null> =>
  addTask(tx, services, null, {
    kind,
    // The key includes the time, since a refund that is attempted again may fail again.
    once: `${refund.refund_id}:${services.clock.now()}`,
    note,
    dueOn: todayIn(refund.time_zone, services.clock.now()),
    locationCode: refund.location_code,
    ...(refund.tenant_id !== null && { tenantId: refund.tenant_id }),
    leaseNumber: refund.lease_number,
    subject: refund.refund_id,
    cents: refund.cents,
  })
