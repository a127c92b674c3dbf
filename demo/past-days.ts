/** Two months of kept days for the demo, so that its reports have something to show: as if its tenants had paid as they do now. */
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Kysely, Selectable } from 'kysely'
import { OFFICE_FACILITY_ID } from '../domain/business.ts'
import { PERIOD_DAYS } from '../domain/charges.ts'
import { startOfDay, todayIn } from '../domain/dates.ts'
import { type Cents, taxOn } from '../domain/money.ts'
import { addDays, daysBetween, type IsoDate } from '../domain/plain-date.ts'
import type { Figures } from '../modules/reports/day.ts'
import { packRoll, type Roll, type RollUnit } from '../modules/reports/roll.ts'
import { type Database, isUniqueViolation } from '../platform/database/open.ts'
import type { LocationsTable, Tables } from '../platform/schema/tables.ts'
import type { Clock } from '../ports/clock.ts'
import { facilities } from './facilities.ts'
import { demoStaff, staffEmail } from './staff.ts'

const DAYS = 62
const DAYS_A_STATEMENT = 20

/** Once for each facility, so that a stop between two of them loses none; several processes may do it at the same time. */
export async function seedPastDays(
  db: Database,
  { clock, stopping = () => false }: { clock: Clock; stopping?: () => boolean },
): Promise<void> {
  const shown = facilities.filter(({ comingSoon, facilityId }) => !comingSoon && facilityId !== OFFICE_FACILITY_ID)
  const kept = db.read.selectFrom('daily_figures').select('location_code')
  const places = await db.read
    .selectFrom('locations')
    .selectAll()
    .where(
      'location_code',
      'in',
      shown.map(({ code }) => code),
    )
    .where('location_code', 'not in', kept)
    .execute()
  for (const place of places) {
    if (stopping()) return
    const days = await pastDays(db.read, place, clock.now())
    try {
      await db.transaction(async (tx) => {
        await insertDays(tx, days)
        await insertRun(tx, place, clock.now())
      })
    } catch (error) {
      // Another process that started at the same time has made it.
      if (!isUniqueViolation(error)) throw error
    }
    await yieldToOthers()
  }
}

async function insertDays(tx: Kysely<Tables>, days: PastDay[]): Promise<void> {
  for (let from = 0; from < days.length; from += DAYS_A_STATEMENT) {
    const some = days.slice(from, from + DAYS_A_STATEMENT)
    await tx
      .insertInto('daily_figures')
      .values(some.map(({ figures }) => figures))
      .execute()
    await tx
      .insertInto('daily_rolls')
      .values(some.map(({ roll }) => roll))
      .execute()
    const exceptions = some.flatMap((day) => day.exceptions)
    if (exceptions.length > 0) await tx.insertInto('daily_exceptions').values(exceptions).execute()
  }
}

/** Today's billing has run at midnight: what it would charge stands in the ledgers already. */
async function insertRun(
  tx: Kysely<Tables>,
  { location_code, time_zone }: Selectable<LocationsTable>,
  now: number,
): Promise<void> {
  const run_date = todayIn(time_zone, now)
  const at = startOfDay(time_zone, run_date) + 60_000
  const { leases, last } = await tx
    .selectFrom('leases')
    .select((eb) => [eb.fn.countAll<number>().as('leases'), eb.fn.max('lease_number').as('last')])
    .where('location_code', '=', location_code)
    .where('status', '!=', 'Closed')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('billing_runs')
    .values({
      ...{ location_code, run_date, done_through: last ?? 0, leases: Number(leases), entries: 0, state: 'done' },
      ...{ run_number: null, started_at: at, finished_at: at + 4_000, held_for: null },
    })
    .onConflict((known) => known.doNothing())
    .execute()
}

interface PastDay {
  figures: Selectable<Tables['daily_figures']>
  roll: Selectable<Tables['daily_rolls']>
  exceptions: Selectable<Tables['daily_exceptions']>[]
}

