/** Reads drawers: opened with a float, counted once, deposited, and matched with the bank by another staff member. */

import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely'
import type { Permission } from '../../domain/office/roles.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import type { StaffCaller } from '../../platform/operations/callers.ts'
import { facilitiesFor, grantAt } from '../../platform/operations/staff-scope.ts'
import type { CashBatchesTable, Tables } from '../../platform/schema/tables.ts'
import { OFFICE_FACILITY_ID } from '../facilities/rules/office-facility-id.ts'
import { type CentsByMethod, zeroByMethod } from './rules/counter-receipts.ts'

/** Initial values of a cash drawer's count columns, which they keep while the drawer is open. */
export const uncounted = {
  state: 'open',
  closed_by: null,
  closed_at: null,
  closed_on: null,
  system_cash: null,
  system_checks: null,
  system_money_orders: null,
  counted_cash: null,
  counted_checks: null,
  counted_money_orders: null,
  deposit_cents: null,
  difference_reason: '',
  bag_number: '',
} as const

/** Values of the columns that match a deposit with the bank's amount, for a deposit that is not matched yet. */
export const unmatched = {
  matched_by: null,
  matched_at: null,
  matched_on: null,
  matched_cents: null,
  match_note: '',
} as const

export type Drawer = Selectable<CashBatchesTable>

/** Returns the sum and number of a drawer's receipts by method, without voided ones. */
export async function loadDrawerTotals(
  db: Kysely<Tables>,
  batchId: string,
): Promise<{ cents: CentsByMethod; count: CentsByMethod }> {
  const rows = await db
    .selectFrom('counter_receipts')
    .select((eb) => ['method', eb.fn.sum<number>('cents').as('cents'), eb.fn.countAll<number>().as('count')])
    .where('batch_id', '=', batchId)
    .where('state', '!=', 'voided')
    .groupBy('method')
    .execute()
  const amountsOf = (field: 'cents' | 'count'): CentsByMethod => ({
    ...zeroByMethod,
    ...Object.fromEntries(rows.map((row) => [row.method, Number(row[field])])),
  })
  return { cents: amountsOf('cents'), count: amountsOf('count') }
}

/** Returns the amounts recorded at the count; null while the drawer is open. */
export const countedAmounts = (drawer: Drawer): { system: CentsByMethod; counted: CentsByMethod } | null =>
  drawer.closed_at === null
    ? null
    : {
        system: {
          cash: drawer.system_cash ?? 0,
          check: drawer.system_checks ?? 0,
          money_order: drawer.system_money_orders ?? 0,
        },
        counted: {
          cash: drawer.counted_cash ?? 0,
          check: drawer.counted_checks ?? 0,
          money_order: drawer.counted_money_orders ?? 0,
        },
      }

/** Permissions that each allow seeing a facility's drawers. */
const viewPermissions = ['payment.receive', 'deposit.match', 'report.read'] as const

export const maySeeDrawer = (caller: StaffCaller, { location_code }: Pick<Drawer, 'location_code'>): boolean =>
  viewPermissions.some((permission) => grantAt(caller, permission, location_code) !== undefined)

/** Returns whether a staff member may count a drawer: with 'drawer.count', its opener or one who may void receipts. */
export const mayCount = (caller: StaffCaller, drawer: Drawer): boolean =>
  grantAt(caller, 'drawer.count', drawer.location_code) !== undefined &&
  (drawer.opened_by === caller.staffId || grantAt(caller, 'receipt.void', drawer.location_code) !== undefined)

export const drawerById = (db: Kysely<Tables>, batchId: string): Promise<Drawer | undefined> =>
  db.selectFrom('cash_batches').selectAll().where('batch_id', '=', batchId).executeTakeFirst()

/** A drawer with the name of its opener and the sum of its receipts. */
export interface ListedDrawer extends Drawer {
  openedByName: string
  /** Sum of the drawer's receipts in cents, and their number, without voided ones. */
  cents: number
  receipts: number
}

