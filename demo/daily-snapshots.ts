/** Two months of daily snapshots for the demo, computed from its ledger by the function that takes real snapshots. */
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { type Kysely, type Selectable, sql } from 'kysely'
import { addDays, type IsoDate } from '../domain/plain-date.ts'
import { startOfDay, todayIn } from '../domain/time-zone-dates.ts'
import { OFFICE_FACILITY_ID } from '../modules/facilities/rules/operator-office-facility-id.ts'
import { chargeKinds } from '../modules/ledger/rules/ledger.ts'
import { computePaidThrough } from '../modules/ledger/rules/paid-through.ts'
import { packRoll, type Roll, type RollLease } from '../modules/reports/compress-rent-roll.ts'
import { computeDaySnapshot, type DaySnapshot, type SnapshotRequest } from '../modules/reports/compute-day-snapshot.ts'
import { loadExceptions } from '../modules/reports/count-day-exceptions.ts'
import { type Database, isUniqueViolation } from '../platform/database/open.ts'
import type { LocationsTable, Tables } from '../platform/schema/tables.ts'
import type { Clock, Random } from '../ports/clock-and-random.ts'
import { facilities } from './facilities.ts'
import { postPastPeriods } from './past-ledger.ts'

const DAYS = 62
const DAYS_PER_STATEMENT = 20

interface Parts {
  clock: Clock
  random: Random
  stopping?: () => boolean
}

type Location = Selectable<LocationsTable>

/**
 * Adds the snapshots of each facility that has none, in one transaction for each facility; a run that was stopped
 * continues with the remaining facilities when it is called again. Several processes may run this at the same time.
 */
export async function seedPastDays(db: Database, { clock, random, stopping = () => false }: Parts): Promise<void> {
  const openFacilities = facilities.filter(
    ({ comingSoon, facilityId }) => !comingSoon && facilityId !== OFFICE_FACILITY_ID,
  )
  const codesWithFigures = db.read.selectFrom('daily_figures').select('location_code')
  const locations = await db.read
    .selectFrom('locations')
    .selectAll()
    .where(
      'location_code',
      'in',
      openFacilities.map(({ code }) => code),
    )
    .where('location_code', 'not in', codesWithFigures)
    .orderBy('location_code')
    .execute()
  for (const location of locations) {
    if (stopping()) return
    const now = clock.now()
    const today = todayIn(location.time_zone, now)
    const span = { first: addDays(today, -DAYS), today, now }
    await postPastPeriods(db, location, { first: span.first, today, now, random })
    const days = await computePastDays(db, location, span)
    try {
      await db.transaction(async (tx) => {
        await insertDays(tx, days)
        await insertBillingRun(tx, location, now)
      })
    } catch (error) {
      // Another process that started at the same time has added the snapshots.
      if (!isUniqueViolation(error)) throw error
    }
  }
}

async function insertDays(tx: Kysely<Tables>, days: PastDay[]): Promise<void> {
  for (let from = 0; from < days.length; from += DAYS_PER_STATEMENT) {
    const batch = days.slice(from, from + DAYS_PER_STATEMENT)
    await tx
      .insertInto('daily_figures')
      .values(batch.map(({ figures }) => figures))
      .execute()
    await tx
      .insertInto('daily_rolls')
      .values(batch.map(({ roll }) => roll))
      .execute()
    const exceptions = batch.flatMap((day) => day.exceptions)
    if (exceptions.length > 0) await tx.insertInto('daily_exceptions').values(exceptions).execute()
  }
}

