/**
 * What is written into the ledger after the move-in: charges of periods and single ones, payments, credits, and what a bank
 * takes back. Entries are added and never changed; a lease's paid-through date, status and auction flag follow them here and
 * nowhere else (I4). Everything runs in the caller's transaction.
 */
import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import { engineOf } from '../database/engine.ts'
import { rowId } from '../database/row-id.ts'
import { type Charged, paidThrough, standing } from '../domain/billing.ts'
import { type ChargeLine, periodCharges } from '../domain/charges.ts'
import { todayIn } from '../domain/dates.ts'
import { chargeKinds, isTakenBack } from '../domain/ledger.ts'
import type { Cents } from '../domain/money.ts'
import { addDays, type IsoDate } from '../domain/plain-date.ts'
import type { EntryKind } from '../platform/schema/columns.ts'
import type { LeasesTable, LedgerEntriesTable, Tables } from '../platform/schema/tables.ts'
import { autopayTriesLeft } from './autopay.ts'
import { leaseFeesOf, leasePeriod, todayAt } from './ledger.ts'
import type { House } from './operation.ts'
import type { FacilityFacts } from './pricing.ts'

type Lease = Selectable<LeasesTable>
type LeaseKey = Pick<Lease, 'location_code' | 'lease_number'>

/** A line of a price as the ledger keeps it. */
const kindOfLine: Record<ChargeLine['kind'], EntryKind> = {
  rent: 'rent',
  discount: 'discount',
  insurance: 'insurance',
  fee: 'fee',
  access: 'fee',
  card_fee: 'fee',
  tax: 'tax',
}

/**
 * A period's line as an entry; `once` tells the lines of a period apart and makes each of them one entry.
 * @param again how often the period's charge was taken back before (`takeBackAhead`)
 */
export function periodEntry(
  line: ChargeLine,
  periodStart: IsoDate,
  again = 0,
): Pick<LedgerEntriesTable, 'kind' | 'cents' | 'description' | 'once'> {
  const kind = kindOfLine[line.kind]
  const which = [line.taxOf, line.feeId].filter((part) => part !== undefined)
  return {
    kind,
    cents: line.cents,
    description: line.label,
    once: [periodKey(periodStart, again), kind, ...which].join(':'),
  }
}

const periodKey = (start: IsoDate, again: number) => `period:${start}${again > 0 ? `#${again + 1}` : ''}`

export type LedgerLine = Pick<LedgerEntriesTable, 'kind' | 'cents' | 'description' | 'once'> & {
  orderId?: string | null
  period?: { start: IsoDate; end: IsoDate }
}

export type NewEntry = LedgerLine & { leaseNumber: number }

/** Twelve values each, well below what either engine takes in a statement. */
const ENTRIES_A_STATEMENT = 500

/** Adds entries of a facility's leases; one whose `once` its lease has already is left as it stands. @returns how many were new */
export async function addEntriesOf(
  tx: Kysely<Tables>,
  house: House,
  locationCode: string,
  postedOn: IsoDate,
  entries: readonly NewEntry[],
): Promise<number> {
  let added = 0
  for (let from = 0; from < entries.length; from += ENTRIES_A_STATEMENT) {
    const some = entries.slice(from, from + ENTRIES_A_STATEMENT)
    const rows = await tx
      .insertInto('ledger_entries')
      .values(rowsOf(house, locationCode, postedOn, some))
      .onConflict((known) => known.columns(['location_code', 'lease_number', 'once']).doNothing())
      .returning('entry_id')
      .execute()
    added += rows.length
  }
  return added
}

function rowsOf(
  house: House,
  locationCode: string,
  postedOn: IsoDate,
  entries: readonly NewEntry[],
): LedgerEntriesTable[] {
  const now = house.clock.now()
  return entries.map(({ orderId, period, leaseNumber, ...entry }) => ({
    entry_id: rowId(house),
    location_code: locationCode,
    lease_number: leaseNumber,
    kind: entry.kind,
    cents: entry.cents,
    description: entry.description,
    once: entry.once,
    order_id: orderId ?? null,
    period_start: period?.start ?? null,
    period_end: period?.end ?? null,
    posted_on: postedOn,
    created_at: now,
  }))
}

/** The same for one lease. */
export const addEntries = (
  tx: Kysely<Tables>,
  house: House,
  lease: LeaseKey,
  postedOn: IsoDate,
  entries: readonly LedgerLine[],
): Promise<number> =>
  addEntriesOf(
    tx,
    house,
    lease.location_code,
    postedOn,
    entries.map((entry) => ({ ...entry, leaseNumber: lease.lease_number })),
  )

