/** Past-due leases of facilities. All are read at once, because few are past due, then filtered and paged. */

import { type Kysely, sql } from 'kysely'
import type { LeaseStatus } from '../../../domain/lease-status.ts'
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { requireValue } from '../../../domain/require-value.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { selectLeasesWithTenants } from '../../leases/select-leases-with-tenants.ts'
import {
  type BucketSum,
  daysPastDue,
  groupByDaysPastDue,
  type PastDueFilter,
  type PastDueOrder,
  type PromiseState,
  promiseState,
} from '../rules/past-due-calls-and-promises.ts'

/** Maximum number of facilities read at once. */
export const MAX_FACILITIES = 100
const PAGE = 50

/** A past-due lease with the facts by which the office's past-due list is filtered and sorted. */
export interface PastDueLease {
  /** Facility and lease number, such as 'ATL01-10001'. */
  key: string
  locationCode: string
  leaseNumber: number
  tenantId: number
  unit: string
  status: LeaseStatus
  paidThrough: IsoDate
  /** Days past due. */
  days: number
  owed: Cents
  /** Id of the open lien case; null without one. */
  lienCase: string | null
  /** Today at the facility. */
  today: IsoDate
  promise: { on: IsoDate; cents: Cents; state: PromiseState } | null
  /** Whether the tenant was called today. */
  called: boolean
}

/** A past-due lease as a row of the list, with its tenant. */
export interface PastDueRow extends PastDueLease {
  tenant: string
  phone: string
  lastPaid: IsoDate | null
  noCalls: boolean
}

/**
 * Page of the past-due list, with the filters applied to its rows, and with sums over all past-due leases of the
 * facilities in view.
 */
export interface PastDueList {
  leases: number
  owed: Cents
  buckets: BucketSum[]
  /** Number of leases whose tenant was called today, including leases that were paid since. */
  done: number
  /** Number of leases whose tenant was not called today and has no promise to come. */
  toCall: number
  rows: PastDueRow[]
  /** Cursor of the next page; null on the last page. */
  next: string | null
  /** Number of leases that match the filter, on all pages. */
  shown: number
}

export interface Place {
  code: string
  timeZone: string
}

/** Filter and order of the list, and the cursor after which its page starts; null for the first page. */
export interface PastDueListQuery {
  filter: PastDueFilter
  order: PastDueOrder
  after: string | null
}

/** Returns a page of the past-due leases of facilities, with their sums. */
export async function loadPastDueList(
  services: Pick<Services, 'db' | 'clock'>,
  places: readonly Place[],
  query: PastDueListQuery,
): Promise<PastDueList> {
  const { read } = services.db
  const todayByFacility = new Map(places.map(({ code, timeZone }) => [code, todayIn(timeZone, services.clock.now())]))
  const codes = [...todayByFacility.keys()]
  if (codes.length === 0)
    return { leases: 0, owed: 0, buckets: groupByDaysPastDue([]), done: 0, toCall: 0, rows: [], next: null, shown: 0 }
  const [all, called] = await Promise.all([
    loadPastDueLeases(read, todayByFacility),
    loadCallsToday(read, todayByFacility),
  ])
  for (const lease of all) lease.called = called.tenants.has(`${lease.locationCode} ${lease.tenantId}`)
  const matching = all.filter(matchesFilter[query.filter]).sort(compareBy[query.order])
  const { after } = query
  const from = after === null ? 0 : matching.findIndex((lease) => isAfter(query.order, lease, after))
  const rows = from < 0 ? [] : matching.slice(from, from + PAGE)
  const last = rows.at(-1)
  const stillListed = new Set(all.filter((lease) => lease.called).map(({ key }) => key))
  return {
    leases: all.length,
    owed: all.reduce((sum, { owed }) => sum + owed, 0),
    buckets: groupByDaysPastDue(all),
    // Leases paid since the call are no longer listed but were called.
    done: new Set([...stillListed, ...called.leases]).size,
    toCall: all.filter(matchesFilter['to call']).length,
    rows: await addTenants(read, rows),
    next: last && matching.at(-1) !== last ? cursorOf(query.order, last) : null,
    shown: matching.length,
  }
}

const matchesFilter: Record<PastDueFilter, (lease: PastDueLease) => boolean> = {
  'to call': ({ called, promise }) => !called && promise?.state !== 'to come',
  all: () => true,
  promised: ({ promise }) => promise?.state === 'to come',
  broken: ({ promise }) => promise?.state === 'broken',
}

type SortKeys = Pick<PastDueLease, 'days' | 'owed' | 'key'>

const compareBy: Record<PastDueOrder, (a: SortKeys, b: SortKeys) => number> = {
  days: (a, b) => b.days - a.days || byKey(a, b),
  owed: (a, b) => b.owed - a.owed || byKey(a, b),
}
const byKey = (a: SortKeys, b: SortKeys): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)

const cursorOf = (order: PastDueOrder, lease: SortKeys): string => `${lease[order]}~${lease.key}`

/**
 * Returns whether a lease comes after a page cursor in the list's order. The lease named in the cursor may no longer be
 * in the list.
 */
function isAfter(order: PastDueOrder, lease: SortKeys, after: string): boolean {
  const [figure = '', key = ''] = after.split('~')
  const cursor = { days: Number(figure), owed: Number(figure), key }
  return compareBy[order](lease, cursor) > 0
}

/**
 * Condition for past-due leases. It is a literal, because bound parameters would keep the database from using the
 * partial index.
 */
const isPastDue = sql<boolean>`leases.status in ('Past Due', 'Auction')`

