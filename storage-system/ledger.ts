/**
 * What is owed and what was paid. Entries are added and never changed, so the balance, the dues and the history are always
 * sums over them (I4). One sum is kept: a lease's balance, by the database itself as entries come, for those who look;
 * whoever posts money goes by the entries (`balanceOf`).
 */
import { type Kysely, type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import * as v from 'valibot'
import type { Database } from '../database/open.ts'
import { PAYMENT_HISTORY_FROM, PAYMENT_HISTORY_MAX, supportPhone } from '../domain/business.ts'
import { type PeriodInput, type PrepayQuote, prepayQuote } from '../domain/charges.ts'
import { cancunTime, noonOf, todayIn, wireInstant } from '../domain/dates.ts'
import { type Cents, taxOn, toWire } from '../domain/money.ts'
import { paymentBlock, paymentBlockText } from '../domain/payability.ts'
import { cardFeeApplies, PREPAY_PERIODS_DEFAULT } from '../domain/payment.ts'
import { formatPhone } from '../domain/phone.ts'
import { addDays, formatUs, type IsoDate } from '../domain/plain-date.ts'
import { fee24HourAccess } from '../domain/texts/move-in.ts'
import { invalidLeaseNumber } from '../domain/texts/portal.ts'
import type { LeaseFeesTable, LeasesTable, LedgerEntriesTable, Tables } from '../platform/schema/tables.ts'
import { leaseRow, noLease, reaches, whose } from './lease-record.ts'
import { type Callers, done, type House, operation, ownReservationsTenant, ownTenant } from './operation.ts'
import { cardFeeOf, type FacilityFacts, facilityFacts } from './pricing.ts'
import { date, flag, periodsAhead, whole } from './wire.ts'

// ── The ledger itself ─────────────────────────────────────────────────────────────────────────────────────────────────

/** What is owed on a lease: the sum of its ledger, in cents; negative is a credit. */
export async function balanceOf(db: Kysely<Tables>, locationCode: string, leaseNumber: number): Promise<Cents> {
  const row = await db
    .selectFrom('ledger_entries')
    .select((eb) => eb.fn.sum<number | null>('cents').as('balance'))
    .where('location_code', '=', locationCode)
    .where('lease_number', '=', leaseNumber)
    .executeTakeFirst()
  return Number(row?.balance ?? 0)
}

/** A lease whose kept balance is not the sum of its entries; in cents. */
export interface BalanceOff {
  locationCode: string
  leaseNumber: number
  kept: Cents
  sum: Cents
}

/** Every such lease, facility by facility; none, unless somebody has written past the database's own keeping. */
export async function balancesOff(db: Database): Promise<BalanceOff[]> {
  const off: BalanceOff[] = []
  const locations = await db.read.selectFrom('locations').select('location_code').orderBy('location_code').execute()
  for (const { location_code: locationCode } of locations) {
    const rows = await db.read
      .selectFrom('leases')
      .leftJoin('ledger_entries', (join) =>
        join
          .onRef('ledger_entries.location_code', '=', 'leases.location_code')
          .onRef('ledger_entries.lease_number', '=', 'leases.lease_number'),
      )
      .select(['leases.lease_number', 'balance'])
      .select((of) => of.fn.coalesce(of.fn.sum<number>('cents'), of.lit(0)).as('cents'))
      .where('leases.location_code', '=', locationCode)
      .groupBy(['leases.location_code', 'leases.lease_number', 'balance'])
      .having((of) => of('balance', '!=', of.fn.coalesce(of.fn.sum<number>('cents'), of.lit(0))))
      .orderBy('leases.lease_number')
      .execute()
    for (const row of rows)
      off.push({ locationCode, leaseNumber: row.lease_number, kept: row.balance, sum: Number(row.cents) })
  }
  return off
}

/** Sets such balances to the sum of the entries, which is the truth. @returns those that were wrong */
export async function setBalancesRight(db: Database): Promise<BalanceOff[]> {
  const off = await balancesOff(db)
  for (const { locationCode, leaseNumber } of off)
    await db.transaction(async (tx) => {
      const own = sql`location_code = ${locationCode} and lease_number = ${leaseNumber}`
      // Whoever adds an entry waits for the lease from here on, and the sum below has every entry that was added before.
      await sql`update leases set balance = balance where ${own}`.execute(tx)
      await sql`update leases set balance = (select coalesce(sum(cents), 0) from ledger_entries where ${own}) where ${own}`.execute(
        tx,
      )
    })
  return off
}

/** A lease's entries, the oldest first. */
export async function entriesOf(
  db: Kysely<Tables>,
  locationCode: string,
  leaseNumber: number,
): Promise<Selectable<LedgerEntriesTable>[]> {
  return db
    .selectFrom('ledger_entries')
    .selectAll()
    .where('location_code', '=', locationCode)
    .where('lease_number', '=', leaseNumber)
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
  /** Epoch milliseconds. */
  at: number
  /** Of the facility. */
  timeZone: string
  /** From an earlier system: the day is known, the time of it is not. */
  broughtIn: boolean
}

type LeasesOfATenant = SelectQueryBuilder<Tables, 'leases', object>

/** Over all leases of a tenant, the newest first. */
async function moneyMoved(
  db: Kysely<Tables>,
  of: { locationCode: string; tenantId: number; leaseNumber?: number; paymentsOnly?: true },
  span: { from: IsoDate; to: IsoDate; most: number },
): Promise<MoneyMoved[]> {
  const leases = (query: LeasesOfATenant) => {
    const theirs = query.where('leases.location_code', '=', of.locationCode).where('tenant_id', '=', of.tenantId)
    return of.leaseNumber === undefined ? theirs : theirs.where('leases.lease_number', '=', of.leaseNumber)
  }
  const entries = db
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
  // The newest twelve of all are no older than this day: of each lease the third newest is looked up, and four leases have
  // three each on or after the fourth of those. So of forty leases with ten years behind them the last months are read, and
  // not five thousand payments to be sorted for twelve.
  const each = Math.min(span.most, 3)
  const days = db
    .selectFrom(
      leases(db.selectFrom('leases'))
        .select(
          entries
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
  // Found by lease and sorted before anything is joined: a facility's ledger is long, and so is that of a tenant of years.
  const moved = entries
    .where('ledger_entries.location_code', '=', of.locationCode)
    .where('ledger_entries.lease_number', 'in', leases(db.selectFrom('leases')).select('leases.lease_number'))
    .where('posted_on', '>=', (eb) => eb.fn.coalesce(days, eb.val(span.from)))
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

/** The tenant's last payment, of one lease if that is given; null where there is none. */
export async function lastPayment(
  db: Kysely<Tables>,
  of: { locationCode: string; tenantId: number; leaseNumber?: number },
): Promise<MoneyMoved | null> {
  const [last] = await moneyMoved(
    db,
    { ...of, paymentsOnly: true },
    { from: PAYMENT_HISTORY_FROM, to: '9999-12-31', most: 1 },
  )
  return last ?? null
}

// ── What a period of a lease costs ────────────────────────────────────────────────────────────────────────────────────

/**
 * A lease's next period for domain/charges.ts: the rent and the premium agreed in the lease, the fees that go with it, the
 * facility's taxes of today; from the day after the last one paid for.
 * @param fees the lease's recurring fees
 * @param payment whether this one payment bears the card fee; null where nobody pays by hand (billing, autopay)
 */
export function leasePeriod(
  facts: FacilityFacts,
  lease: Pick<
    Selectable<LeasesTable>,
    'unit_type_id' | 'rent' | 'paid_through' | 'insurance_status' | 'insurance_scheme_id' | 'insurance_premium'
  >,
  fees: readonly Selectable<LeaseFeesTable>[],
  payment: { autopay: boolean; method: 'CC' | 'ACH' } | null,
): PeriodInput {
  const { location } = facts
  const access = fees.find((row) => row.description === fee24HourAccess)
  const scheme = facts.schemes.find((row) => row.scheme_id === lease.insurance_scheme_id)
  return {
    rent: lease.rent,
    insurance:
      lease.insurance_status === 1
        ? {
            schemeId: lease.insurance_scheme_id,
            // A scheme that is no longer offered goes on for those who have it.
            name: scheme?.scheme_name ?? 'Insurance',
            premium: lease.insurance_premium,
          }
        : null,
    periodFees: fees
      .filter((row) => row !== access)
      .map((row) => ({ feeId: row.fee_id, description: row.description, amount: row.amount })),
    access24: access ? { feeId: access.fee_id, amount: access.amount } : null,
    cardFee: payment && cardFeeFor(facts, lease.unit_type_id, payment),
    taxRates: { rent: location.rent_tax_rate, insurance: location.insurance_tax_rate, fee: location.fee_tax_rate },
    periodStart: addDays(lease.paid_through, 1),
  }
}

/** The card fee of one payment, null where none is due: no such fee here, autopay chosen, or paid from a bank account. */
export function cardFeeFor(
  facts: FacilityFacts,
  unitTypeId: number,
  payment: { autopay: boolean; method: 'CC' | 'ACH' },
): { feeId: number; amount: Cents } | null {
  const fee = cardFeeOf(facts, unitTypeId)
  return fee && cardFeeApplies({ ccFee: true, ...payment }) ? fee : null
}

/** A lease's recurring fees, by number. */
export const leaseFeesOf = (
  db: Kysely<Tables>,
  locationCode: string,
  leaseNumber: number,
): Promise<Selectable<LeaseFeesTable>[]> =>
  db
    .selectFrom('lease_fees')
    .selectAll()
    .where('location_code', '=', locationCode)
    .where('lease_number', '=', leaseNumber)
    .orderBy('fee_id')
    .execute()

/** What paying so many periods of a lease ahead costs (spec 2 §3 "Prepay quote"). @param periods 1 to 12 */
export const quotePrepay = (
  facts: FacilityFacts,
  lease: Selectable<LeasesTable>,
  fees: readonly Selectable<LeaseFeesTable>[],
  payment: { autopay: boolean; method: 'CC' | 'ACH' },
  periods: number = PREPAY_PERIODS_DEFAULT,
): PrepayQuote => prepayQuote(leasePeriod(facts, lease, fees, payment), periods)

export interface Dues {
  /** What the ledger sums to; negative is a credit. */
  balance: Cents
  /** Comes on top where something is due and this payment bears it; with its own tax. */
  cardFee: { feeId: number; amount: Cents; tax: Cents } | null
  /** What a payment of the dues comes to: balance, card fee and its tax; 0 where nothing is due. */
  total: Cents
  /** The specified sentence why it cannot be paid online, else ''. */
  blocked: string
}

/** What is owed on a lease today and what paying it online comes to (spec 2 §4, §5). */
export async function duesOf(
  house: House,
  facts: FacilityFacts,
  lease: Selectable<LeasesTable>,
  payment: { autopay: boolean; method: 'CC' | 'ACH' },
): Promise<Dues> {
  const { balance } = lease
  const fee = balance > 0 ? cardFeeFor(facts, lease.unit_type_id, payment) : null
  const cardFee = fee && { ...fee, tax: taxOn(fee.amount, facts.location.fee_tax_rate) }
  const block = paymentBlock(
    { auctionPrepped: lease.auction_prepped === 1, paidThrough: lease.paid_through },
    facts.today,
  )
  return {
    balance,
    cardFee,
    total: Math.max(balance, 0) + (cardFee ? cardFee.amount + cardFee.tax : 0),
    blocked: block ? paymentBlockText(block, await phoneOf(house, facts)) : '',
  }
}

/** {phone} of the specified sentences for a facility, as it is read: its own, else its state's, else the operator's. */
export async function phoneOf(house: House, facts: FacilityFacts): Promise<string> {
  const { phone, state } = facts.location
  if (phone.trim() !== '') return formatPhone(supportPhone({ location: phone }))
  const [row, brand] = await Promise.all([
    house.db.read
      .selectFrom('states')
      .select('general_contact_number')
      .where('short_name', '=', state)
      .executeTakeFirst(),
    house.db.read.selectFrom('settings').select('value').where('name', '=', 'brand').executeTakeFirst(),
  ])
  const operator = brand ? (JSON.parse(brand.value) as { phone?: string }).phone : undefined
  return formatPhone(supportPhone({ state: row?.general_contact_number, ...(operator !== undefined && { operator }) }))
}

// ── Operations ────────────────────────────────────────────────────────────────────────────────────────────────────────

const word = () => v.string()

const leaseFields = { ...whose, lease_number: whole(invalidLeaseNumber) }

/** How the amount would be paid; it decides on the card fee. Left out: with autopay, which is what is offered first. */
const paymentFields = {
  autopay_bit: v.optional(flag(), true),
  payment_method: v.optional(v.picklist(['CC', 'ACH'], 'must be CC or ACH'), 'CC'),
}

/** Dues and quotes: also for whoever pays without signing in. */
const payersAccess = { tenant: ownTenant, guest: ownTenant, rental: ownReservationsTenant }

/** The lease that is asked about, with its facility; undefined where this caller has no such lease. */
async function askedLease(
  house: House,
  input: { location_code: string; tenant_id: number; lease_number: number },
  callers: Callers,
) {
  const [lease, gathered] = await Promise.all([
    leaseRow(house, input, input.lease_number),
    facilityFacts(house, [input.location_code]),
  ])
  const facts = gathered.get(input.location_code)
  return lease && facts && reaches(callers, input, lease.reservation_code) ? { lease, facts } : undefined
}

export const GetPrePayRentalCharges = operation({
  name: 'GetPrePayRentalCharges',
  summary: 'What the next periods of a lease cost, paid ahead: rent + insurance + fee − discount + tax.',
  access: payersAccess,
  input: v.object({
    ...leaseFields,
    ...paymentFields,
    prePayPeriods: v.optional(periodsAhead(1), PREPAY_PERIODS_DEFAULT),
  }),
  output: v.object({
    leaseNumber: v.number(),
    unitID: v.number(),
    unitNumber: word(),
    rent: word(),
    insurance: word(),
    /** The card fee of this payment included, where there is one. */
    fee: word(),
    discount: word(),
    tax: word(),
    total: word(),
    prePayPeriods: v.number(),
    /** mm/dd/yyyy: the first and the last day that are paid for. */
    fromDate: word(),
    toDate: word(),
    /** The specified sentence why it cannot be paid online, else ''. */
    ErrorMessage: word(),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001, prePayPeriods: 1 },
    output: {
      leaseNumber: 10001,
      unitID: 144,
      unitNumber: '318',
      rent: '81.00',
      insurance: '12.00',
      fee: '0.00',
      discount: '0.00',
      tax: '7.69',
      total: '100.69',
      prePayPeriods: 1,
      fromDate: '12/03/2026',
      toDate: '01/01/2027',
      ErrorMessage: '',
    },
  },
  async run(house, input, callers) {
    const asked = await askedLease(house, input, callers)
    if (!asked || asked.lease.status === 'Closed') return noLease()
    const { lease, facts } = asked
    const payment = { autopay: input.autopay_bit, method: input.payment_method }
    const [fees, { blocked }] = await Promise.all([
      leaseFeesOf(house.db.read, lease.location_code, lease.lease_number),
      duesOf(house, facts, lease, payment),
    ])
    const quote = quotePrepay(facts, lease, fees, payment, input.prePayPeriods)
    return done({
      leaseNumber: lease.lease_number,
      unitID: lease.unit_id,
      unitNumber: lease.unit_number,
      rent: toWire(quote.rent),
      insurance: toWire(quote.insurance),
      fee: toWire(quote.fee),
      discount: toWire(quote.discount),
      tax: toWire(quote.tax),
      total: toWire(quote.total),
      prePayPeriods: quote.prePayPeriods,
      fromDate: formatUs(quote.periodStart),
      toDate: formatUs(quote.periodEnd),
      ErrorMessage: blocked,
    })
  },
})

export const GetCurrentDues = operation({
  name: 'GetCurrentDues',
  summary: 'What is owed on a lease today, and what paying it online comes to.',
  access: payersAccess,
  input: v.object({ ...leaseFields, ...paymentFields }),
  output: v.object({
    leaseNumber: v.number(),
    unitID: v.number(),
    unitNumber: word(),
    /** The sum of the ledger; negative is a credit. */
    currentBalanceDue: word(),
    /** On top of it, where this payment bears the card fee; its tax included in `tax`. */
    cardFee: word(),
    tax: word(),
    total: word(),
    paidThroughDate: word(),
    /** The specified sentence why it cannot be paid online, else ''. */
    ErrorMessage: word(),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001 },
    output: {
      leaseNumber: 10001,
      unitID: 144,
      unitNumber: '318',
      currentBalanceDue: '0.00',
      cardFee: '0.00',
      tax: '0.00',
      total: '0.00',
      paidThroughDate: '12/02/2026',
      ErrorMessage: '',
    },
  },
  async run(house, input, callers) {
    const asked = await askedLease(house, input, callers)
    if (!asked) return noLease()
    const { lease, facts } = asked
    const dues = await duesOf(house, facts, lease, { autopay: input.autopay_bit, method: input.payment_method })
    return done({
      leaseNumber: lease.lease_number,
      unitID: lease.unit_id,
      unitNumber: lease.unit_number,
      currentBalanceDue: toWire(dues.balance),
      cardFee: toWire(dues.cardFee?.amount ?? 0),
      tax: toWire(dues.cardFee?.tax ?? 0),
      total: toWire(dues.total),
      paidThroughDate: formatUs(lease.paid_through),
      ErrorMessage: dues.blocked,
    })
  },
})

/** The day it is at a facility; undefined where there is none of that code. @param db what to ask, a transaction for one under way */
export async function todayAt(
  db: Kysely<Tables>,
  house: Pick<House, 'clock'>,
  locationCode: string,
): Promise<IsoDate | undefined> {
  const row = await db
    .selectFrom('locations')
    .select('time_zone')
    .where('location_code', '=', locationCode)
    .executeTakeFirst()
  return row && todayIn(row.time_zone, house.clock.now())
}

export const GetPaymentHistory_V1 = operation({
  name: 'GetPaymentHistory_V1',
  summary: "A tenant's payments, the newest first, the 12 most recent; negative is money that went back.",
  access: { tenant: ownTenant },
  input: v.object({
    ...whose,
    /** Left out: 01/01/1970. */
    from_date: v.optional(date(), PAYMENT_HISTORY_FROM),
    /** Left out: today on the facility's calendar. */
    to_date: v.optional(date()),
  }),
  output: v.object({
    Payment: v.array(
      v.object({
        /** On the facility's clock; noon of its day for what was brought in from an earlier system. */
        dateTime: word(),
        unitNumber: word(),
        leaseNumber: v.number(),
        leaseAmountPaid: word(),
        description: word(),
        /** '' for what was brought in. */
        order_id: word(),
      }),
    ),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001 },
    output: {
      Payment: [
        {
          dateTime: '2026-11-03T12:00:00-05:00',
          unitNumber: '318',
          leaseNumber: 10001,
          leaseAmountPaid: '100.69',
          description: 'Card payment',
          order_id: '',
        },
      ],
    },
  },
  async run(house, input) {
    const to = input.to_date ?? (await todayAt(house.db.read, house, input.location_code))
    if (to === undefined) return done({ Payment: [] })
    const payments = await paymentHistory(
      house.db.read,
      { locationCode: input.location_code, tenantId: input.tenant_id },
      { from: input.from_date, to },
    )
    return done({
      Payment: payments.map((one) => ({
        // An entry from an earlier system has no time of its own: it was written on another day than it counts for.
        dateTime: wireInstant(
          one.timeZone,
          !one.broughtIn && todayIn(one.timeZone, one.at) === one.postedOn
            ? one.at
            : noonOf(one.timeZone, one.postedOn),
        ),
        unitNumber: one.unitNumber,
        leaseNumber: one.leaseNumber,
        leaseAmountPaid: toWire(one.cents),
        description: one.description,
        order_id: one.orderId ?? '',
      })),
    })
  },
})

export const GetTenantLastPaymentDetails = operation({
  name: 'GetTenantLastPaymentDetails',
  summary: "A tenant's last payment, its time in Cancun time: one later than 35 seconds ago has just been made.",
  access: { tenant: ownTenant },
  input: v.object({ ...whose, lease_number: v.optional(whole(invalidLeaseNumber)) }),
  output: v.object({
    /** On the clocks of Cancun; '' where nothing was ever paid. */
    dateTime: word(),
    unitNumber: word(),
    /** 0 where nothing was ever paid. */
    leaseNumber: v.number(),
    leaseAmountPaid: word(),
    description: word(),
    order_id: word(),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001 },
    output: {
      dateTime: '2026-11-03T12:00:00-05:00',
      unitNumber: '318',
      leaseNumber: 10001,
      leaseAmountPaid: '100.69',
      description: 'Card payment',
      order_id: '',
    },
  },
  async run(house, input) {
    const last = await lastPayment(house.db.read, {
      locationCode: input.location_code,
      tenantId: input.tenant_id,
      ...(input.lease_number !== undefined && { leaseNumber: input.lease_number }),
    })
    return done({
      dateTime: last ? cancunTime(last.at) : '',
      unitNumber: last?.unitNumber ?? '',
      leaseNumber: last?.leaseNumber ?? 0,
      leaseAmountPaid: toWire(last?.cents ?? 0),
      description: last?.description ?? '',
      order_id: last?.orderId ?? '',
    })
  },
})

export const ledgerOperations = [
  GetPrePayRentalCharges,
  GetCurrentDues,
  GetPaymentHistory_V1,
  GetTenantLastPaymentDetails,
]