/**
 * What a lease's books come to: the sum of all entries in cents, and what was charged, each period's sum and the single
 * charges of each day.
 * `takenBackFrom`: the first day of the periods whose charges were taken back.
 */
export async function booksOf(db: Kysely<Tables>, lease: LeaseKey): Promise<Books> {
  const rows = await sumsOf(db, lease).execute()
  const [charged, balance] = booksFrom(rows)
  const [takenBackFrom = null] = rows
    .filter(taken)
    .map((row) => row.start)
    .sort()
  return { balance, charged, takenBackFrom }
}

export interface Books {
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
    .where('location_code', '=', of.location_code)
    .where('lease_number', '=', of.lease_number)
    .groupBy((eb) => [eb.fn.coalesce('period_start', 'posted_on'), 'period_end'])

/**
 * Up to when a lease was paid once an order's payment was in its books: what a receipt says, also months later.
 * @returns null where no period was ever charged
 */
export async function paidThroughWith(db: Kysely<Tables>, of: LeaseKey & { orderId: string }): Promise<IsoDate | null> {
  const rows = await sumsOf(db, of)
    .where('created_at', '<=', (eb) =>
      eb
        .selectFrom('ledger_entries')
        .select((paid) => paid.fn.max('created_at').as('at'))
        // The lease says it once more: without it PostgreSQL has been seen to go through the entries of all.
        .where('location_code', '=', of.location_code)
        .where('lease_number', '=', of.lease_number)
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
  const starts = (await booksOf(db, of)).charged.filter((one) => one.end !== null).map((one) => one.start)
  const [first] = starts.sort()
  return first === undefined ? null : addDays(first, -1)
}

/** What is written off when an order settles a lease for less than it owes: the name of that entry. */
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
    .where('location_code', '=', lease.location_code)
    .where('lease_number', '=', lease.lease_number)
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

/** How often the charge of each period of a lease was taken back, by the period's first day. */
export type TakenBack = ReadonlyMap<IsoDate, number>

/** Of those leases of a stretch of numbers of which any was; as good as none ever. */
export async function takenBackOf(
  db: Kysely<Tables>,
  of: { locationCode: string; from: number; to: number },
): Promise<Map<number, TakenBack>> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select((eb) => ['lease_number', 'period_start', eb.fn.countAll().as('times')])
    .where('location_code', '=', of.locationCode)
    .where('lease_number', '>=', of.from)
    .where('lease_number', '<=', of.to)
    .where(sql<SqlBool>`kind = 'rent' and cents < 0`)
    .where('period_start', 'is not', null)
    .groupBy(['lease_number', 'period_start'])
    .execute()
  return new Map(
    [...Map.groupBy(rows, (row) => row.lease_number)].map(([number, periods]) => [
      number,
      new Map(periods.map((one) => [one.period_start as IsoDate, Number(one.times)])),
    ]),
  )
}

interface BillingDay {
  asOf: IsoDate
  auctionAfterDays: number
}

/**
 * Sets paid-through, status, auction flag and overlock to what the ledger says now, with the lease locked.
 * @param day of billing: what status and overlock go by (else today on the facility's calendar), and when the flag is set
 * @returns the lease's balance in cents
 */
export async function updateStanding(
  tx: Kysely<Tables>,
  house: House,
  key: LeaseKey,
  day?: BillingDay,
): Promise<Cents> {
  const lease = await lockLease(tx, key)
  if (!lease) throw new Error(`There is no lease ${key.lease_number} at ${key.location_code}`)
  const { balance, charged, takenBackFrom } = await booksOf(tx, key)
  // Where all that was ever charged was taken back, it is paid for as it was before.
  const before = takenBackFrom === null ? lease.paid_through : addDays(takenBackFrom, -1)
  const paid = paidThrough(charged, balance) ?? before
  const standingWith = (autopayToCome: boolean) =>
    standing(
      {
        auctionPrepped: lease.auction_prepped === 1,
        activeMilitary: lease.active_military === 1,
        balance,
        paidThrough: paid,
        autopayToCome,
      },
      day?.asOf ?? todayIn(lease.time_zone, house.clock.now()),
      // The flag is set by the day's billing or the operator, and not by a payment that came back.
      day?.auctionAfterDays ?? null,
    )
  const { location_code: at, lease_number: number } = lease
  let now = standingWith(false)
  // Asked for those alone who would be locked out: every posting comes by here.
  if (now.overlocked && lease.autopay === 1) {
    const of = { locationCode: at, leaseNumbers: [number] }
    now = standingWith((await autopayTriesLeft(tx, of))(number, paid))
  }
  await tx
    .updateTable('leases')
    .set({
      paid_through: paid,
      auction_prepped: now.auctionPrepped ? 1 : 0,
      ...(lease.status !== 'Closed' && { status: now.status, overlocked: now.overlocked ? 1 : 0 }),
    })
    .where('location_code', '=', at)
    .where('lease_number', '=', number)
    .execute()
  return balance
}

export type LockedLease = Lease & { time_zone: string; active_military: 0 | 1 }

/**
 * Locks a lease until the transaction ends: of two payments at once the second sees the first.
 * @returns undefined where there is no such lease
 */
export const lockLease = (
  tx: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
): Promise<LockedLease | undefined> =>
  tx
    .selectFrom('leases')
    .innerJoin('locations', 'locations.location_code', 'leases.location_code')
    .innerJoin('tenants', (join) =>
      join
        .onRef('tenants.location_code', '=', 'leases.location_code')
        .onRef('tenants.tenant_id', '=', 'leases.tenant_id'),
    )
    .selectAll('leases')
    .select(['active_military', 'time_zone'])
    .where('leases.location_code', '=', location_code)
    .where('lease_number', '=', lease_number)
    // Not a full lock: another that has added an entry holds the lease's key already, and the two would wait for each other.
    .$if(engineOf(tx) === 'postgres', (query) => query.forNoKeyUpdate('leases'))
    .executeTakeFirst()

/** Of a facility that has leases. */
async function dayAt(tx: Kysely<Tables>, house: House, locationCode: string): Promise<IsoDate> {
  const today = await todayAt(tx, house, locationCode)
  if (today === undefined) throw new Error(`There is no facility ${locationCode}`)
  return today
}

/**
 * Charges the next periods of a lease, each once, whoever comes first (billing, a prepayment): rent, insurance, recurring
 * fees and their taxes. Call `updateStanding` (or `postPayment`) afterwards.
 * @returns the days charged for
 */
export async function postPeriods(
  tx: Kysely<Tables>,
  house: House,
  facts: FacilityFacts,
  lease: Lease,
  periods: number,
): Promise<{ from: IsoDate; to: IsoDate; cents: Cents }> {
  const fees = await leaseFeesOf(tx, lease.location_code, lease.lease_number)
  const from = addDays(await chargedThrough(tx, lease), 1)
  const { location_code: locationCode, lease_number: number } = lease
  const takenBack = (await takenBackOf(tx, { locationCode, from: number, to: number })).get(number)
  let to = from
  let cents = 0
  let start = from
  for (let at = 0; at < periods; at += 1) {
    const charges = periodCharges({ ...leasePeriod(facts, lease, fees, null), periodStart: start })
    const period = { start: charges.periodStart, end: charges.periodEnd }
    await addEntries(
      tx,
      house,
      lease,
      facts.today,
      charges.lines.map((line) => ({ ...periodEntry(line, start, takenBack?.get(start)), period })),
    )
    cents += charges.total
    to = charges.periodEnd
    start = addDays(charges.periodEnd, 1)
  }
  return { from, to, cents }
}

/** The card fee of one payment and its tax, both as agreed to, to be written with the payment. */
export function cardFeeEntries(fee: { amount: Cents; tax: Cents; description: string }, orderId: string): LedgerLine[] {
  const { tax } = fee
  const once = `order:${orderId}:card_fee`
  return [
    { kind: 'fee', cents: fee.amount, description: fee.description, once, orderId },
    ...(tax > 0
      ? [{ kind: 'tax' as const, cents: tax, description: 'Tax on fees', once: `${once}_tax`, orderId }]
      : []),
  ]
}

/** A single charge (above 0) or credit (below 0); `once` makes it one. */
export async function postCharge(
  tx: Kysely<Tables>,
  house: House,
  of: {
    locationCode: string
    leaseNumber: number
    kind: 'fee' | 'tax' | 'credit'
    cents: Cents
    description: string
    once: string
  },
): Promise<void> {
  const key = { location_code: of.locationCode, lease_number: of.leaseNumber }
  const { kind, cents, description, once } = of
  await addEntries(tx, house, key, await dayAt(tx, house, of.locationCode), [{ kind, cents, description, once }])
  await updateStanding(tx, house, key)
}

export interface MoneyIn {
  locationCode: string
  leaseNumber: number
  cents: Cents
  orderId: string
  description: string
  /** On the facility's calendar, where it is known. */
  today?: IsoDate
  /** Made for this payment; with it a handful of entries at most. */
  charges?: LedgerLine[]
}

/**
 * Money that came in for an order, once; the lease follows.
 * @returns the balance after it, in cents
 */
export async function postPayment(tx: Kysely<Tables>, house: House, of: MoneyIn): Promise<Cents> {
  const key = { location_code: of.locationCode, lease_number: of.leaseNumber }
  const today = of.today ?? (await dayAt(tx, house, of.locationCode))
  const payment: LedgerLine = {
    kind: 'payment',
    cents: -of.cents,
    description: of.description,
    once: `order:${of.orderId}:payment`,
    orderId: of.orderId,
  }
  await addEntries(tx, house, key, today, [...(of.charges ?? []), payment])
  return updateStanding(tx, house, key)
}

/**
 * Periods that were paid ahead and have not begun are not owed once the money has gone back: their charges are taken back, the
 * newest first, as far as something is owed. Billing charges them when they begin. What another order paid ahead is not spared:
 * its money pays for the older ones, so that no day in between is left without a charge.
 * @param of `from`: the first day that the order paid ahead
 */
async function takeBackAhead(
  tx: Kysely<Tables>,
  house: House,
  lease: LeaseKey,
  of: { orderId: string; today: IsoDate; from: IsoDate },
): Promise<void> {
  const rows = await tx
    .selectFrom('ledger_entries')
    .select((eb) => ['kind', 'description', 'period_start', 'period_end', eb.fn.sum<number>('cents').as('cents')])
    .where('location_code', '=', lease.location_code)
    .where('lease_number', '=', lease.lease_number)
    .where('period_start', '>', of.today)
    .groupBy(['kind', 'description', 'period_start', 'period_end'])
    .orderBy('period_start', 'desc')
    .orderBy('kind')
    .orderBy('description')
    .execute()
  let { balance: owed } = await booksOf(tx, lease)
  for (const [start, lines] of Map.groupBy(rows, (row) => row.period_start as IsoDate)) {
    const charge = lines.reduce((sum, line) => sum + Number(line.cents), 0)
    if (owed <= 0 || !lines.some((line) => line.kind === 'rent' && Number(line.cents) > 0)) continue
    const period = { start, end: lines[0]?.period_end as IsoDate }
    await addEntries(
      tx,
      house,
      lease,
      of.today,
      lines
        .filter((line) => Number(line.cents) !== 0)
        .map(({ kind, description, cents }, at) => ({
          ...{ kind, description, cents: -Number(cents), period, orderId: of.orderId },
          once: `order:${of.orderId}:back:${start}:${at}`,
        })),
    )
    owed -= charge
    if (start === of.from) await takeBackAgreed(tx, house, lease, of)
  }
}

/** The credit that held an order to the price that was agreed to goes with the last of what it was for. */
async function takeBackAgreed(
  tx: Kysely<Tables>,
  house: House,
  lease: LeaseKey,
  { orderId, today }: { orderId: string; today: IsoDate },
): Promise<void> {
  const credit = await tx
    .selectFrom('ledger_entries')
    .select(['cents', 'description', 'once'])
    .where('order_id', '=', orderId)
    .where('kind', '=', 'credit')
    .executeTakeFirst()
  if (!credit) return
  const { cents, description, once } = credit
  await addEntries(tx, house, lease, today, [
    { kind: 'credit', cents: -cents, description, once: `${once}:back`, orderId },
  ])
}

/**
 * The bank took an order's money back: the payment is reversed, once, and the lease follows.
 * @param of `ahead`: the first day that it paid ahead, where it did
 * @returns the lease, or null where the order was never posted
 */
export async function reversePayment(
  tx: Kysely<Tables>,
  house: House,
  of: { orderId: string; code: string; description: string; ahead?: IsoDate | null },
): Promise<{ locationCode: string; leaseNumber: number; cents: Cents } | null> {
  const paid = await tx
    .selectFrom('ledger_entries')
    .select(['location_code', 'lease_number', 'cents'])
    .where('order_id', '=', of.orderId)
    .where('kind', '=', 'payment')
    .executeTakeFirst()
  if (!paid) return null
  const today = await dayAt(tx, house, paid.location_code)
  const added = await addEntries(tx, house, paid, today, [
    {
      kind: 'reversal',
      cents: -paid.cents,
      description: `${of.description} (${of.code})`,
      once: `order:${of.orderId}:reversal`,
      orderId: of.orderId,
    },
  ])
  if (of.ahead && added > 0) await takeBackAhead(tx, house, paid, { orderId: of.orderId, today, from: of.ahead })
  await updateStanding(tx, house, paid)
  return { locationCode: paid.location_code, leaseNumber: paid.lease_number, cents: -paid.cents }
}