/** Adds today's midnight billing run, whose charges are in the ledgers already. */
async function insertBillingRun(
  tx: Kysely<Tables>,
  { location_code, time_zone }: Location,
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
      location_code,
      run_date,
      done_through: last ?? 0,
      leases: Number(leases),
      entries: 0,
      state: 'done',
      run_number: null,
      started_at: at,
      finished_at: at + 4_000,
      held_for: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

interface PastDay {
  figures: Selectable<Tables['daily_figures']>
  roll: Selectable<Tables['daily_rolls']>
  exceptions: Selectable<Tables['daily_exceptions']>[]
}

async function computePastDays(
  db: Database,
  location: Location,
  { first, today }: { first: IsoDate; today: IsoDate },
): Promise<PastDay[]> {
  const { location_code, time_zone } = location
  const charges = await loadChargesSince(db.read, location_code, first)
  const days: PastDay[] = []
  let before: { request: SnapshotRequest['before']; roll?: Roll } = { request: null }
  for (let day = first; day < today; day = addDays(day, 1)) {
    const takenAt = startOfDay(time_zone, addDays(day, 1)) + 60_000
    const snapshot = await db.transaction(async (tx) => {
      // All statements must see the same data.
      if (db.engine === 'postgres') await sql`set transaction isolation level repeatable read`.execute(tx)
      return asOfDay(
        await computeDaySnapshot(tx, location, { day, before: before.request, now: takenAt }),
        charges,
        day,
      )
    })
    const { figures, roll } = snapshot
    const whole = before.roll === undefined || day.endsWith('-01')
    const exceptions = await loadExceptions(db.read, location, day)
    days.push({
      figures: { location_code, day, kept: 1, taken_at: takenAt, ...figures },
      roll: { location_code, day, whole: whole ? 1 : 0, roll: packRoll(roll, whole ? undefined : before.roll) },
      exceptions: exceptions.map((exception) => ({ location_code, day, ...exception })),
    })
    before = { request: { day, takenAt, balances: figures.balances }, roll }
    // Requests that have arrived meanwhile go first.
    await yieldToOthers()
  }
  return days
}

interface DayCharge {
  start: IsoDate
  end: IsoDate | null
  cents: number
  postedOn: IsoDate
}

/**
 * Loads by lease number the charges of periods that end on the day before `first` or later, and single charges posted
 * from that day on.
 */
async function loadChargesSince(db: Kysely<Tables>, location_code: string, first: IsoDate) {
  const rows = await db
    .selectFrom('ledger_entries')
    .select((eb) => [
      'lease_number',
      eb.fn.coalesce('period_start', 'posted_on').as('start'),
      'period_end as end',
      'posted_on as postedOn',
      eb.fn.sum<number>('cents').as('cents'),
    ])
    .where('location_code', '=', location_code)
    .where('kind', 'in', chargeKinds)
    .where((eb) => eb(eb.fn.coalesce('period_end', 'posted_on'), '>=', addDays(first, -1)))
    .groupBy((eb) => ['lease_number', eb.fn.coalesce('period_start', 'posted_on'), 'period_end', 'posted_on'])
    .execute()
  return Map.groupBy(
    rows.map(({ cents, ...row }): DayCharge & { lease_number: number } => ({ ...row, cents: Number(cents) })),
    ({ lease_number }) => lease_number,
  )
}

/**
 * Corrects a snapshot computed for a past day of the demo, whose leases have changed since: paid-through dates are
 * those of that day, and a lease without a balance was neither past due nor overlocked.
 */
function asOfDay({ figures, roll }: DaySnapshot, charges: ReadonlyMap<number, DayCharge[]>, day: IsoDate): DaySnapshot {
  const standing = (lease: RollLease): RollLease => {
    const leaseCharges = (charges.get(lease.leaseNumber) ?? []).filter(({ postedOn }) => postedOn <= day)
    const hasBalance = lease.balance > 0
    return {
      ...lease,
      paidThrough: computePaidThrough(leaseCharges, lease.balance) ?? lease.paidThrough,
      status: hasBalance || lease.status === 'Pre-Paid' ? lease.status : 'Current',
      overlocked: hasBalance && lease.overlocked,
    }
  }
  const units = roll.units.map((unit) => ({ ...unit, lease: unit.lease && standing(unit.lease) }))
  const leases = units.flatMap(({ lease }) => lease ?? [])
  return {
    figures: {
      ...figures,
      leases_overlocked: leases.filter(({ overlocked }) => overlocked).length,
      leases_auction: leases.filter(({ status }) => status === 'Auction').length,
    },
    roll: { units, closed: roll.closed },
  }
}
