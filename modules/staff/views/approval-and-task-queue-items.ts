/** Approval requests and tasks as items of the office queue. */

import { type SqlBool, sql } from 'kysely'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import { facilityCodesForSqlIn } from '../../../platform/database/facility-codes-for-sql-in.ts'
import { optionalCondition } from '../../../platform/database/optional-condition.ts'
import { isTenant } from '../../../platform/database/where-tenant-or-lease-key.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { REFUND_TASK } from '../../refunds/rules/refund-task-kind-constant.ts'
import type { QueueItem, QueueQuery } from '../rules/queue-item-and-query.ts'

/**
 * Condition for approval requests and tasks in state 'open'. A literal, because a bound parameter would keep the
 * database from using the partial indexes.
 */
const isOpen = sql<SqlBool>`state = 'open'`

/** Returns items of open approval requests at these facilities and of the staff member's own requests. */
export async function loadApprovalItems(
  { db }: Pick<Services, 'db'>,
  caller: StaffCaller,
  { codes, picked = [], after, limit, only }: QueueQuery,
): Promise<QueueItem[]> {
  const rows = await db.read
    .selectFrom('approvals')
    .innerJoin('staff', 'staff.staff_id', 'approvals.asked_by')
    .selectAll('approvals')
    .select('staff.name')
    .where(isOpen)
    .$if(codes !== 'all', (query) =>
      query.where((eb) =>
        eb.or([eb('asked_by', '=', caller.staffId), eb('location_code', 'in', facilityCodesForSqlIn(codes))]),
      ),
    )
    .$if(picked.length > 0, (query) => query.where('location_code', 'in', [...picked]))
    .$if(after !== null, (query) =>
      query.where((eb) => eb(eb.refTuple('asked_at', 'approval_id'), '>', eb.tuple(after!.at, after!.id))),
    )
    .$call(optionalCondition(only, (query, id) => query.where('approval_id', '=', id)))
    .orderBy('asked_at')
    .orderBy('approval_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.approval_id,
    at: row.asked_at,
    due: null,
    what: row.summary,
    cents: row.cents,
    owner: null,
    why: `${row.asked_by === caller.staffId ? 'You' : row.name}: ${row.reason}`,
    locationCode: row.location_code,
    tenantId: row.tenant_id,
    leaseNumber: row.lease_number,
    unit: '',
    own: row.asked_by === caller.staffId,
  }))
}

/** An open approval request about a tenant. */
export interface TenantApprovalRequest {
  id: string
  what: string
  why: string
  /** Staff id of the requester. */
  by: string
  byName: string
  at: Instant
}

/** Returns open approval requests about a tenant, oldest first, at most 20. */
export async function loadTenantApprovalRequests(
  { db }: Pick<Services, 'db'>,
  { locationCode, tenantId }: { locationCode: string; tenantId: number },
): Promise<TenantApprovalRequest[]> {
  const rows = await db.read
    .selectFrom('approvals')
    .innerJoin('staff', 'staff.staff_id', 'approvals.asked_by')
    .select(['approval_id', 'summary', 'reason', 'asked_by', 'asked_at', 'staff.name'])
    .where(isOpen)
    .where(isTenant({ location_code: locationCode, tenant_id: tenantId }))
    .orderBy('asked_at')
    .orderBy('approval_id')
    .limit(20)
    .execute()
  return rows.map((row) => ({
    id: row.approval_id,
    what: row.summary,
    why: row.reason,
    by: row.asked_by,
    byName: row.name,
    at: row.asked_at,
  }))
}

/**
 * Kinds of tasks that the work queue does not list, since it shows their subject, such as a refund, as an item of its
 * own.
 */
const kindsWithOwnItems = [REFUND_TASK]

/**
 * Returns items of open tasks: tasks of the staff member, and unassigned tasks at these facilities; with `others`, also
 * tasks of other staff members at these facilities.
 */
export async function loadTaskItems(
  { db }: Pick<Services, 'db'>,
  caller: StaffCaller,
  { codes, picked = [], after, limit, only, owner, others }: QueueQuery,
): Promise<QueueItem[]> {
  const dayOf = (at: Instant) => new Date(at).toISOString().slice(0, 10)
  const rows = await db.read
    .selectFrom('tasks')
    .leftJoin('staff', 'staff.staff_id', 'tasks.assigned_to')
    .selectAll('tasks')
    .select('staff.name')
    .where(isOpen)
    .where('kind', 'not in', kindsWithOwnItems)
    .where((eb) =>
      eb.or([
        ...(owner === 'none' ? [] : [eb('assigned_to', '=', caller.staffId)]),
        ...(owner === 'me'
          ? []
          : [
              eb.and([
                ...(others && owner !== 'none' ? [] : [eb('assigned_to', 'is', null)]),
                ...(codes === 'all' ? [] : [eb('tasks.location_code', 'in', facilityCodesForSqlIn(codes))]),
              ]),
            ]),
      ]),
    )
    .$if(picked.length > 0, (query) => query.where('tasks.location_code', 'in', [...picked]))
    .$if(after !== null, (query) =>
      query.where((eb) => eb(eb.refTuple('due_on', 'task_id'), '>', eb.tuple(dayOf(after!.at), after!.id))),
    )
    .$call(optionalCondition(only, (query, id) => query.where('task_id', '=', id)))
    .orderBy('due_on')
    .orderBy('task_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.task_id,
    at: Date.parse(row.due_on),
    due: row.due_on,
    cents: row.cents,
    unit: '',
    what: row.note || row.kind,
    why: row.note ? row.kind : '',
    locationCode: row.location_code,
    tenantId: row.tenant_id,
    leaseNumber: row.lease_number,
    owner: row.assigned_to === null ? null : { id: row.assigned_to, name: row.name ?? '' },
    taskId: row.task_id,
  }))
}
