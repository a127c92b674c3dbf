/** Drawers: opened with a float, counted once, deposited, matched to the bank by somebody else. */
import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely'
import { type ByMethod, nothingByMethod } from '../../domain/office/counter.ts'
import type { Permission } from '../../domain/office/roles.ts'
import { engineOf } from '../../platform/database/engine.ts'
import { facilitiesFor, grantAt, type StaffCaller } from '../../platform/operations/callers.ts'
import type { CashBatchesTable, Tables } from '../../platform/schema/tables.ts'
import { OFFICE_FACILITY_ID } from '../facilities/rules/office-facility.ts'

export type Drawer = Selectable<CashBatchesTable>

/** Locks a drawer: of receiving into it and counting it at once, the second sees what the first did. */
export const lockDrawer = (tx: Kysely<Tables>, batchId: string): Promise<Drawer | undefined> =>
  tx
    .selectFrom('cash_batches')
    .selectAll()
    .where('batch_id', '=', batchId)
    // Its receipts refer to it: not a full lock.
    .$if(engineOf(tx) === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst()

/** What a drawer's receipts come to, without those that were voided, and how many there are. */
export async function takingsOf(db: Kysely<Tables>, batchId: string): Promise<{ cents: ByMethod; count: ByMethod }> {
  const rows = await db
    .selectFrom('counter_receipts')
    .select((eb) => ['method', eb.fn.sum<number>('cents').as('cents'), eb.fn.countAll<number>().as('count')])
    .where('batch_id', '=', batchId)
    .where('state', '!=', 'voided')
    .groupBy('method')
    .execute()
  const of = (field: 'cents' | 'count'): ByMethod => ({
    ...nothingByMethod,
    ...Object.fromEntries(rows.map((row) => [row.method, Number(row[field])])),
  })
  return { cents: of('cents'), count: of('count') }
}

/** As kept at the count; null while the drawer is open. */
export const countOf = (drawer: Drawer): { system: ByMethod; counted: ByMethod } | null =>
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

/** What lets a person see the drawers of a place. */
const seeing = ['payment.receive', 'deposit.match', 'report.read'] as const

export const maySeeDrawer = (caller: StaffCaller, { location_code }: Pick<Drawer, 'location_code'>): boolean =>
  seeing.some((permission) => grantAt(caller, permission, location_code) !== undefined)

/** Who opened it, or who may void its receipts, counts a drawer. */
export const mayCount = (caller: StaffCaller, drawer: Drawer): boolean =>
  grantAt(caller, 'drawer.count', drawer.location_code) !== undefined &&
  (drawer.opened_by === caller.staffId || grantAt(caller, 'receipt.void', drawer.location_code) !== undefined)

export const drawerById = (db: Kysely<Tables>, batchId: string): Promise<Drawer | undefined> =>
  db.selectFrom('cash_batches').selectAll().where('batch_id', '=', batchId).executeTakeFirst()

export interface ListedDrawer extends Drawer {
  openedByName: string
  /** Takings, and of how many receipts. */
  cents: number
  receipts: number
}

const listed = (db: Kysely<Tables>) =>
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
        .select((of) => of.fn.coalesce(of.fn.sum<number>('cents'), of.lit(0)).as('cents'))
        .as('cents'),
      eb
        .selectFrom('counter_receipts')
        .whereRef('counter_receipts.batch_id', '=', 'cash_batches.batch_id')
        .where('counter_receipts.state', '!=', 'voided')
        .select((of) => of.fn.countAll<number>().as('receipts'))
        .as('receipts'),
    ])

const shaped = <Row extends Drawer & { opener: string | null; cents: unknown; receipts: unknown }>({
  opener,
  cents,
  receipts,
  ...drawer
}: Row): ListedDrawer =>
  ({ ...drawer, openedByName: opener ?? '', cents: Number(cents), receipts: Number(receipts) }) as ListedDrawer

type Places = 'all' | ReadonlySet<string>

/** Of the chosen facilities those that are held; 'all' has the operator's own office too. */
export function chosenOf(held: Places, chosen: readonly string[] | 'all'): 'all' | string[] {
  if (chosen === 'all') return held === 'all' ? 'all' : [...held]
  return held === 'all' ? [...chosen] : chosen.filter((code) => held.has(code))
}

/** Whether a person sees the drawers of any place. */
export const seesMoney = (caller: StaffCaller): boolean =>
  seeing.some((permission) => {
    const held = facilitiesFor(caller, permission)
    return held === 'all' || held.size > 0
  })

export function placesSeen(caller: StaffCaller): Places {
  const held = seeing.map((permission) => facilitiesFor(caller, permission))
  return held.includes('all') ? 'all' : new Set(held.flatMap((one) => [...one]))
}

const at = (places: readonly string[] | 'all') => (eb: ExpressionBuilder<Tables, 'cash_batches'>) =>
  eb('cash_batches.location_code', 'in', [...places, ''])

/** Open drawers that the person may receive into, or with `seen` look into: their own first. */
export async function openDrawers(
  db: Kysely<Tables>,
  caller: StaffCaller,
  { chosen = 'all', seen = false }: { chosen?: readonly string[] | 'all'; seen?: boolean } = {},
): Promise<ListedDrawer[]> {
  const places = chosenOf(seen ? placesSeen(caller) : facilitiesFor(caller, 'payment.receive'), chosen)
  const rows = await listed(db)
    // Written out: the index of open drawers is of no use otherwise.
    .where('cash_batches.state', '=', sql.lit<'open'>('open'))
    .$if(places !== 'all', (query) => query.where(at(places)))
    .orderBy('cash_batches.opened_at')
    .limit(100)
    .execute()
  const own = (one: Drawer) => (one.opened_by === caller.staffId ? 0 : 1)
  return rows.map(shaped).sort((a, b) => own(a) - own(b))
}

/** Counted drawers that wait for the bank's word, and the newest that were matched. */
export async function closedDrawers(
  db: Kysely<Tables>,
  caller: StaffCaller,
  { chosen = 'all', matched = 5 }: { chosen?: readonly string[] | 'all'; matched?: number } = {},
): Promise<ListedDrawer[]> {
  const places = chosenOf(placesSeen(caller), chosen)
  const of = (state: 'closed' | 'matched', most: number) =>
    listed(db)
      .where('cash_batches.state', '=', state)
      .$if(places !== 'all', (query) => query.where(at(places)))
      .orderBy('cash_batches.opened_at', 'desc')
      .limit(most)
      .execute()
  const [waiting, done] = [await of('closed', 100), await of('matched', matched)]
  return [...waiting, ...done].map(shaped)
}

export interface Place {
  code: string
  name: string
}

/** Where the person may open a drawer: their facilities, and for who works everywhere the operator's own office first. */
export async function placesFor(db: Kysely<Tables>, caller: StaffCaller, permission: Permission): Promise<Place[]> {
  const held = facilitiesFor(caller, permission)
  const rows = await db
    .selectFrom('locations')
    .select(['location_code as code', 'name', 'facility_id'])
    .$if(held !== 'all', (query) => query.where('location_code', 'in', [...(held as ReadonlySet<string>), '']))
    .orderBy('name')
    .execute()
  const office = (one: { facility_id: number }) => (one.facility_id === OFFICE_FACILITY_ID ? 0 : 1)
  return rows.sort((a, b) => office(a) - office(b)).map(({ code, name }) => ({ code, name }))
}