async function loadPastDueLeases(db: Kysely<Tables>, todayByFacility: Map<string, IsoDate>): Promise<PastDueLease[]> {
  const rows = await db
    .selectFrom('leases')
    .select(['location_code', 'lease_number', 'tenant_id', 'unit_number', 'status', 'paid_through', 'balance'])
    .select('lien_case')
    .where('location_code', 'in', [...todayByFacility.keys()])
    .where(isPastDue)
    .execute()
  const promises = await loadPromises(db, rows, todayByFacility)
  return rows.map((row) => {
    const today = requireValue(todayByFacility.get(row.location_code), 'day of the facility')
    const key = `${row.location_code}-${row.lease_number}`
    return {
      key,
      locationCode: row.location_code,
      leaseNumber: row.lease_number,
      tenantId: row.tenant_id,
      unit: row.unit_number,
      status: row.status,
      paidThrough: row.paid_through,
      owed: row.balance,
      today,
      days: daysPastDue(row.paid_through, today),
      lienCase: row.lien_case,
      promise: promises.get(key) ?? null,
      called: false,
    }
  })
}

type OwingLease = { location_code: string; lease_number: number; paid_through: IsoDate }

/**
 * Returns each lease's current promise, with its state by the net payments up to its day. A promise for a day up to the
 * paid-through date is left out, since it was made for an earlier debt.
 */
async function loadPromises(
  db: Kysely<Tables>,
  leases: readonly OwingLease[],
  todayByFacility: Map<string, IsoDate>,
): Promise<Map<string, NonNullable<PastDueLease['promise']>>> {
  const paidThrough = new Map(
    leases.map((lease) => [`${lease.location_code}-${lease.lease_number}`, lease.paid_through]),
  )
  const rows = await db
    .selectFrom('payment_promises')
    .select(['location_code', 'lease_number', 'promised_on', 'cents'])
    .select((eb) =>
      eb
        .selectFrom('ledger_entries')
        .select((entry) =>
          entry.fn
            .sum<number | null>('ledger_entries.cents')
            // Filtered in the aggregate, because in the `where` SQLite would scan the facility's entries by day.
            .filterWhereRef('posted_on', '<=', 'promised_on')
            .filterWhereRef('created_at', '>=', 'made_at')
            .as('paid'),
        )
        .whereRef('ledger_entries.location_code', '=', 'payment_promises.location_code')
        .whereRef('ledger_entries.lease_number', '=', 'payment_promises.lease_number')
        .where('kind', 'in', ['payment', 'reversal', 'refund'])
        .as('paid'),
    )
    .where('location_code', 'in', [...todayByFacility.keys()])
    .where('replaced_at', 'is', null)
    .execute()
  return new Map(
    rows.flatMap((row) => {
      const key = `${row.location_code}-${row.lease_number}`
      // '9' is after every date, so the promise of a lease that is not past due is left out.
      if (row.promised_on <= (paidThrough.get(key) ?? '9')) return []
      const promise = { on: row.promised_on, cents: row.cents }
      const today = requireValue(todayByFacility.get(row.location_code), 'day of the facility')
      return [[key, { ...promise, state: promiseState(promise, { today, paid: -Number(row.paid ?? 0) }) }]]
    }),
  )
}

/** Returns the tenants and leases called today, each by its facility's date. */
async function loadCallsToday(
  db: Kysely<Tables>,
  todayByFacility: Map<string, IsoDate>,
): Promise<{ tenants: Set<string>; leases: Set<string> }> {
  const rows = await db
    .selectFrom('call_attempts')
    .select(['location_code', 'tenant_id', 'lease_number', 'called_on'])
    .where('location_code', 'in', [...todayByFacility.keys()])
    .where('called_on', 'in', [...new Set(todayByFacility.values())])
    .execute()
  const today = rows.filter((row) => row.called_on === todayByFacility.get(row.location_code))
  return {
    tenants: new Set(today.map((row) => `${row.location_code} ${row.tenant_id}`)),
    leases: new Set(today.map((row) => `${row.location_code}-${row.lease_number}`)),
  }
}

async function addTenants(db: Kysely<Tables>, leases: readonly PastDueLease[]): Promise<PastDueRow[]> {
  if (leases.length === 0) return []
  const rows = await selectLeasesWithTenants(db)
    .select(['leases.location_code', 'lease_number', 'first', 'last', 'cell_phone', 'home_phone'])
    .select((eb) => [
      eb
        .selectFrom('ledger_entries')
        .select((entry) => entry.fn.max<string | null>('posted_on').as('on'))
        .whereRef('ledger_entries.location_code', '=', 'leases.location_code')
        .whereRef('ledger_entries.lease_number', '=', 'leases.lease_number')
        .where('kind', '=', 'payment')
        .as('last_paid'),
      eb
        .selectFrom('tenant_flags')
        .select('flag')
        .whereRef('tenant_flags.location_code', '=', 'leases.location_code')
        .whereRef('tenant_flags.tenant_id', '=', 'leases.tenant_id')
        .where('flag', '=', 'no_calls')
        .as('no_calls'),
    ])
    .where((eb) =>
      eb.or(
        [...Map.groupBy(leases, (lease) => lease.locationCode)].map(([code, group]) =>
          eb.and([
            eb('leases.location_code', '=', code),
            eb(
              'lease_number',
              'in',
              group.map((lease) => lease.leaseNumber),
            ),
          ]),
        ),
      ),
    )
    .execute()
  const rowByLease = new Map(rows.map((row) => [`${row.location_code}-${row.lease_number}`, row]))
  return leases.map((lease) => {
    const row = rowByLease.get(lease.key)
    return {
      ...lease,
      tenant: `${row?.first ?? ''} ${row?.last ?? ''}`.trim(),
      phone: row?.cell_phone || row?.home_phone || '',
      lastPaid: row?.last_paid ?? null,
      noCalls: Boolean(row?.no_calls),
    }
  })
}
