import { beforeAll, describe, expect, it } from 'vitest'
import { addDays, formatUs, type IsoDate } from '../../domain/plain-date.ts'
import { startOfDay } from '../../domain/time-zone-dates.ts'
import { perform } from '../../platform/operations/operation.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { asAda, openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { loadFacilityFacts, loadToday } from '../facilities/facility-facts-for-pricing.ts'
import { GetLocationDetails } from '../facilities/operations/get-location-details.ts'
import { ScheduleMoveOut } from '../move-outs/operations/schedule-move-out.ts'
import { postCharge } from '../standing/post-entries.ts'
import { runBilling } from './run-billing.ts'

/** US time zones with and without daylight saving time. */
const zones = [
  'Pacific/Honolulu',
  'America/Anchorage',
  'America/Phoenix',
  'America/Indiana/Indianapolis',
  'America/New_York',
]

/** Days after the tested nights: an ordinary one, clock changes, leap day, the days after these, and New Year. */
const mornings = [
  '2026-11-21',
  '2027-03-14',
  '2027-03-15',
  '2027-11-07',
  '2027-11-08',
  '2028-02-29',
  '2028-03-01',
  '2029-01-01',
]

describe.each(zones)('At the last instant of a day and the first of the next in %s', (time_zone) => {
  const open = openerForTests()
  let services: TestServices
  beforeAll(async () => {
    services = await openTestServices(await open())
    await services.db.write.updateTable('locations').set({ time_zone }).where('location_code', '=', 'GA1').execute()
  })

  async function datesAt(instant: number) {
    services.clock.set(instant)
    const { write } = services.db
    const at = { location_code: 'GA1' }
    const location = await perform(services, GetLocationDetails, at, visitor())
    const once = `at ${instant}`
    await services.db.transaction((tx) =>
      postCharge(tx, services, {
        locationCode: 'GA1',
        leaseNumber: 10001,
        kind: 'fee',
        cents: 1_00,
        description: 'Lock',
        once,
      }),
    )
    const entry = await services.db.read
      .selectFrom('ledger_entries')
      .select('posted_on')
      .where('once', '=', once)
      .executeTakeFirstOrThrow()
    const out = await perform(services, ScheduleMoveOut, { ...at, lease_number: 10001 }, asAda)
    await write.updateTable('leases').set({ scheduled_move_out: null }).where('location_code', '=', 'GA1').execute()
    await write.deleteFrom('move_outs').execute()
    await runBilling(services, { locationCode: 'GA1' })
    const run = await services.db.read
      .selectFrom('billing_runs')
      .select('run_date')
      .where('location_code', '=', 'GA1')
      .orderBy('run_date', 'desc')
      .executeTakeFirstOrThrow()
    return {
      prices: (await loadFacilityFacts(services, ['GA1'])).get('GA1')?.today,
      ledger: await loadToday(services.db.read, services, 'GA1'),
      reserve: location.ok ? location.value.earliest_move_in_date : location,
      posted: entry.posted_on,
      out: out.ok ? out.value.scheduledMoveoutDate : out,
      billed: run.run_date,
    }
  }
  const expectedDates = (today: IsoDate) => ({
    prices: today,
    ledger: today,
    reserve: formatUs(today),
    posted: today,
    billed: today,
    out: formatUs(addDays(today, 1)),
  })

  it.each(mornings)('every date changes in the night before %s', async (morning) => {
    const midnight = startOfDay(time_zone, morning)
    expect(await datesAt(midnight - 1)).toMatchObject(expectedDates(addDays(morning, -1)))
    expect(await datesAt(midnight)).toMatchObject(expectedDates(morning))
  })
})
