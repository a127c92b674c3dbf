import { HOUR } from '../../../domain/durations.ts'
import { type Instant, startOfDay, todayIn } from '../../../domain/time-zone-dates.ts'
import type { Services } from '../../../platform/operations/services.ts'

/**
 * Maximum number of facilities whose billing runs are queried by location code. For more facilities, the day's runs of
 * all facilities are read.
 */
const MAX_QUERIED_FACILITIES = 200
/** Time in milliseconds after a facility's midnight from which its billing of the day is late. Billing runs hourly. */
const LATE_AFTER_MS = 2 * HOUR

/**
 * Counts the facilities billed today.
 * @returns `done`: number of `facilities` billed for their current day; `of`: number of `facilities`; `late`: number of
 *   `facilities` that are not billed although `LATE_AFTER_MS` have passed since their midnight; `lastAt`: time in epoch
 *   milliseconds at which the last of the counted billing runs finished, null without one
 */
export async function countBilledToday(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  facilities: readonly { code: string; timeZone: string }[],
): Promise<{ done: number; of: number; late: number; lastAt: Instant | null }> {
  const days = [...new Set(facilities.map(({ timeZone }) => todayIn(timeZone, clock.now())))]
  if (days.length === 0) return { done: 0, of: 0, late: 0, lastAt: null }
  const rows = await db.read
    .selectFrom('billing_runs')
    .select(['location_code', 'run_date', 'finished_at'])
    .where('run_date', 'in', days)
    .where('state', '=', 'done')
    .$if(facilities.length <= MAX_QUERIED_FACILITIES, (query) =>
      query.where(
        'location_code',
        'in',
        facilities.map(({ code }) => code),
      ),
    )
    .execute()
  const zones = new Map(facilities.map(({ code, timeZone }) => [code, timeZone]))
  const finishedRuns = rows.filter(({ location_code, run_date }) => {
    const zone = zones.get(location_code)
    return zone !== undefined && todayIn(zone, clock.now()) === run_date
  })
  const lastAt = finishedRuns.reduce((latest, { finished_at }) => Math.max(latest, finished_at ?? 0), 0)
  const doneCodes = new Set(finishedRuns.map(({ location_code }) => location_code))
  const now = clock.now()
  const late = facilities.filter(
    ({ code, timeZone }) => !doneCodes.has(code) && startOfDay(timeZone, todayIn(timeZone, now)) + LATE_AFTER_MS < now,
  )
  return { done: finishedRuns.length, of: facilities.length, late: late.length, lastAt: lastAt === 0 ? null : lastAt }
}
