/** Queue items about money: refunds to pay or check, and payments in review. */
import { type SqlBool, sql } from 'kysely'
import { format } from '../../../domain/money.ts'
import { facilityCodesForSqlIn } from '../../../platform/database/facility-codes-for-sql-in.ts'
import { optionalCondition } from '../../../platform/database/optional-condition.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { capturedCents, paymentMethodLabel } from '../../payments/payment.ts'
import { spellOutCardLabel } from '../../payments/rules/card-brand-and-expiry.ts'
import type { QueueItem, QueueQuery } from '../../staff/rules/queue-item-and-query.ts'
import { REFUND_TASK } from '../rules/refund-task-kind-constant.ts'

/** Returns posted payments' refunds whose last attempt failed or that wait to be paid by check, as queue items. */
async function loadPostedRefunds({ db }: Pick<Services, 'db'>, query: QueueQuery): Promise<QueueItem[]> {
  const { codes, after, limit, only } = query
  const rows = await db.read
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.order_id', 'refunds.order_id')
    .innerJoin('leases', (join) =>
      join
        .onRef('leases.location_code', '=', 'refunds.location_code')
        .onRef('leases.lease_number', '=', 'refunds.lease_number'),
    )
    .leftJoin('tasks', (join) =>
      join
        .onRef('tasks.subject', '=', 'refunds.refund_id')
        .on('tasks.kind', '=', REFUND_TASK)
        .on('tasks.state', '=', 'open')
        .onRef('tasks.location_code', '=', 'refunds.location_code'),
    )
    .leftJoin('staff', 'staff.staff_id', 'tasks.assigned_to')
    .selectAll('payments')
    .select(['refunds.created_at as refund_created_at', 'refunds.state as refund_state'])
    .select(['refund_id', 'refunds.cents', 'last_error'])
    .select(['refunds.lease_number as lease', 'leases.unit_number', 'leases.tenant_id as tenant'])
    .select(['task_id', 'due_on', 'assigned_to', 'staff.name', 'refunds.note'])
    // A literal, because bound parameters would keep the database from using the index.
    .where(sql<SqlBool>`refunds.state in ('failed', 'by_hand')`)
    .$if(codes !== 'all', (query) => query.where('refunds.location_code', 'in', facilityCodesForSqlIn(codes)))
    .$call(
      optionalCondition(after, (query, { at, id }) =>
        query.where((eb) => eb(eb.refTuple('refunds.created_at', 'refund_id'), '>', eb.tuple(at, id))),
      ),
    )
    .$call(optionalCondition(only, (query, id) => query.where('refund_id', '=', id)))
    .orderBy('refunds.created_at')
    .orderBy('refund_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.refund_id,
    at: row.refund_created_at,
    due: row.due_on,
    cents: row.cents,
    unit: row.unit_number,
    what:
      row.refund_state === 'by_hand'
        ? `Pay a refund by check (${spellOutCardLabel(paymentMethodLabel(row))})`
        : `Refund to ${spellOutCardLabel(paymentMethodLabel(row))} failed`,
    hasFailed: row.refund_state === 'failed',
    why: row.refund_state === 'failed' ? (row.last_error ?? '') : row.note,
    locationCode: row.location_code,
    tenantId: row.tenant,
    leaseNumber: row.lease,
    owner: row.assigned_to === null ? null : { id: row.assigned_to, name: row.name ?? '' },
    ...(row.task_id !== null && { taskId: row.task_id }),
  }))
}

/** Returns refunds of payments that could not be posted, as queue items, once their last attempt has failed. */
async function loadUnpostedRefunds({ db }: Pick<Services, 'db'>, query: QueueQuery): Promise<QueueItem[]> {
  const { codes, after, limit, only } = query
  const rows = await db.read
    .selectFrom('refund_tasks')
    .innerJoin('payments', 'payments.order_id', 'refund_tasks.order_id')
    .selectAll('payments')
    .select(['refund_tasks.created_at as task_created_at', 'cents', 'last_error'])
    .where('refund_tasks.state', '=', 'failed')
    .$if(codes !== 'all', (query) => query.where('refund_tasks.location_code', 'in', facilityCodesForSqlIn(codes)))
    .$call(
      optionalCondition(after, (query, { at, id }) =>
        query.where((eb) => eb(eb.refTuple('refund_tasks.created_at', 'refund_tasks.order_id'), '>', eb.tuple(at, id))),
      ),
    )
    .$call(optionalCondition(only, (query, id) => query.where('refund_tasks.order_id', '=', id)))
    .orderBy('refund_tasks.created_at')
    .orderBy('refund_tasks.order_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.order_id,
    at: row.task_created_at,
    due: null,
    cents: row.cents,
    unit: '',
    owner: null,
    what: `Refund to ${spellOutCardLabel(paymentMethodLabel(row))} failed`,
    hasFailed: true,
    why: row.last_error ?? '',
    locationCode: row.location_code,
    tenantId: row.tenant_id,
    leaseNumber: row.lease_number,
  }))
}

/** Returns refunds that need a staff member as queue items, oldest first. */
export async function loadRefundItems(services: Pick<Services, 'db'>, query: QueueQuery): Promise<QueueItem[]> {
  const items = await Promise.all([loadPostedRefunds(services, query), loadUnpostedRefunds(services, query)])
  return items
    .flat()
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    .slice(0, query.limit)
}

/** Returns payments in review as queue items, oldest first. */
export async function loadReviewItems({ db }: Pick<Services, 'db'>, query: QueueQuery): Promise<QueueItem[]> {
  const { codes, after, limit, only } = query
  const rows = await db.read
    .selectFrom('payments')
    .selectAll()
    .where('state', '=', 'review')
    .$if(codes !== 'all', (query) => query.where('location_code', 'in', facilityCodesForSqlIn(codes)))
    .$call(
      optionalCondition(after, (query, { at, id }) =>
        query.where((eb) => eb(eb.refTuple('created_at', 'order_id'), '>', eb.tuple(at, id))),
      ),
    )
    .$call(optionalCondition(only, (query, id) => query.where('order_id', '=', id)))
    .orderBy('created_at')
    .orderBy('order_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.order_id,
    at: row.created_at,
    due: null,
    cents: capturedCents(row),
    unit: '',
    owner: null,
    what: `Payment to look at: ${format(capturedCents(row))} captured, ${format(row.amount)} agreed`,
    why: spellOutCardLabel(paymentMethodLabel(row)),
    locationCode: row.location_code,
    tenantId: row.tenant_id,
    leaseNumber: row.lease_number,
  }))
}
