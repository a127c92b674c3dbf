/** Work that waits for a person, whatever its kind: what the queue shows, and how its pages are read. */
import { type SqlBool, sql } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { isTenant } from '../../platform/database/record-keys.ts'
import type { StaffCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'

export interface Waiting {
  id: string
  /** Since when it waits; of a task midnight (UTC) of its day. With the id its place in the queue. */
  at: Instant
  /** The day it is due; null: now. */
  due: IsoDate | null
  what: string
  /** Why it waits, in a few words: the reason given, the last error. */
  why: string
  locationCode: string | null
  tenantId: number | null
  leaseNumber: number | null
  unit: string
  cents: Cents | null
  /** Who has it; null: unassigned. */
  owner: { id: string; name: string } | null
  /** Asked for by the person who looks at it. */
  own?: boolean
  /** The task that says who has it. */
  taskId?: string
}

export interface WaitingAsked {
  /** Facilities to look at. */
  codes: 'all' | readonly string[]
  /** Facilities picked: of the person's own work too, no other is shown. Empty for all. */
  picked?: readonly string[]
  /** Only what comes after this place. An id of '' stands before all, one of '~' behind all. */
  after: { at: Instant; id: string } | null
  limit: number
  /** One alone, by its id. */
  only?: string
  /** Those of the person, or unassigned ones; all where left out. */
  owner?: 'me' | 'none'
  /** With what others have. */
  others?: true
}

/** For an `in`, which takes no empty list. */
export const among = (codes: 'all' | readonly string[]): string[] =>
  codes === 'all' || codes.length === 0 ? [''] : [...codes]

/** Written out, not a parameter: the indexes on open rows are of no use otherwise. */
const openOnly = sql<SqlBool>`state = 'open'`

/** Requests for a second person at these facilities, and the person's own. */
export async function approvalsWaiting(
  { db }: Pick<Services, 'db'>,
  caller: StaffCaller,
  { codes, picked = [], after, limit, only }: WaitingAsked,
): Promise<Waiting[]> {
  const rows = await db.read
    .selectFrom('approvals')
    .innerJoin('staff', 'staff.staff_id', 'approvals.asked_by')
    .selectAll('approvals')
    .select('staff.name')
    .where(openOnly)
    .$if(codes !== 'all', (query) =>
      query.where((eb) => eb.or([eb('asked_by', '=', caller.staffId), eb('location_code', 'in', among(codes))])),
    )
    .$if(picked.length > 0, (query) => query.where('location_code', 'in', [...picked]))
    .$if(after !== null, (query) =>
      query.where((eb) => eb(eb.refTuple('asked_at', 'approval_id'), '>', eb.tuple(after!.at, after!.id))),
    )
    .$if(only !== undefined, (query) => query.where('approval_id', '=', only as string))
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

/** A request about a tenant that waits for a second person. */
export interface RequestAbout {
  id: string
  what: string
  why: string
  /** Who asked, by id and name, and when. */
  by: string
  byName: string
  at: Instant
}

/** Requests about a tenant that wait, the oldest first. */
export async function requestsAbout(
  { db }: Pick<Services, 'db'>,
  { locationCode, tenantId }: { locationCode: string; tenantId: number },
): Promise<RequestAbout[]> {
  const rows = await db.read
    .selectFrom('approvals')
    .innerJoin('staff', 'staff.staff_id', 'approvals.asked_by')
    .select(['approval_id', 'summary', 'reason', 'asked_by', 'asked_at', 'staff.name'])
    .where(openOnly)
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

/** Kinds of tasks that stand in the queue as something else: with what they are about. */
const shownElsewhere = ['refund']

/** Tasks of these facilities: the person's, and unassigned ones. */
export async function tasksWaiting(
  { db }: Pick<Services, 'db'>,
  caller: StaffCaller,
  { codes, picked = [], after, limit, only, owner, others }: WaitingAsked,
): Promise<Waiting[]> {
  const dayOf = (at: Instant) => new Date(at).toISOString().slice(0, 10)
  const rows = await db.read
    .selectFrom('tasks')
    .leftJoin('staff', 'staff.staff_id', 'tasks.assigned_to')
    .selectAll('tasks')
    .select('staff.name')
    .where(openOnly)
    .where('kind', 'not in', shownElsewhere)
    .where((eb) =>
      eb.or([
        ...(owner === 'none' ? [] : [eb('assigned_to', '=', caller.staffId)]),
        ...(owner === 'me'
          ? []
          : [
              eb.and([
                ...(others && owner !== 'none' ? [] : [eb('assigned_to', 'is', null)]),
                ...(codes === 'all' ? [] : [eb('tasks.location_code', 'in', among(codes))]),
              ]),
            ]),
      ]),
    )
    .$if(picked.length > 0, (query) => query.where('tasks.location_code', 'in', [...picked]))
    .$if(after !== null, (query) =>
      query.where((eb) => eb(eb.refTuple('due_on', 'task_id'), '>', eb.tuple(dayOf(after!.at), after!.id))),
    )
    .$if(only !== undefined, (query) => query.where('task_id', '=', only as string))
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
