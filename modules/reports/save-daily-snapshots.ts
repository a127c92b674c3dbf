/**
 * Saves a snapshot of each facility's day when it is over: figures, rent roll, exceptions. Runs before the next day
 * is billed; safe to repeat and to run in several processes. A snapshot is written once, from the state at the end of
 * its day.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { OFFICE_FACILITY_ID } from '../facilities/rules/operator-office-facility-id.ts'
import { packRoll, type Roll } from './compress-rent-roll.ts'
import { computeDaySnapshot, type Facility, type Figures, type SnapshotRequest } from './compute-day-snapshot.ts'
import { loadExceptions } from './count-day-exceptions.ts'
import { loadStoredRoll } from './load-stored-rent-roll.ts'

/**
 * Saves the missing snapshots of all facilities, or of one.
 * @returns number of snapshots saved
 */
export async function saveDailySnapshots(
  services: Pick<Services, 'db' | 'clock'>,
  options: { stopping?: () => boolean; locationCode?: string } = {},
): Promise<number> {
  const facilities = await loadFacilitiesToSave(services, options.locationCode)
  let saved = 0
  for (const facility of facilities) {
    if (options.stopping?.()) break
    for (let isSaved: boolean | null = false; isSaved !== null && !options.stopping?.(); ) {
      isSaved = await saveNextDay(services, facility)
      if (isSaved) saved += 1
      // Lets waiting requests run first.
      await yieldToOthers()
    }
  }
  return saved
}

/** Loads the facilities, without the office and those coming soon, that have no figures of yesterday in their time zone. */
async function loadFacilitiesToSave({ db, clock }: Pick<Services, 'db' | 'clock'>, only?: string): Promise<Facility[]> {
  const facilities = await db.read
    .selectFrom('locations')
    .select(['location_code', 'time_zone', 'rent_tax_rate', 'insurance_tax_rate', 'fee_tax_rate'])
    .where('facility_id', '!=', OFFICE_FACILITY_ID)
    .where('coming_soon', '=', 0)
    .$if(only !== undefined, (query) => query.where('location_code', '=', only ?? ''))
    .orderBy('location_code')
    .execute()
  if (facilities.length === 0) return []
  const yesterdays = new Map(facilities.map((facility) => [facility.location_code, yesterdayOf(facility, clock.now())]))
  const savedDays = await db.read
    .selectFrom('daily_figures')
    .select(['location_code', 'day'])
    .where('day', 'in', [...new Set(yesterdays.values())])
    .execute()
  const done = new Set(savedDays.map(({ location_code, day }) => `${location_code} ${day}`))
  return facilities.filter(({ location_code }) => !done.has(`${location_code} ${yesterdays.get(location_code)}`))
}

const yesterdayOf = ({ time_zone }: Pick<Facility, 'time_zone'>, now: number): IsoDate =>
  addDays(todayIn(time_zone, now), -1)

/**
 * Saves the snapshot of the facility's next finished day, missed days first.
 * @returns true if the snapshot was saved, false if the day was recorded as missed; null if no day is left, the first
 *   snapshot cannot be taken yet, or another process has written the day
 */
async function saveNextDay({ db, clock }: Pick<Services, 'db' | 'clock'>, facility: Facility): Promise<boolean | null> {
  const now = clock.now()
  const { location_code } = facility
  const yesterday = yesterdayOf(facility, now)
  return db.transaction(async (tx) => {
    // All statements read one state of the database. If another process commits first, `transaction` repeats this one.
    if (db.engine === 'postgres') await sql`set transaction isolation level repeatable read`.execute(tx)
    const before = await loadLastSnapshotDay(tx, location_code)
    const day = before ? addDays(before.day, 1) : yesterday
    if (day > yesterday) return null
    const isSaved = day === yesterday && (await isStateOfDayEnd(tx, location_code, day, before === null))
    // Before the first saved day there is no state to start from.
    if (!before && !isSaved) return null
    const { figures, roll } = await computeDaySnapshot(tx, facility, { day, before, now })
    if (!(await insertDay(tx, { location_code, day, isSaved, now, figures }))) return null
    if (isSaved) await saveRoll(tx, location_code, day, roll)
    await saveExceptions(tx, facility, day)
    return isSaved
  })
}

