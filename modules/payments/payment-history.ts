import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import * as v from 'valibot'
import { type Cents, toWire } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { isLease } from '../../platform/database/where-tenant-or-lease-key.ts'
import { personalText } from '../../platform/operations/output-schemas-with-personal-marks.ts'
import type { LedgerEntriesTable, Tables } from '../../platform/schema/tables.ts'

/** Maximum number of payments and returned amounts in a history (spec 2 §9). */
const PAYMENT_HISTORY_MAX = 12
/** First day of a payment history whose request has no first day (spec 2 §9). */
export const PAYMENT_HISTORY_FROM: IsoDate = '1970-01-01'

/** Loads all ledger entries of a lease, oldest first. */
export async function loadEntries(
  db: Kysely<Tables>,
  locationCode: string,
  leaseNumber: number,
): Promise<Selectable<LedgerEntriesTable>[]> {
  return db
    .selectFrom('ledger_entries')
    .selectAll()
    .where(isLease({ location_code: locationCode, lease_number: leaseNumber }))
    .orderBy('posted_on')
    .orderBy('created_at')
    .orderBy('entry_id')
    .execute()
}

/** A payment (cents above 0) or money returned (below 0: a refund, or the reversal of a payment, as by the bank). */
export interface MoneyMovement {
  locationCode: string
  leaseNumber: number
  unitNumber: string
  cents: Cents
  description: string
  orderId: string | null
  postedOn: IsoDate
  /** Epoch milliseconds. */
  at: number
  timeZone: string
  /** Whether the entry was imported from an earlier system, so that only its day is known. */
  isImported: boolean
}

interface MovementFilter {
  locationCode: string
  tenantId: number
  leaseNumber?: number
  paymentsOnly?: true
}

/** Days that a payment history covers, both included, and the maximum number of payments and returned amounts. */
interface HistorySpan {
  from: IsoDate
  to: IsoDate
  limit: number
}

function filteredLeases(db: Kysely<Tables>, { locationCode, tenantId, leaseNumber }: MovementFilter) {
  const tenantLeases = db
    .selectFrom('leases')
    .where('leases.location_code', '=', locationCode)
    .where('tenant_id', '=', tenantId)
  return leaseNumber === undefined ? tenantLeases : tenantLeases.where('leases.lease_number', '=', leaseNumber)
}

const moneyEntries = (db: Kysely<Tables>, filter: MovementFilter, span: HistorySpan) =>
  db
    .selectFrom('ledger_entries')
    // Literals, since the partial index on money entries is used only with them.
    .where(sql<SqlBool>`kind in ('payment', 'refund', 'reversal')`)
    .where((eb) =>
      filter.paymentsOnly ? eb('kind', '=', 'payment') : eb.or([eb('kind', '=', 'payment'), eb('cents', '>', 0)]),
    )
    // A move-in with nothing due has a payment entry of 0, which moved no money.
    .where('cents', '!=', 0)
    .where('posted_on', '>=', span.from)
    .where('posted_on', '<=', span.to)

/**
 * Selects a day since which the leases have at least `span.limit` entries, so that the database reads no older ones. For
 * twelve entries it is the fourth-newest of the days of each lease's third-newest entry, since four leases then have
 * three entries each. Selects null if fewer leases have so many entries.
 */
function oldestDay(db: Kysely<Tables>, filter: MovementFilter, span: HistorySpan) {
  const entriesPerLease = Math.min(span.limit, 3)
  return (
    db
      .selectFrom(
        filteredLeases(db, filter)
          .select(
            moneyEntries(db, filter, span)
              .whereRef('ledger_entries.location_code', '=', sql.ref('leases.location_code'))
              .whereRef('ledger_entries.lease_number', '=', sql.ref('leases.lease_number'))
              .select('posted_on')
              .orderBy('posted_on', 'desc')
              .limit(1)
              .offset(entriesPerLease - 1)
              .as('day'),
          )
          .as('days'),
      )
      .select('day')
      // Leases without such a day are sorted last, not filtered out: with a filter PostgreSQL looks up each day twice.
      .orderBy('day', (order) => order.desc().nullsLast())
      .limit(1)
      .offset(Math.ceil(span.limit / entriesPerLease) - 1)
  )
}

