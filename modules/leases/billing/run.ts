import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { OFFICE_FACILITY_ID } from '../../../domain/business.ts'
import { addDays, type IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type FacilityFacts, facilityFacts } from '../../facilities/facts.ts'
import { type Billed, type BillingCrash, billBatch } from './lease-day.ts'
import type { Day } from './next-leases.ts'

/** So many leases in a transaction: a writer in between waits no longer than they take, and no more are in memory. */
const BATCH = 500

/** All facilities that let, or the one named, also while it is coming soon. */
export async function billedFacilities(services: Services, only?: string): Promise<string[]> {
  const places = await services.db.read
    .selectFrom('locations')
    .select('location_code')
    .where('facility_id', '!=', OFFICE_FACILITY_ID)
    .where((eb) =>
      // Until the accounts are imported, what was charged is unknown.
      only === undefined ? eb('coming_soon', '=', 0) : eb('location_code', '=', only),
    )
    .orderBy('location_code')
    .execute()
  return places.map((place) => place.location_code)
}

/**
 * Bills facilities, each for its own calendar's day.
 * @param of `date`: instead of today; `again`: also where the day is done; `most`: stops after so many leases
 */
export async function runBilling(
  services: Services,
  of: { date?: IsoDate; locationCode?: string; again?: boolean; most?: number; stopping?: () => boolean } = {},
  crash: BillingCrash = () => {},
): Promise<Billed> {
  const places = await billedFacilities(services, of.locationCode)
  const billed: Billed = { facilities: 0, leases: 0, periods: 0, entries: 0, movedOut: 0, mails: 0 }
  for (const location_code of places) {
    const left = () => (of.stopping?.() ? 0 : (of.most ?? Number.POSITIVE_INFINITY) - billed.leases)
    if (left() <= 0) break
    const facts = (await facilityFacts(services, [location_code])).get(location_code)
    if (facts)
      await billFacility(
        services,
        facts,
        { date: of.date ?? facts.today, again: of.again === true, left },
        billed,
        crash,
      )
  }
  return billed
}

/** What the schedule calls, every hour: the first after a facility's midnight bills it. @returns how many leases were looked at */
export const billToday = async (services: Services, stopping: () => boolean): Promise<number> =>
  (await runBilling(services, { stopping })).leases

async function billFacility(
  services: Services,
  facts: FacilityFacts,
  of: { date: IsoDate; again: boolean; left: () => number },
  billed: Billed,
  crash: BillingCrash,
): Promise<void> {
  const { location_code } = facts.location
  const { date } = of
  await services.db.write
    .insertInto('billing_runs')
    .values({
      ...{ location_code, run_date: date, done_through: 0, leases: 0, entries: 0 },
      ...{ state: 'running', started_at: services.clock.now(), finished_at: null },
    })
    .onConflict((known) => known.columns(['location_code', 'run_date']).doNothing())
    .execute()
  // A day that is under way goes on in any case.
  if (of.again) {
    await services.db.write
      .updateTable('billing_runs')
      .set({ done_through: 0, leases: 0, entries: 0, state: 'running', finished_at: null })
      .where('location_code', '=', location_code)
      .where('run_date', '=', date)
      .where('state', '=', 'done')
      .execute()
  }
  const before = await services.db.read
    .selectFrom('billing_runs')
    .select((eb) => eb.fn.max('run_date').as('date'))
    .where('location_code', '=', location_code)
    .where('run_date', '<', date)
    .where('state', '=', 'done')
    .executeTakeFirst()
  const past = date < facts.today
  const since = before?.date ?? null
  const day: Day = {
    ...{ facts, date, since: since ?? addDays(date, -1), lateSince: since ?? date },
    asOf: past ? facts.today : date,
  }
  for (;;) {
    const most = Math.min(BATCH, of.left())
    if (most <= 0) return
    const batch = await services.db.transaction((tx) => billBatch(tx, services, day, most, crash))
    if (!batch) return
    crash('batch done')
    if (batch.leases === 0) break
    billed.leases += batch.leases
    billed.periods += batch.periods
    billed.entries += batch.entries
    billed.movedOut += batch.movedOut
    billed.mails += batch.mails
    // Requests that have come in meanwhile go first.
    await yieldToOthers()
  }
  crash('leases done')
  const ended = await services.db.write
    .updateTable('billing_runs')
    .set({ state: 'done', finished_at: services.clock.now() })
    .where('location_code', '=', location_code)
    .where('run_date', '=', date)
    .where('state', '=', 'running')
    .returning('run_date')
    .executeTakeFirst()
  if (ended) billed.facilities += 1
}