/**
 * Inserts a facility's figures of a day.
 * @returns false if another process has written the day
 */
async function insertDay(
  tx: Kysely<Tables>,
  row: { location_code: string; day: IsoDate; isSaved: boolean; now: number; figures: Figures },
): Promise<boolean> {
  const { location_code, day, isSaved, now, figures } = row
  const inserted = await tx
    .insertInto('daily_figures')
    .values({
      location_code,
      day,
      kept: isSaved ? 1 : 0,
      taken_at: now,
      ...(isSaved ? figures : { ...figures, ...missedFigures }),
    })
    .onConflict((conflict) => conflict.columns(['location_code', 'day']).doNothing())
    .returning('day')
    .executeTakeFirst()
  return inserted !== undefined
}

/**
 * Loads a facility's newest snapshot: its day, when it was taken, and its balances. A day that is recorded as missed
 * also counts.
 */
export const loadLastSnapshotDay = async (
  db: Kysely<Tables>,
  locationCode: string,
): Promise<SnapshotRequest['before']> => {
  const row = await db
    .selectFrom('daily_figures')
    .select(['day', 'taken_at', 'balances'])
    .where('location_code', '=', locationCode)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { day: row.day, takenAt: row.taken_at, balances: row.balances } : null
}

/**
 * Returns whether the facility's figures are still those at the end of `day`, that is, no later day's billing has
 * begun. For the first snapshot a billing run must exist, which shows that the leases were imported before.
 */
async function isStateOfDayEnd(
  tx: Kysely<Tables>,
  locationCode: string,
  day: IsoDate,
  first: boolean,
): Promise<boolean> {
  const run = await tx
    .selectFrom('billing_runs')
    .select('run_date')
    .where('location_code', '=', locationCode)
    .orderBy('run_date', 'desc')
    .limit(1)
    .executeTakeFirst()
  return run === undefined ? !first : run.run_date <= day
}

/** Figures that are unknown for a missed day, as zeros. Its other figures can still be computed later. */
const missedFigures = {
  units: 0,
  units_rented: 0,
  units_held: 0,
  units_off: 0,
  area: 0,
  area_rented: 0,
  area_held: 0,
  area_off: 0,
  rent: 0,
  street: 0,
  leases: 0,
  leases_autopay: 0,
  leases_refused: 0,
  leases_insured: 0,
  leases_own_policy: 0,
  leases_owing: 0,
  leases_overlocked: 0,
  leases_auction: 0,
  owed_30: 0,
  owed_60: 0,
  owed_90: 0,
  owed_91: 0,
  credits: 0,
  closed_owed: 0,
  closed_credits: 0,
} satisfies Partial<Figures>

/**
 * Stores a day's rent roll: in full for the first snapshot of a month, otherwise as the difference from the previous
 * snapshot's roll.
 */
async function saveRoll(tx: Kysely<Tables>, location_code: string, day: IsoDate, roll: Roll): Promise<void> {
  const before = await loadStoredRoll(tx, location_code, addDays(day, -1))
  const isDifference = before !== null && before.day.slice(0, 7) === day.slice(0, 7)
  await tx
    .insertInto('daily_rolls')
    .values({
      location_code,
      day,
      whole: isDifference ? 0 : 1,
      roll: packRoll(roll, isDifference ? before.roll : undefined),
    })
    .execute()
}

async function saveExceptions(tx: Kysely<Tables>, facility: Facility, day: IsoDate): Promise<void> {
  const rows = await loadExceptions(tx, facility, day)
  if (rows.length > 0)
    await tx
      .insertInto('daily_exceptions')
      .values(rows.map((row) => ({ location_code: facility.location_code, day, ...row })))
      .execute()
}