const selectDrawers = (db: Kysely<Tables>) =>
  db
    .selectFrom('cash_batches')
    .leftJoin('staff', 'staff.staff_id', 'cash_batches.opened_by')
    .selectAll('cash_batches')
    .select((eb) => [
      'staff.name as opener',
      eb
        .selectFrom('counter_receipts')
        .whereRef('counter_receipts.batch_id', '=', 'cash_batches.batch_id')
        .where('counter_receipts.state', '!=', 'voided')
        .select((sub) => sub.fn.coalesce(sub.fn.sum<number>('cents'), sub.lit(0)).as('cents'))
        .as('cents'),
      eb
        .selectFrom('counter_receipts')
        .whereRef('counter_receipts.batch_id', '=', 'cash_batches.batch_id')
        .where('counter_receipts.state', '!=', 'voided')
        .select((sub) => sub.fn.countAll<number>().as('receipts'))
        .as('receipts'),
    ])

const listedDrawerOf = ({
  opener,
  cents,
  receipts,
  ...drawer
}: Drawer & { opener: string | null; cents: unknown; receipts: unknown }): ListedDrawer => ({
  ...drawer,
  openedByName: opener ?? '',
  cents: Number(cents),
  receipts: Number(receipts),
})

type Places = 'all' | ReadonlySet<string>

/**
 * Returns the chosen facilities at which the staff member has the permission (`permitted`). 'all' includes the
 * operator's own office.
 */
export function allowedFacilities(permitted: Places, chosen: readonly string[] | 'all'): 'all' | string[] {
  if (chosen === 'all') return permitted === 'all' ? 'all' : [...permitted]
  return permitted === 'all' ? [...chosen] : chosen.filter((code) => permitted.has(code))
}

/** Returns whether the staff member may see drawers at any facility. */
export const maySeeAnyDrawer = (caller: StaffCaller): boolean =>
  viewPermissions.some((permission) => {
    const permitted = facilitiesFor(caller, permission)
    return permitted === 'all' || permitted.size > 0
  })

/** Returns the facilities whose drawers the staff member may see. */
export function facilitiesWithDrawers(caller: StaffCaller): Places {
  const permitted = viewPermissions.map((permission) => facilitiesFor(caller, permission))
  return permitted.includes('all') ? 'all' : new Set(permitted.flatMap((facilities) => [...facilities]))
}

const atFacilities = (places: readonly string[] | 'all') => (eb: ExpressionBuilder<Tables, 'cash_batches'>) =>
  eb('cash_batches.location_code', 'in', [...places, ''])

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
    .$if(places !== 'all', (query) => query.where(atFacilities(places)))
    .orderBy('cash_batches.opened_at')
    .limit(100)
    .execute()
  const rank = (drawer: Drawer) => (drawer.opened_by === caller.staffId ? 0 : 1)
  return rows.map(listedDrawerOf).sort((a, b) => rank(a) - rank(b))
}

/** Returns up to 100 counted drawers that await a match with the bank, and the `matched` newest matched ones. */
export async function loadClosedDrawers(
  db: Kysely<Tables>,
  caller: StaffCaller,
  { chosen = 'all', matched = 5 }: { chosen?: readonly string[] | 'all'; matched?: number } = {},
): Promise<ListedDrawer[]> {
  const places = allowedFacilities(facilitiesWithDrawers(caller), chosen)
  const loadByState = (state: 'closed' | 'matched', maximum: number) =>
    selectDrawers(db)
      .where('cash_batches.state', '=', state)
      .$if(places !== 'all', (query) => query.where(atFacilities(places)))
      .orderBy('cash_batches.opened_at', 'desc')
      .limit(maximum)
      .execute()
  const [waiting, done] = [await loadByState('closed', 100), await loadByState('matched', matched)]
  return [...waiting, ...done].map(listedDrawerOf)
}

export interface Place {
  code: string
  name: string
}

/**
 * Returns the facilities where the staff member has a permission. The operator's own office comes first where
 * the permission covers it.
 */
export async function facilitiesWithPermission(
  db: Kysely<Tables>,
  caller: StaffCaller,
  permission: Permission,
): Promise<Place[]> {
  const permitted = facilitiesFor(caller, permission)
  const rows = await db
    .selectFrom('locations')
    .select(['location_code as code', 'name', 'facility_id'])
    .$call(
      optionalCondition(permitted === 'all' ? null : permitted, (query, codes) =>
        query.where('location_code', 'in', [...codes, '']),
      ),
    )
    .orderBy('name')
    .execute()
  const rank = (facility: { facility_id: number }) => (facility.facility_id === OFFICE_FACILITY_ID ? 0 : 1)
  return rows.sort((a, b) => rank(a) - rank(b)).map(({ code, name }) => ({ code, name }))
}
