import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import * as v from 'valibot'
import { type Cents, toWire } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { isLease } from '../../platform/database/record-keys.ts'
import type { LedgerEntriesTable, Tables } from '../../platform/schema/tables.ts'

/** The most payments that a history shows, and the day from which it begins (spec 2 §9). */
const PAYMENT_HISTORY_MAX = 12
export const PAYMENT_HISTORY_FROM: IsoDate = '1970-01-01'

export async function entriesOf(
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

/** Money that came in (cents above 0) or went out again (below 0: given back, or a bank payment that was returned). */
export interface MoneyMoved {
  locationCode: string
  leaseNumber: number
  unitNumber: string
  cents: Cents
  description: string
  orderId: string | null
  postedOn: IsoDate
  at: number
  timeZone: string
  /** From an earlier system: the day is known, the time of it is not. */
  broughtIn: boolean
}

interface MovedBy {
  locationCode: string
  tenantId: number
  leaseNumber?: number
  paymentsOnly?: true
}

interface Span {
  from: IsoDate
  to: IsoDate
  most: number
}

function leasesOf(db: Kysely<Tables>, { locationCode, tenantId, leaseNumber }: MovedBy) {
  const theirs = db
    .selectFrom('leases')
    .where('leases.location_code', '=', locationCode)
    .where('tenant_id', '=', tenantId)
  return leaseNumber === undefined ? theirs : theirs.where('leases.lease_number', '=', leaseNumber)
}

const moneyEntries = (db: Kysely<Tables>, of: MovedBy, span: Span) =>
  db
    .selectFrom('ledger_entries')
    // Written out, not parameters: the index on what moved money is of no use otherwise.
    .where(sql<SqlBool>`kind in ('payment', 'refund', 'reversal')`)
    .where((eb) =>
      of.paymentsOnly ? eb('kind', '=', 'payment') : eb.or([eb('kind', '=', 'payment'), eb('cents', '>', 0)]),
    )
    // A move-in of which nothing was due kept a card: no money came in, and there is no receipt.
    .where('cents', '!=', 0)
    .where('posted_on', '>=', span.from)
    .where('posted_on', '<=', span.to)

/**
 * A day that the newest entries are not older than, so that of years of payments the last months are read. The third newest of each
 * lease is looked up: four leases have three each on or after the fourth of those.
 */
function oldestDay(db: Kysely<Tables>, of: MovedBy, span: Span) {
  const each = Math.min(span.most, 3)
  return (
    db
      .selectFrom(
        leasesOf(db, of)
          .select(
            moneyEntries(db, of, span)
              .whereRef('ledger_entries.location_code', '=', 'leases.location_code' as never)
              .whereRef('ledger_entries.lease_number', '=', 'leases.lease_number' as never)
              .select('posted_on')
              .orderBy('posted_on', 'desc')
              .limit(1)
              .offset(each - 1)
              .as('day'),
          )
          .as('days'),
      )
      .select('day')
      // Not left out by a condition: PostgreSQL would look every lease's day up twice.
      .orderBy('day', (order) => order.desc().nullsLast())
      .limit(1)
      .offset(Math.ceil(span.most / each) - 1)
  )
}

/** Over all leases of a tenant, the newest first. */
export async function moneyMoved(db: Kysely<Tables>, of: MovedBy, span: Span): Promise<MoneyMoved[]> {
  // Found by lease and sorted before anything is joined: a facility's ledger is long, and so is that of a tenant of years.
  const moved = moneyEntries(db, of, span)
    .where('ledger_entries.location_code', '=', of.locationCode)
    .where('ledger_entries.lease_number', 'in', leasesOf(db, of).select('leases.lease_number'))
    .where('posted_on', '>=', (eb) => eb.fn.coalesce(oldestDay(db, of, span), eb.val(span.from)))
    .selectAll()
    .orderBy('posted_on', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('entry_id', 'desc')
    .limit(span.most)
    .as('moved')
  const rows = await db
    .selectFrom(moved)
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
    locationCode: of.locationCode,
    leaseNumber: row.lease_number,
    unitNumber: row.unit_number,
    cents: -row.cents,
    // Who won the unit at auction, and with which card, is nothing to the tenant; the receipt is the winner's.
    ...(row.payer === 'auction'
      ? { description: 'Auction proceeds', orderId: null }
      : { description: row.description, orderId: row.order_id }),
    postedOn: row.posted_on,
    at: row.created_at,
    timeZone: row.time_zone,
    broughtIn: row.once.startsWith('imported:'),
  }))
}

/** A tenant's payments and what of them went back, the newest first, at most 12 (spec 2 §7, §9). */
export const paymentHistory = (
  db: Kysely<Tables>,
  of: { locationCode: string; tenantId: number },
  span: { from?: IsoDate; to: IsoDate },
): Promise<MoneyMoved[]> =>
  moneyMoved(db, of, { from: span.from ?? PAYMENT_HISTORY_FROM, to: span.to, most: PAYMENT_HISTORY_MAX })

export const paymentRow = {
  dateTime: v.string(),
  unitNumber: v.string(),
  leaseNumber: v.number(),
  leaseAmountPaid: v.string(),
  description: v.string(),
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

export const inRow = (one: MoneyMoved | null, dateTime: string) => ({
  dateTime,
  unitNumber: one?.unitNumber ?? '',
  leaseNumber: one?.leaseNumber ?? 0,
  leaseAmountPaid: toWire(one?.cents ?? 0),
  description: one?.description ?? '',
  order_id: one?.orderId ?? '',
})
