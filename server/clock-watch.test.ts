/** A server whose clock is wrong from the start does not start, and a command moves no money by it, until a person has looked. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runBilling } from '../modules/leases/billing/run.ts'
import { datedAhead } from '../modules/reports/dated-ahead.ts'
import { run } from '../operator/commands.ts'
import { knownTime, learnTime } from '../platform/known-time.ts'
import { SteadyClock } from '../platform/steady-clock.ts'
import { standingClock } from '../ports/testing.ts'
import { describeOnBothEngines, placeOf } from '../tests/support/databases.ts'
import { PRODUCTION } from '../tests/support/production.ts'
import { rowsOf } from '../tests/support/rows.ts'
import { configOf } from '../tests/support/site.ts'
import { openTestServices, type TestServices } from '../tests/support/small-operator.ts'
import { startClock } from './clock-watch.ts'
import { StartupError } from './config/config.ts'

const DAY = 86_400_000

describeOnBothEngines('A clock that is wrong from the start', (open, engine) => {
  let services: TestServices
  beforeEach(async () => {
    services = await openTestServices(await open())
    for (const way of ['log', 'error'] as const) vi.spyOn(console, way).mockImplementation(() => {})
  })
  afterEach(() => void vi.restoreAllMocks())

  const production = () => {
    const { dataDir, url } = placeOf(services.db)
    return {
      ...PRODUCTION,
      DATA_DIR: dataDir,
      FILES_DIR: dataDir,
      ...(url && { DATABASE_URL: url, FILES_SHARED: 'on' }),
    }
  }
  const starts = (clock: { now(): number }) => startClock(services.db, configOf(production()), clock)

  it('is refused where it is ahead of what was known, or behind it, and taken in a demo', async () => {
    const { now } = services.clock
    await learnTime(services.db, services.clock)
    await starts(standingClock(now() + 2 * DAY))
    for (const off of [60 * DAY, -60 * DAY]) {
      const refused = await starts(standingClock(now() + off)).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(StartupError)
      expect(String(refused)).toContain('clock --confirm')
    }
    expect(await knownTime(services.db)).toBe(now() + 2 * DAY)
    await startClock(services.db, configOf(), standingClock(now() + 60 * DAY))
  })

  it('is refused by the newest row of a database that an earlier release used', async () => {
    expect(await rowsOf(services.db, 'chores', ['chore'])).toEqual([])
    await services.db.write
      .insertInto('jobs')
      .values({
        job_id: 'j1',
        kind: 'receipt',
        once: 'x',
        payload: '{}',
        state: 'done',
        run_at: 0,
        attempts: 0,
        created_at: services.clock.now(),
      })
      .execute()
    await expect(starts(standingClock(services.clock.now() + 60 * DAY))).rejects.toThrow(StartupError)
  })

  it('bills nothing by command, until a person confirms it', async () => {
    await learnTime(services.db, standingClock(Date.now() - 60 * DAY))
    const before = await rowsOf(services.db, 'ledger_entries', ['entry_id'])
    const said = vi.mocked(console.error)
    expect(await run(['billing'], production())).toBe(1)
    expect(said.mock.calls.flat().join()).toContain('nothing is billed')
    expect(await rowsOf(services.db, 'ledger_entries', ['entry_id'])).toEqual(before)
    expect(await run(['clock', '--confirm'], production())).toBe(0)
    await starts(new SteadyClock(() => Date.now()))
  })

  it('is named with what it billed, and what to type', async () => {
    const { db } = services
    const ahead = services.clock.now() + 60 * DAY
    services.clock.set(ahead)
    await runBilling(services)
    services.clock.set(ahead - 60 * DAY)
    const found = await datedAhead(db, services.clock.now())
    expect(found).toMatchObject({ entries: expect.any(Number), cents: expect.any(Number) })
    expect(found.runs[0]).toMatchObject({ name: expect.stringMatching(/^GA1-\d+$/), cents: found.cents })
    expect(found.cents).toBeGreaterThan(0)
    expect(found.jobs).toBeGreaterThan(0)
  })

  it.runIf(engine === 'postgres')("dates what a web server writes by the database's time", async () => {
    const clock = new SteadyClock(() => Date.now() + 60 * DAY)
    await startClock(services.db, configOf(), clock)
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(60_000)
  })
})
