/** Lists receipts for the office, and loads a drawer with the names of its staff members. */

import type { Kysely } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import { facilityCodesForSqlIn } from '../../../platform/database/facility-codes-for-sql-in.ts'
import { optionalCondition } from '../../../platform/database/optional-condition.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { typedReceipt } from '../../payments/rules/receipt-number.ts'
import { hasPermissionForTenant } from '../../staff/staff-tasks.ts'
import { type Drawer, loadDrawer } from '../load-drawers.ts'
import {
  type CounterMethod,
  describeCounterPayment,
  type ReceiptState,
} from '../rules/counter-receipt-methods-and-states.ts'
import { allowedFacilities, facilitiesWithDrawers, maySeeDrawer } from './drawers-visible-to-staff.ts'

/** A receipt as lists of the office show it. */
export interface ListedReceipt {
  receiptId: string
  batchId: string
  locationCode: string
  /** Location code of the drawer. */
  drawerAt: string
  drawerState: Drawer['state']
  tenantId: number
  tenant: string
  units: string[]
  method: CounterMethod
  checkNumber: string
  /** Payment method in words: 'Check 1042' */
  what: string
  cents: Cents
  state: ReceiptState
  receivedBy: string
  receivedAt: Instant
  receivedOn: string
  timeZone: string
}

const PAGE = 50
/** Number of receipts whose units one statement reads. */
const RECEIPTS_PER_STATEMENT = 500

const selectReceipts = (db: Kysely<Tables>) =>
  db
    .selectFrom('counter_receipts')
    .innerJoin('cash_batches', 'cash_batches.batch_id', 'counter_receipts.batch_id')
    .innerJoin('locations', 'locations.location_code', 'counter_receipts.location_code')
    .leftJoin('staff', 'staff.staff_id', 'counter_receipts.received_by')
    .leftJoin('tenants', (join) =>
      join
        .onRef('tenants.location_code', '=', 'counter_receipts.location_code')
        .onRef('tenants.tenant_id', '=', 'counter_receipts.tenant_id'),
    )
    .selectAll('counter_receipts')
    .select(['cash_batches.location_code as drawer_at', 'cash_batches.state as drawer_state'])
    .select(['staff.name as receiver', 'time_zone'])
    .select(['tenants.first', 'tenants.last'])

type Row = Awaited<ReturnType<ReturnType<typeof selectReceipts>['execute']>>[number]

/** Converts rows of receipts to list entries, with the numbers of the units that each receipt paid. */
async function addUnits(db: Kysely<Tables>, rows: readonly Row[]): Promise<ListedReceipt[]> {
  if (rows.length === 0) return []
  const shares = await db
    .selectFrom('ledger_entries')
    .innerJoin('leases', (join) =>
      join
        .onRef('leases.location_code', '=', 'ledger_entries.location_code')
        .onRef('leases.lease_number', '=', 'ledger_entries.lease_number'),
    )
    .select(['ledger_entries.order_id', 'unit_number'])
    .where(
      'ledger_entries.order_id',
      'in',
      rows.map((row) => row.receipt_id),
    )
    .where('kind', '=', 'payment')
    .orderBy('leases.lease_number')
    .execute()
  return rows.map((row) => ({
    receiptId: row.receipt_id,
    batchId: row.batch_id,
    locationCode: row.location_code,
    drawerAt: row.drawer_at,
    drawerState: row.drawer_state,
    tenantId: row.tenant_id,
    tenant: `${row.first ?? ''} ${row.last ?? ''}`.trim(),
    units: shares.filter((share) => share.order_id === row.receipt_id).map((share) => share.unit_number),
    method: row.method,
    checkNumber: row.check_number,
    what: describeCounterPayment(row.method, row.check_number),
    cents: row.cents,
    state: row.state,
    receivedBy: row.receiver ?? '',
    receivedAt: row.received_at,
    receivedOn: row.received_on,
    timeZone: row.time_zone,
  }))
}

/** Filter and cursor of a list of receipts. */
export interface ReceiptsQuery {
  /** Location codes; 'all' for every facility whose drawers the staff member may see. */
  chosen?: readonly string[] | 'all'
  state?: ReceiptState | undefined
  /** Number of a check or money order, or of the receipt; '' for any. */
  number?: string
  /** Cursor of this page: `next` of the previous one; null for the first page. */
  after?: string | null
}

/**
 * Returns a page of 50 counter receipts (cash, checks and money orders that staff took), newest first. `next` is the
 * cursor of the next page; null on the last.
 */