/** What a lease is charged for a period, and when it pays. */
interface Renter {
  unitId: number
  lease: NonNullable<RollUnit['lease']>
  insurance: number
  refused: boolean
  auction: boolean
  charge: { rent: Cents; premium: Cents; fees: Cents; taxes: [Cents, Cents, Cents]; total: Cents }
  /** First days of its periods within the two months, each with the day it was paid. */
  periods: { start: IsoDate; paid: IsoDate | null }[]
  /** What it owed besides, so that it comes to its balance on the last day. */
  besides: Cents
  /** The day on which the tenant left; null for those who are there. */
  left: IsoDate | null
}

async function pastDays(db: Kysely<Tables>, place: Selectable<LocationsTable>, now: number): Promise<PastDay[]> {
  const { location_code, time_zone } = place
  const last = addDays(todayIn(time_zone, now), -1)
  const first = addDays(last, 1 - DAYS)
  const units = await unitsOf(db, location_code)
  const renters = await rentersOf(db, place, { first, last })
  const staff = await db.selectFrom('staff').select(['staff_id', 'email']).execute()
  const days: PastDay[] = []
  let before: Roll | undefined
  for (let day = first; day <= last; day = addDays(day, 1)) {
    const roll = rollOf(units, renters, day)
    const whole = before === undefined || day.endsWith('-01')
    days.push({
      figures: {
        ...{ location_code, day, kept: 1, taken_at: startOfDay(time_zone, addDays(day, 1)) + 60_000 },
        ...figuresOf(place, roll, renters, day),
      },
      roll: { location_code, day, whole: whole ? 1 : 0, roll: packRoll(roll, whole ? undefined : before) },
      exceptions: exceptionsOf(staff, location_code, day),
    })
    before = roll
  }
  return days
}

const unitsOf = (db: Kysely<Tables>, location_code: string) =>
  db
    .selectFrom('units')
    .innerJoin('unit_types', (join) =>
      join
        .onRef('unit_types.location_code', '=', 'units.location_code')
        .onRef('unit_types.unit_type_id', '=', 'units.unit_type_id'),
    )
    .select(['unit_id', 'unit_number', 'units.unit_type_id', 'status', 'unit_types.length', 'breadth', 'rent'])
    .where('units.location_code', '=', location_code)
    .orderBy('unit_id')
    .execute()
type Unit = Awaited<ReturnType<typeof unitsOf>>[number]

async function rentersOf(
  db: Kysely<Tables>,
  place: Selectable<LocationsTable>,
  { first, last }: { first: IsoDate; last: IsoDate },
): Promise<Renter[]> {
  const { location_code } = place
  const leases = await db
    .selectFrom('leases')
    .selectAll()
    .where('location_code', '=', location_code)
    .where((eb) => eb.or([eb('status', '!=', 'Closed'), eb.and([eb('closed_on', '>=', first), eb('balance', '=', 0)])]))
    .execute()
  const fees = await db
    .selectFrom('lease_fees')
    .select((eb) => ['lease_number', eb.fn.sum<number>('amount').as('cents')])
    .where('location_code', '=', location_code)
    .groupBy('lease_number')
    .execute()
  const since = await db
    .selectFrom('ledger_entries')
    .select((eb) => ['lease_number', eb.fn.sum<number>('cents').as('cents')])
    .where('location_code', '=', location_code)
    .where('posted_on', '>', last)
    .groupBy('lease_number')
    .execute()
  const sumOf = (rows: typeof fees, lease: number) =>
    Number(rows.find(({ lease_number }) => lease_number === lease)?.cents ?? 0)
  return leases.map((lease): Renter => {
    const number = lease.lease_number
    const premium = lease.insurance_status === 1 ? lease.insurance_premium : 0
    const recurring = sumOf(fees, number)
    const taxes: [Cents, Cents, Cents] = [
      taxOn(lease.rent, place.rent_tax_rate),
      taxOn(premium, place.insurance_tax_rate),
      taxOn(recurring, place.fee_tax_rate),
    ]
    const total = lease.rent + premium + recurring + taxes[0] + taxes[1] + taxes[2]
    const periods = periodsOf(lease, { first, last })
    const owed = periods.filter(({ paid }) => paid === null || paid > last).length * total
    return {
      left: lease.status === 'Closed' ? lease.closed_on : null,
      ...{ unitId: lease.unit_id, insurance: lease.insurance_status, refused: lease.autopay_refusals > 0 },
      ...{ auction: lease.auction_prepped === 1, periods, besides: lease.balance - sumOf(since, number) - owed },
      charge: { rent: lease.rent, premium, fees: recurring, taxes, total },
      lease: {
        ...{ leaseNumber: number, tenantId: lease.tenant_id, movedIn: lease.move_in_date, rent: lease.rent },
        ...{ premium, fees: recurring, paidThrough: lease.paid_through, balance: 0, ages: [0, 0, 0, 0] },
        ...{ autopay: lease.autopay === 1, status: lease.status, overlocked: lease.overlocked === 1 },
        insurance: (['', 'plan', 'own', 'vehicle'] as const)[lease.insurance_status] ?? '',
      },
    }
  })
}