/**
 * Returns the payments on a tenant's leases, or on one of them, and the money returned unless `paymentsOnly` is set,
 * newest first.
 */
export async function loadMoneyMovements(
  db: Kysely<Tables>,
  filter: MovementFilter,
  span: HistorySpan,
): Promise<MoneyMovement[]> {
  // Found by lease and sorted before the joins, since ledgers are long.
  const movements = moneyEntries(db, filter, span)
    .where('ledger_entries.location_code', '=', filter.locationCode)
    .where('ledger_entries.lease_number', 'in', filteredLeases(db, filter).select('leases.lease_number'))
    .where('posted_on', '>=', (eb) => eb.fn.coalesce(oldestDay(db, filter, span), eb.val(span.from)))
    .selectAll()
    .orderBy('posted_on', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('entry_id', 'desc')
    .limit(span.limit)
    .as('moved')
  const rows = await db
    .selectFrom(movements)
    .innerJoin('leases', (join) =>
      join
        .onRef('leases.location_code', '=', 'moved.location_code')
        .onRef('leases.lease_number', '=', 'moved.lease_number'),
    )
    .innerJoin('locations', 'locations.location_code', 'moved.location_code')
    .leftJoin('payments', 'payments.order_id', 'moved.order_id')
    .select('payer')
    .select(['moved.lease_number', 'unit_number', 'cents', 'moved.description', 'moved.order_id'])
    .select(['posted_on', 'moved.created_at', 'moved.once', 'time_zone'])
    .orderBy('posted_on', 'desc')
    .orderBy('moved.created_at', 'desc')
    .orderBy('entry_id', 'desc')
    .execute()
  return rows.map((row) => ({
    locationCode: filter.locationCode,
    leaseNumber: row.lease_number,
    unitNumber: row.unit_number,
    cents: -row.cents,
    // The tenant does not see the auction winner's card, which is in the description, or the winner's receipt.
    ...(row.payer === 'auction'
      ? { description: 'Auction proceeds', orderId: null }
      : { description: row.description, orderId: row.order_id }),
    postedOn: row.posted_on,
    at: row.created_at,
    timeZone: row.time_zone,
    isImported: row.once.startsWith('imported:'),
  }))
}

/** Returns a tenant's payments and the money returned, newest first, at most 12 (spec 2 §7, §9). */
export const loadPaymentHistory = (
  db: Kysely<Tables>,
  tenant: { locationCode: string; tenantId: number },
  span: { from?: IsoDate; to: IsoDate },
): Promise<MoneyMovement[]> =>
  loadMoneyMovements(db, tenant, { from: span.from ?? PAYMENT_HISTORY_FROM, to: span.to, limit: PAYMENT_HISTORY_MAX })

export const paymentRow = {
  dateTime: v.string(),
  unitNumber: v.string(),
  leaseNumber: v.number(),
  leaseAmountPaid: v.string(),
  description: personalText(),
  order_id: v.string(),
}

export const paymentExample = {
  dateTime: '2026-11-03T12:00:00-05:00',
  unitNumber: '318',
  leaseNumber: 10001,
  leaseAmountPaid: '100.69',
  description: 'Card payment',
  order_id: '',
}

/** Returns a movement as a row of the specified history; an empty row for null. */
export const toHistoryRow = (movement: MoneyMovement | null, dateTime: string) => ({
  dateTime,
  unitNumber: movement?.unitNumber ?? '',
  leaseNumber: movement?.leaseNumber ?? 0,
  leaseAmountPaid: toWire(movement?.cents ?? 0),
  description: movement?.description ?? '',
  order_id: movement?.orderId ?? '',
})
