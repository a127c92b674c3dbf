/** Lists drawers left open since an earlier day, and deposits not matched with the bank, for the work queue. */

import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { formatShort } from '../../../domain/plain-date.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { facilityCodesForSqlIn } from '../../../platform/database/facility-codes-for-sql-in.ts'
import { optionalCondition } from '../../../platform/database/optional-condition.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { QueueItem, QueueQuery } from '../../staff/rules/queue-item-and-query.ts'
import { isCountableBy } from '../load-drawers.ts'
import type { DrawerState } from '../rules/counter-receipt-methods-and-states.ts'

/** Loads drawers in a state that meet `where`, a condition in SQL so that the limit counts only listed drawers. */
const loadDrawers = (
  { db }: Pick<Services, 'db'>,
  state: Exclude<DrawerState, 'matched'>,
  { codes, after, limit, only }: QueueQuery,
  where: (eb: ExpressionBuilder<Tables, 'cash_batches' | 'locations'>) => Expression<SqlBool>,
) =>
  db.read
    .selectFrom('cash_batches')
    .innerJoin('locations', 'locations.location_code', 'cash_batches.location_code')
    .leftJoin('staff', 'staff.staff_id', 'cash_batches.opened_by')
    .selectAll('cash_batches')
    .select(['locations.time_zone', 'staff.name as opener'])
    .where('cash_batches.state', '=', state)
    .where((eb) => where(eb))
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
  const zones = await services.db.read.selectFrom('locations').select('time_zone').distinct().execute()
  const rows = await loadDrawers(services, 'open', query, (eb) =>
    eb.and([
      eb.or(
        zones.map(({ time_zone }) =>
          eb.and([eb('time_zone', '=', time_zone), eb('opened_on', '<', todayIn(time_zone, now))]),
        ),
      ),
      isCountableBy(caller)(eb),
    ]),
  )
  return rows.map((row) => queueItemOf(row, 'Count drawer'))
}

/** Returns deposits counted by another staff member that are not matched with the bank. */
export async function loadDepositsToMatch(
  services: Pick<Services, 'db'>,
  caller: StaffCaller,
  query: QueueQuery,
): Promise<QueueItem[]> {
  const rows = await loadDrawers(services, 'closed', query, (eb) => eb('closed_by', 'is distinct from', caller.staffId))
  return rows.map((row) => queueItemOf(row, 'Match deposit'))
}