/** Two of three pay on the day, the others some days later. */
function periodsOf(
  lease: { lease_number: number; move_in_date: IsoDate; paid_through: IsoDate },
  { first, last }: { first: IsoDate; last: IsoDate },
): Renter['periods'] {
  const periods: Renter['periods'] = []
  const lag = lease.lease_number % 3 === 0 ? lease.lease_number % 11 : 0
  const back = Math.ceil(Math.max(daysBetween(first, lease.paid_through), 0) / PERIOD_DAYS) + 1
  for (let at = -back; at < 3; at += 1) {
    const start = addDays(lease.paid_through, 1 + at * PERIOD_DAYS)
    if (start < first || start > last || start < lease.move_in_date) continue
    const paid = addDays(start, lag)
    periods.push({ start, paid: at >= 0 ? null : paid > last ? last : paid })
  }
  return periods
}

const isThere = ({ lease, left }: Renter, day: IsoDate): boolean =>
  lease.movedIn <= day && (left === null || left > day)

function balanceOn({ periods, charge, besides, lease }: Renter, day: IsoDate): Cents {
  if (lease.movedIn > day) return 0
  const open = periods.filter(({ start, paid }) => start <= day && (paid === null || paid > day)).length
  return besides + open * charge.total
}

function rollOf(units: readonly Unit[], renters: readonly Renter[], day: IsoDate): Roll {
  const there = new Map(renters.filter((one) => isThere(one, day)).map((one) => [one.unitId, one]))
  return {
    units: units.map((unit) => {
      const renter = there.get(unit.unit_id)
      const balance = renter ? balanceOn(renter, day) : 0
      const isOff = unit.status === 'off'
      return {
        ...{ unitId: unit.unit_id, unitNumber: unit.unit_number, unitTypeId: unit.unit_type_id },
        use: renter ? 'rented' : isOff ? 'off' : unit.status === 'held' ? 'held' : 'free',
        ...{ area: unit.length * unit.breadth, street: unit.rent },
        lease: renter ? { ...renter.lease, balance, ages: agesOf(renter, balance, day) } : null,
      }
    }),
    closed: [],
  }
}

/** By the oldest period that is open; what was owed besides is of today. */
function agesOf({ periods, charge }: Renter, balance: Cents, day: IsoDate): [Cents, Cents, Cents, Cents] {
  const ages: [Cents, Cents, Cents, Cents] = [0, 0, 0, 0]
  let left = Math.max(balance, 0)
  for (const { start, paid } of periods) {
    if (start > day || (paid !== null && paid <= day)) continue
    const owed = Math.min(charge.total, left)
    const days = daysBetween(start, day)
    ages[days <= 30 ? 0 : days <= 60 ? 1 : days <= 90 ? 2 : 3] += owed
    left -= owed
  }
  ages[0] += left
  return ages
}

const sum = (cents: readonly Cents[]) => cents.reduce((all, one) => all + one, 0)

