/** Lists drawers left open since an earlier day, and deposits not matched with the bank, for the work queue. */

import { formatShort } from '../../../domain/plain-date.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { facilityCodesForSqlIn } from '../../../platform/database/facility-codes-for-sql-in.ts'
import { optionalCondition } from '../../../platform/database/optional-condition.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { QueueItem, QueueQuery } from '../../staff/rules/queue-items.ts'
import { mayCount } from '../load-drawers.ts'
import type { DrawerState } from '../rules/counter-receipts.ts'

const loadDrawers = (
  { db }: Pick<Services, 'db'>,
  state: Exclude<DrawerState, 'matched'>,
  { codes, after, limit, only }: QueueQuery,
) =>
  db.read
    .selectFrom('cash_batches')
    .innerJoin('locations', 'locations.location_code', 'cash_batches.location_code')
    .leftJoin('staff', 'staff.staff_id', 'cash_batches.opened_by')
    .selectAll('cash_batches')
    .select(['locations.time_zone', 'staff.name as opener'])
    .where('cash_batches.state', '=', state)
    .$if(codes !== 'all', (query) => query.where('cash_batches.location_code', 'in', facilityCodesForSqlIn(codes)))
    .$call(
      optionalCondition(after, (query, { at, id }) =>
        query.where((eb) => eb(eb.refTuple('opened_at', 'batch_id'), '>', eb.tuple(at, id))),
      ),
    )
    .$call(optionalCondition(only, (query, id) => query.where('batch_id', '=', id)))
    .orderBy('opened_at')
    .orderBy('batch_id')
    .limit(limit)
    .execute()

type Row = Awaited<ReturnType<typeof loadDrawers>>[number]

const queueItemOf = (row: Row, task: string): QueueItem => ({
  id: row.batch_id,
  at: row.opened_at,
  due: null,
  what: `${task} ${row.location_code} ${row.batch_id.slice(-4)}`,
  why: `${row.opener ?? ''}, opened ${formatShort(row.opened_on)}`,
  locationCode: row.location_code,
  tenantId: null,
  leaseNumber: null,
  unit: '',
  cents: row.deposit_cents,
  owner: null,
})

/** Returns drawers open since an earlier day that the staff member may count. */
export async function loadDrawersToCount(
  services: Pick<Services, 'db' | 'clock'>,
  caller: StaffCaller,
  query: QueueQuery,
): Promise<QueueItem[]> {
  const now = services.clock.now()
  const rows = await loadDrawers(services, 'open', query)
  return rows
    .filter((row) => row.opened_on < todayIn(row.time_zone, now) && mayCount(caller, row))
    .map((row) => queueItemOf(row, 'Count drawer'))
}

/** Returns deposits counted by another staff member that are not matched with the bank. */
export async function loadDepositsToMatch(
  services: Pick<Services, 'db'>,
  caller: StaffCaller,
  query: QueueQuery,
): Promise<QueueItem[]> {
  const rows = await loadDrawers(services, 'closed', query)
  return rows.filter((row) => row.closed_by !== caller.staffId).map((row) => queueItemOf(row, 'Match deposit'))
}
