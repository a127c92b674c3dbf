/** Lists drawers and their facilities for the office. */

import { type Kysely, sql } from 'kysely'
import type { Permission } from '../../../domain/office/roles-and-permissions.ts'
import { facilityCodesForSqlIn } from '../../../platform/database/facility-codes-for-sql-in.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { facilitiesFor } from '../../../platform/operations/facilities-of-staff.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { OFFICE_FACILITY_ID } from '../../facilities/rules/operator-office-facility-id.ts'
import { type Drawer, isNotVoided } from '../load-drawers.ts'
import { allowedFacilities, facilitiesWithDrawers } from './drawers-visible-to-staff.ts'

/** A drawer with the name of its opener, the time zone of its facility and the sum of its receipts. */
export interface ListedDrawer extends Drawer {
  openedByName: string
  timeZone: string
  /** Sum of the drawer's receipts in cents, and their number, without voided ones. */
  cents: number
  receipts: number
}

const selectDrawers = (db: Kysely<Tables>) =>
  db
    .selectFrom('cash_batches')
    .innerJoin('locations', 'locations.location_code', 'cash_batches.location_code')
    .leftJoin('staff', 'staff.staff_id', 'cash_batches.opened_by')
    .selectAll('cash_batches')
    .select((eb) => [
      'locations.time_zone as timeZone',
      'staff.name as opener',
      eb
        .selectFrom('counter_receipts')
        .whereRef('counter_receipts.batch_id', '=', 'cash_batches.batch_id')
        .where(isNotVoided)
        .select((sub) => sub.fn.coalesce(sub.fn.sum<number>('cents'), sub.lit(0)).as('cents'))
        .as('cents'),
      eb
        .selectFrom('counter_receipts')
        .whereRef('counter_receipts.batch_id', '=', 'cash_batches.batch_id')
        .where(isNotVoided)
        .select((sub) => sub.fn.countAll<number>().as('receipts'))
        .as('receipts'),
    ])

const listedDrawerOf = ({
  opener,
  cents,
  receipts,
  ...drawer
}: Drawer & { timeZone: string; opener: string | null; cents: unknown; receipts: unknown }): ListedDrawer => ({
  ...drawer,
  openedByName: opener ?? '',
  cents: Number(cents),
  receipts: Number(receipts),
})

/** Returns up to 100 open drawers that the staff member may receive into, or with `seen` may see; their own first. */
export async function loadOpenDrawers(
  db: Kysely<Tables>,
  caller: StaffCaller,
  { chosen = 'all', seen = false }: { chosen?: readonly string[] | 'all'; seen?: boolean } = {},
): Promise<ListedDrawer[]> {
  const places = allowedFacilities(
    seen ? facilitiesWithDrawers(caller) : facilitiesFor(caller, 'payment.receive'),
    chosen,
  )
  const rows = await selectDrawers(db)
    // The state is a literal, since the partial index of open drawers is used only with a literal.
    .where('cash_batches.state', '=', sql.lit<'open'>('open'))
    .$if(places !== 'all', (query) => query.where('cash_batches.location_code', 'in', facilityCodesForSqlIn(places)))
    .orderBy((eb) => eb.case().when('cash_batches.opened_by', '=', caller.staffId).then(0).else(1).end())
    .orderBy('cash_batches.opened_at')
    .limit(100)
    .execute()
  return rows.map(listedDrawerOf)
}

/**
 * Returns up to 100 counted drawers that await a match with the bank, then up to `matched` matched drawers; of each, those
 * opened last, newest first.
 */
export async function loadClosedDrawers(
  db: Kysely<Tables>,
  caller: StaffCaller,
  { chosen = 'all', matched = 5 }: { chosen?: readonly string[] | 'all'; matched?: number } = {},
): Promise<ListedDrawer[]> {
  const places = allowedFacilities(facilitiesWithDrawers(caller), chosen)
  const loadByState = (state: 'closed' | 'matched', maximum: number) =>
    selectDrawers(db)
      .where('cash_batches.state', '=', state)
      .$if(places !== 'all', (query) => query.where('cash_batches.location_code', 'in', facilityCodesForSqlIn(places)))
      .orderBy('cash_batches.opened_at', 'desc')
      .limit(maximum)
      .execute()
  const toMatch = await loadByState('closed', 100)
  const newestMatched = await loadByState('matched', matched)
  return [...toMatch, ...newestMatched].map(listedDrawerOf)
}

export interface Place {
  code: string
  name: string
}

/**
 * Returns the facilities where the staff member has a permission. The operator's own office comes first where
 * the permission covers it.
 */
export async function loadFacilitiesWithPermission(
  db: Kysely<Tables>,
  caller: StaffCaller,
  permission: Permission,
): Promise<Place[]> {
  const permitted = facilitiesFor(caller, permission)
  const rows = await db
    .selectFrom('locations')
    .select(['location_code as code', 'name', 'facility_id'])
    .$if(permitted !== 'all', (query) => query.where('location_code', 'in', facilityCodesForSqlIn([...permitted])))
    .orderBy('name')
    .execute()
  const rank = (facility: { facility_id: number }) => (facility.facility_id === OFFICE_FACILITY_ID ? 0 : 1)
  return rows.sort((a, b) => rank(a) - rank(b)).map(({ code, name }) => ({ code, name }))
}