function figuresOf(place: Selectable<LocationsTable>, roll: Roll, renters: readonly Renter[], day: IsoDate): Figures {
  const { units } = roll
  const of = (use: RollUnit['use']) => units.filter((unit) => unit.use === use)
  const area = (some: readonly RollUnit[]) => sum(some.map((unit) => Math.round(unit.area * 100)))
  const open = renters.filter((one) => isThere(one, day))
  const balances = open.map((one) => balanceOn(one, day))
  const ages = (at: 0 | 1 | 2 | 3) => sum(units.map(({ lease }) => lease?.ages[at] ?? 0))
  const count = (is: (one: Renter) => boolean) => open.filter(is).length
  const charged = renters
    .filter(({ periods }) => periods.some(({ start }) => start === day))
    .map(({ charge }) => charge)
  const came = renters.filter(({ lease }) => lease.movedIn === day)
  const given = givenBack(place.location_code, day)
  return {
    ...{ units: units.length, units_rented: of('rented').length, units_held: of('held').length },
    ...{ units_off: of('off').length, area: area(units), area_rented: area(of('rented')) },
    ...{ area_held: area(of('held')), area_off: area(of('off')) },
    ...{ rent: sum(open.map(({ lease }) => lease.rent)), street: sum(units.map(({ street }) => street)) },
    ...{ leases: open.length, leases_autopay: count(({ lease }) => lease.autopay) },
    ...{ leases_refused: count(({ refused }) => refused), leases_insured: count(({ insurance }) => insurance === 1) },
    ...{
      leases_own_policy: count(({ insurance }) => insurance === 2),
      leases_owing: balances.filter((one) => one > 0).length,
    },
    ...{ leases_overlocked: count(({ lease }) => lease.overlocked), leases_auction: count(({ auction }) => auction) },
    ...{ owed_30: ages(0), owed_60: ages(1), owed_90: ages(2), owed_91: ages(3) },
    ...{ credits: sum(balances.map((one) => Math.max(-one, 0))), closed_owed: 0, closed_credits: 0 },
    ...{ balances: sum(balances), unearned: unearnedOn(open, day) },
    ...{ rent_charged: sum(charged.map(({ rent }) => rent)), discounts_given: 0 },
    insurance_charged: sum(charged.map(({ premium }) => premium)),
    fees_charged: sum(charged.map(({ fees }) => fees)) + given.credited + given.writtenOff,
    tax_charged: sum(charged.flatMap(({ taxes }) => taxes)),
    ...paidOn(renters, day),
    // What a lease owed besides came with it.
    ...{
      refunds: given.refunded,
      reversals: 0,
      credits_given: sum(came.map(({ besides }) => besides)) - given.refunded - given.credited - given.writtenOff,
      concessions: -given.refunded - given.credited,
      bad_debt: -given.writtenOff,
    },
    ...{ rent_rate: place.rent_tax_rate, insurance_rate: place.insurance_tax_rate, fee_rate: place.fee_tax_rate },
    ...{
      rent_tax: sum(charged.map(({ taxes }) => taxes[0])),
      insurance_tax: sum(charged.map(({ taxes }) => taxes[1])),
    },
    ...{ fee_tax: sum(charged.map(({ taxes }) => taxes[2])), credit_tax: 0, exempt: 0 },
    rent_base: sum(charged.map(({ rent }) => rent)),
    insurance_base: sum(charged.map(({ premium }) => premium)),
    fee_base: sum(charged.map(({ fees }) => fees)),
    ...{ money_returned: 0, money_refunded: given.refunded },
    ...{ move_ins: came.length, move_outs: renters.filter(({ left }) => left === day).length },
  }
}

const unearnedOn = (open: readonly Renter[], day: IsoDate): Cents =>
  sum(
    open.flatMap(({ periods, charge }) => {
      const running = periods.find(({ start }) => start <= day && addDays(start, PERIOD_DAYS) > day)
      const left = running ? PERIOD_DAYS - 1 - daysBetween(running.start, day) : 0
      return Math.round(((charge.rent + charge.premium + charge.fees) * left) / PERIOD_DAYS)
    }),
  )

const brands = ['VI', 'MC', 'VI', 'AX', 'VI', 'DI']

