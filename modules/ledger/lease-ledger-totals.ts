import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import type { EntryKind } from '../../platform/schema/narrowed-column-types.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { Lease, LeaseKey } from '../leases/lease.ts'
import type { ChargeLine } from '../pricing/rules/charges.ts'
import { chargeKinds, isChargeReversed } from './rules/ledger.ts'
import { type ChargedPeriod, computePaidThrough } from './rules/paid-through.ts'

/** Ledger entry kind of each kind of price line. */
export const kindOfLine: Record<ChargeLine['kind'], EntryKind> = {
  rent: 'rent',
  discount: 'discount',
  insurance: 'insurance',
  fee: 'fee',
  access: 'fee',
  card_fee: 'fee',
  tax: 'tax',
}

/**
 * Returns a lease's balance and its charges by period and by day, without periods whose charge was reversed.
 * `reversedFrom` is the first day of the earliest such period; null without one.
 */
export async function loadLedgerTotals(db: Kysely<Tables>, lease: LeaseKey): Promise<LedgerTotals> {
  const rows = await selectSumsByPeriod(db, lease).execute()
  const [charged, balance] = toChargesAndBalance(rows)
  const [reversedFrom = null] = rows
    .filter(isReversedPeriod)
    .map((row) => row.start)
    .sort()
  return { balance, charged, reversedFrom }
}

/** A lease's balance in cents, its charges by period and by day, and the first day of the earliest reversed period. */
export interface LedgerTotals {
  balance: Cents
  charged: ChargedPeriod[]
  reversedFrom: IsoDate | null
}

/** Sums of the ledger entries of one period, or of one day's entries without a period, in cents. */
interface PeriodSums {
  start: IsoDate
  /** Last day of the period; null for entries without a period. */
  end: IsoDate | null
  /** Sum of all entries. */
  cents: number
  /** Sum of the charges; null without any. */
  charges: number | null
  /** Sum of the rent entries; null without any. */
  rent: number | null
  /** Smallest rent entry; null without any. */
  least: number | null
}

const isReversedPeriod = ({ end, rent, least }: PeriodSums): boolean =>
  end !== null &&
  isChargeReversed({ sum: rent === null ? null : Number(rent), least: least === null ? null : Number(least) })

const toChargesAndBalance = (rows: readonly PeriodSums[]): [charged: ChargedPeriod[], balance: Cents] => [
  rows
    .filter((row) => row.charges !== null && !isReversedPeriod(row))
    .map(({ start, end, charges }) => ({ start, end, cents: Number(charges) })),
  rows.reduce((sum, row) => sum + Number(row.cents), 0),
]

const selectSumsByPeriod = (db: Kysely<Tables>, leaseKey: LeaseKey) =>
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
    .where((eb) => eb.and({ location_code: leaseKey.location_code, lease_number: leaseKey.lease_number }))
    .groupBy((eb) => [eb.fn.coalesce('period_start', 'posted_on'), 'period_end'])

/**
 * Returns the paid-through date right after an order's payment, for its receipt; null when no period was ever charged.
 */
export async function loadPaidThroughAfterOrder(
  db: Kysely<Tables>,
  orderKey: LeaseKey & { orderId: string },
): Promise<IsoDate | null> {
  const rows = await selectSumsByPeriod(db, orderKey)
    .where('created_at', '<=', (eb) =>
      eb
        .selectFrom('ledger_entries')
        .select((eb) => eb.fn.max('created_at').as('at'))
        // Repeating the lease keeps PostgreSQL from scanning the entries of all leases.
        .where((eb) => eb.and({ location_code: orderKey.location_code, lease_number: orderKey.lease_number }))
        .where((eb) =>
          eb.or([
            eb.and([eb('order_id', '=', orderKey.orderId), eb('kind', '=', 'payment')]),
            // A settlement's write-off belongs to its payment, though it may be written a moment later.
            eb('once', '=', writeOffKey(orderKey.orderId)),
          ]),
        ),
    )
    .execute()
  const paidThrough = computePaidThrough(...toChargesAndBalance(rows))
  if (paidThrough !== null) return paidThrough
  // Without a charged period at that time, the lease was paid through the day before the first period charged later.
  const starts = (await loadLedgerTotals(db, orderKey)).charged
    .filter(({ end }) => end !== null)
    .map(({ start }) => start)
  const [first] = starts.sort()
  return first === undefined ? null : addDays(first, -1)
}

/**
 * Returns the idempotency key (`once`) of the ledger entry that credits the difference between the charges of an
 * order's prepaid periods and their lower agreed price.
 */
export const agreedPriceKey = (orderId: string): string => `order:${orderId}:agreed`

/** Returns the `once` key of the ledger credit that writes off the rest of a balance after a settlement payment. */
export const writeOffKey = (orderId: string): string => `order:${orderId}:write_off`

/** Returns the last day of the newest charged period; the paid-through date when the ledger has no charged period. */
export const loadChargedThrough = async (db: Kysely<Tables>, lease: Lease): Promise<IsoDate> =>
  // A lease imported without its history is charged from the day after its paid-through date.
  (await loadLastChargedDay(db, lease)) ?? lease.paid_through

/** Selects rent entries, to be grouped by period. Leaves out periods whose charge was reversed (`isChargeReversed`). */
const selectChargedPeriods = (db: Kysely<Tables>, locationCode: string) =>
  db
    .selectFrom('ledger_entries')
    .where('location_code', '=', locationCode)
    // A literal, because a bound parameter would keep the database from using the partial index.
    .where(sql<SqlBool>`kind = 'rent'`)
    .where('period_end', 'is not', null)
    .having(sql<SqlBool>`(sum(cents) <> 0 or min(cents) >= 0)`)

/** Returns the last day of the newest charged period; null when the ledger has none. */
export async function loadLastChargedDay(db: Kysely<Tables>, lease: LeaseKey): Promise<IsoDate | null> {
  const row = await selectChargedPeriods(db, lease.location_code)
    .select('period_end as end')
    .where('lease_number', '=', lease.lease_number)
    .groupBy('period_end')
    .orderBy('period_end', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.end ?? null
}

/** Returns by lease number what `loadChargedThrough` returns for one lease. */
export async function loadChargedThroughDays(
  db: Kysely<Tables>,
  locationCode: string,
  leases: readonly Pick<Lease, 'lease_number' | 'paid_through'>[],
): Promise<Map<number, IsoDate>> {
  const lastDays = new Map(leases.map((lease) => [lease.lease_number, lease.paid_through]))
  if (leases.length === 0) return lastDays
  const rows = await selectChargedPeriods(db, locationCode)
    .select(['lease_number', 'period_end'])
    .where('lease_number', 'in', [...lastDays.keys()])
    .groupBy(['lease_number', 'period_end'])
    .orderBy('period_end')
    .execute()
  for (const { lease_number, period_end } of rows) if (period_end !== null) lastDays.set(lease_number, period_end)
  return lastDays
}