export async function loadReceiptsPage(
  db: Kysely<Tables>,
  caller: StaffCaller,
  { chosen = 'all', state, number = '', after = null }: ReceiptsQuery = {},
): Promise<{ receipts: ListedReceipt[]; next: string | null }> {
  const cursor = /^(\d{1,15})~([A-Z0-9]{1,40})$/.exec(after ?? '')
  const places = allowedFacilities(facilitiesWithDrawers(caller), chosen)
  const rows = await selectReceipts(db)
    .$if(places !== 'all', (query) =>
      query.where('counter_receipts.location_code', 'in', facilityCodesForSqlIn(places)),
    )
    .$call(optionalCondition(state, (query, value) => query.where('counter_receipts.state', '=', value)))
    .$if(number !== '', (query) =>
      query.where((eb) =>
        eb.or([
          eb('check_number', '=', number),
          eb('counter_receipts.receipt_id', 'in', [number.toUpperCase(), typedReceipt(number)]),
        ]),
      ),
    )
    .$call(
      optionalCondition(cursor, (query, [, at, id = '']) =>
        query.where((eb) =>
          eb(eb.refTuple('counter_receipts.received_at', 'counter_receipts.receipt_id'), '<', eb.tuple(Number(at), id)),
        ),
      ),
    )
    .orderBy('counter_receipts.received_at', 'desc')
    .orderBy('counter_receipts.receipt_id', 'desc')
    .limit(PAGE + 1)
    .execute()
  const last = rows.length > PAGE ? rows[PAGE - 1] : undefined
  return {
    receipts: await addUnits(db, rows.slice(0, PAGE)),
    next: last ? `${last.received_at}~${last.receipt_id}` : null,
  }
}

/** Returns the receipts of a drawer, oldest first. */
export async function loadDrawerReceipts(db: Kysely<Tables>, batchId: string): Promise<ListedReceipt[]> {
  const rows = await selectReceipts(db)
    .where('counter_receipts.batch_id', '=', batchId)
    .orderBy('counter_receipts.received_at')
    .orderBy('counter_receipts.receipt_id')
    .execute()
  const receipts: ListedReceipt[] = []
  for (let from = 0; from < rows.length; from += RECEIPTS_PER_STATEMENT)
    receipts.push(...(await addUnits(db, rows.slice(from, from + RECEIPTS_PER_STATEMENT))))
  return receipts
}

/** Returns the newest receipts of a drawer, newest first. */
export async function loadNewestDrawerReceipts(
  db: Kysely<Tables>,
  batchId: string,
  limit: number,
): Promise<ListedReceipt[]> {
  const rows = await selectReceipts(db)
    .where('counter_receipts.batch_id', '=', batchId)
    .orderBy('counter_receipts.received_at', 'desc')
    .orderBy('counter_receipts.receipt_id', 'desc')
    .limit(limit)
    .execute()
  return addUnits(db, rows)
}

/** Loads a receipt; null where it does not exist or the staff member may not see it. */
export async function loadListedReceipt(
  db: Kysely<Tables>,
  caller: StaffCaller,
  receiptId: string,
): Promise<ListedReceipt | null> {
  const row = await selectReceipts(db).where('counter_receipts.receipt_id', '=', receiptId).executeTakeFirst()
  if (!row) return null
  const tenant = { locationCode: row.location_code, tenantId: row.tenant_id }
  if (!(await hasPermissionForTenant(db, caller, 'file.read', tenant))) return null
  const [receipt] = await addUnits(db, [row])
  return receipt ?? null
}

/** A drawer with the names of its facility and of the staff members who opened, counted and matched it. */
export interface DrawerWithNames {
  drawer: Drawer
  place: string
  timeZone: string
  openedBy: string
  closedBy: string
  matchedBy: string
}

/** Loads a drawer with the names of its staff members; null where it does not exist or the caller may not see it. */
export async function loadDrawerWithNames(
  db: Kysely<Tables>,
  caller: StaffCaller,
  batchId: string,
): Promise<DrawerWithNames | null> {
  const drawer = await loadDrawer(db, batchId)
  if (!drawer || !maySeeDrawer(caller, drawer)) return null
  const people = [drawer.opened_by, drawer.closed_by, drawer.matched_by].filter((id) => id !== null)
  const [location, staff] = await Promise.all([
    db
      .selectFrom('locations')
      .select(['name', 'time_zone'])
      .where('location_code', '=', drawer.location_code)
      .executeTakeFirstOrThrow(),
    db.selectFrom('staff').select(['staff_id', 'name']).where('staff_id', 'in', people).execute(),
  ])
  const nameOf = (id: string | null) => staff.find((staffMember) => staffMember.staff_id === id)?.name ?? ''
  return {
    drawer,
    place: location.name,
    timeZone: location.time_zone,
    openedBy: nameOf(drawer.opened_by),
    closedBy: nameOf(drawer.closed_by),
    matchedBy: nameOf(drawer.matched_by),
  }
}