type Way = `received_${'card' | 'bank' | 'cash' | 'check' | 'money_order'}`

function wayOf(leaseNumber: number): Way {
  const by = leaseNumber % 20
  if (by === 0) return 'received_cash'
  if (by < 4) return by === 3 ? 'received_money_order' : 'received_check'
  return by < 7 ? 'received_bank' : 'received_card'
}

function paidOn(renters: readonly Renter[], day: IsoDate) {
  const received = { received_card: 0, received_bank: 0, received_cash: 0, received_check: 0, received_money_order: 0 }
  const cards = new Map<string, [Cents, number]>()
  let [all, rent] = [0, 0]
  for (const { periods, charge, lease } of renters) {
    if (!periods.some(({ paid }) => paid === day)) continue
    all += charge.total
    rent += charge.rent
    const way = wayOf(lease.leaseNumber)
    received[way] += charge.total
    if (way !== 'received_card') continue
    const brand = brands[lease.leaseNumber % brands.length] as string
    const [cents, number] = cards.get(brand) ?? [0, 0]
    cards.set(brand, [cents + charge.total, number + 1])
  }
  return {
    ...received,
    ...{ received_other: 0, payments: all === 0 ? 0 : -all, rent_collected: rent },
    cards: JSON.stringify([...cards].sort().map(([brand, [cents, number]]) => [brand, cents, number])),
  }
}

/** The same number for a facility's day each time. */
const seedOf = (location_code: string, day: IsoDate): number =>
  [...`${location_code}${day}`].reduce((hash, sign) => (hash * 31 + sign.charCodeAt(0)) % 9973, 7)

const [REFUND, CREDIT, WRITE_OFF] = [137_12, 45_00, 80_00]

/** What a day's people forgave: a refund whose charge is forgiven too, a fee credited, and one written off. No balance changes. */
function givenBack(location_code: string, day: IsoDate) {
  const seed = seedOf(location_code, day)
  return {
    refunded: seed % 29 === 0 ? REFUND : 0,
    credited: seed % 17 === 0 ? CREDIT : 0,
    writtenOff: seed % 47 === 0 ? WRITE_OFF : 0,
  }
}

/** What a day's people did at a facility: most of it none. */
function exceptionsOf(
  staff: readonly { staff_id: string; email: string }[],
  location_code: string,
  day: IsoDate,
): PastDay['exceptions'] {
  const seed = seedOf(location_code, day)
  const given = givenBack(location_code, day)
  const idOf = (role: string) => {
    const person = demoStaff.find((one) => one.role === role)
    return staff.find(({ email }) => person && email === staffEmail(person))?.staff_id
  }
  const acts: [string, string, number, Cents][] = [
    ['agent', 'opened', 2 + (seed % 5), 0],
    ['manager', 'opened', 1 + (seed % 3), 0],
    ['agent', 'received', seed % 4 === 0 ? 2 : 0, 21_400],
    ['agent', 'waived', seed % 9 === 0 ? 1 : 0, 2_000],
    ['manager', 'waived', seed % 13 === 0 ? 1 : 0, 2_500],
    ['manager', 'credited', given.credited > 0 ? 1 : 0, CREDIT],
    ['finance', 'credited', given.writtenOff > 0 ? 1 : 0, WRITE_OFF],
    ['manager', 'voided', seed % 41 === 0 ? 1 : 0, 12_900],
    ['manager', 'overridden', seed % 19 === 0 ? 1 : 0, 0],
    ['finance', 'refunded', given.refunded > 0 ? 1 : 0, REFUND],
    ['finance', 'opened', seed % 6 === 0 ? 1 : 0, 0],
    ['district', 'repriced', seed % 37 === 0 ? 1 : 0, 0],
    ['agent', 'difference', seed % 53 === 0 ? 1 : 0, 200],
  ]
  return acts.flatMap(([role, kind, times, cents]) => {
    const staff_id = idOf(role)
    return times > 0 && staff_id ? [{ location_code, day, staff_id, kind, acts: times, cents }] : []
  })
}
