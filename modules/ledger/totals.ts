import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import type { EntryKind } from '../../platform/schema/columns.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { type Charged, paidThrough } from '../billing/rules/billing.ts'
import type { Lease, LeaseKey } from '../leases/lease.ts'
import type { ChargeLine } from '../pricing/rules/charges.ts'
import { chargeKinds, isTakenBack } from './rules/ledger.ts'

/** A line of a price as the ledger keeps it. */
export const kindOfLine: Record<ChargeLine['kind'], EntryKind> = {
  rent: 'rent',
  discount: 'discount',
  insurance: 'insurance',
  fee: 'fee',
  access: 'fee',
  card_fee: 'fee',
  tax: 'tax',
}

/** Cents in all, and what was charged, by period and by day. `takenBackFrom`: the first day of the reversed periods. */
export async function ledgerTotals(db: Kysely<Tables>, lease: LeaseKey): Promise<LedgerTotals> {
  const rows = await sumsOf(db, lease).execute()
  const [charged, balance] = booksFrom(rows)
  const [takenBackFrom = null] = rows
    .filter(taken)
    .map((row) => row.start)
    .sort()
  return { balance, charged, takenBackFrom }
}

export interface LedgerTotals {
  balance: Cents
  charged: Charged[]
  takenBackFrom: IsoDate | null
}

interface Summed {
  start: IsoDate
  end: IsoDate | null
  cents: number
  charges: number | null
  rent: number | null
  least: number | null
}

const taken = ({ end, rent, least }: Summed): boolean =>
  end !== null &&
  isTakenBack({ sum: rent === null ? null : Number(rent), least: least === null ? null : Number(least) })

const booksFrom = (rows: readonly Summed[]): [charged: Charged[], balance: Cents] => [
  rows
    .filter((row) => row.charges !== null && !taken(row))
    .map(({ start, end, charges }) => ({ start, end, cents: Number(charges) })),
  rows.reduce((sum, row) => sum + Number(row.cents), 0),
]

const sumsOf = (db: Kysely<Tables>, of: LeaseKey) =>
  db
    .selectFrom('ledger_entries')
    .select((eb) => [
      eb.fn.coalesce('period_start', 'posted_on').as('start'),
      'period_end as end',
      eb.fn.sum<number>('cents').as('cents'),
      eb.fn.sum<number | null>('cents').filterWhere('kind', 'in', chargeKinds).as('charges'),
      eb.fn.sum<number | null>('cents').filterWhere('kind', '=', 'rent').as('rent'),
      eb.fn.min<number | null>('cents').filterWhere('kind', '=', 'rent').as('least'),
    ])
    .where((eb) => eb.and({ location_code: of.location_code, lease_number: of.lease_number }))
    .groupBy((eb) => [eb.fn.coalesce('period_start', 'posted_on'), 'period_end'])

/** Paid-through as an order's payment left it, for its receipt; null where no period was ever charged. */
export async function paidThroughWith(db: Kysely<Tables>, of: LeaseKey & { orderId: string }): Promise<IsoDate | null> {
  const rows = await sumsOf(db, of)
    .where('created_at', '<=', (eb) =>
      eb
        .selectFrom('ledger_entries')
        .select((paid) => paid.fn.max('created_at').as('at'))
        // The lease says it once more: without it PostgreSQL has been seen to go through the entries of all.
        .where((eb) => eb.and({ location_code: of.location_code, lease_number: of.lease_number }))
        .where((paid) =>
          paid.or([
            paid.and([paid('order_id', '=', of.orderId), paid('kind', '=', 'payment')]),
            // What a settlement writes off is part of it, though it may be written a moment after the money.
            paid('once', '=', writeOffOf(of.orderId)),
          ]),
        ),
    )
    .execute()
  const then = paidThrough(...booksFrom(rows))
  if (then !== null) return then
  // No period had been charged yet: it was paid until the first one that was.
  const starts = (await ledgerTotals(db, of)).charged.filter((one) => one.end !== null).map((one) => one.start)
  const [first] = starts.sort()
  return first === undefined ? null : addDays(first, -1)
}

/** `once` of the credit that holds an order to the price that was agreed to. */
export const agreedPriceOf = (orderId: string): string => `order:${orderId}:agreed`

export const writeOffOf = (orderId: string): string => `order:${orderId}:write_off`

/** The last day of the newest charged period; where none was charged here, the last day paid for. */
export const chargedThrough = async (db: Kysely<Tables>, lease: Lease): Promise<IsoDate> =>
  // A lease that was brought in without its history is charged from where it was paid through.
  (await lastChargedDay(db, lease)) ?? lease.paid_through

/** The last day of the newest charged period; null where none was charged here. */
export async function lastChargedDay(db: Kysely<Tables>, lease: LeaseKey): Promise<IsoDate | null> {
  const row = await db
    .selectFrom('ledger_entries')
    .select('period_end as end')
    .where((eb) => eb.and({ location_code: lease.location_code, lease_number: lease.lease_number }))
    // Written out, not a parameter: the index is of no use otherwise.
    .where(sql<SqlBool>`kind = 'rent'`)
    .where('period_end', 'is not', null)
    .groupBy('period_end')
    // Not one whose charge was taken back (`isTakenBack`).
    .having(sql<SqlBool>`(sum(cents) <> 0 or min(cents) >= 0)`)
    .orderBy('period_end', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.end ?? null
}
