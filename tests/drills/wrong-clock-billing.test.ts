/** A clock sixty days wrong charges nothing, whether it is wrong for a moment, from the start on, or the database's. */
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { runBilling } from '../../modules/billing/run-billing.ts'
import { ChoreLocks } from '../../platform/chores/chore-locks.ts'
import { ClockGuard } from '../../platform/clock-guard.ts'
import { openDatabase } from '../../platform/database/open.ts'
import type { JobRunner } from '../../platform/jobs/job-runner.ts'
import { loadLastKnownTime, saveKnownTime } from '../../platform/last-known-time.ts'
import { reportClockChange } from '../../server/clock-watch.ts'
import { openLog } from '../../server/log.ts'
import { openMetrics } from '../../server/metrics.ts'
import { type Scheduler, startScheduler } from '../../server/schedule.ts'
import { describeOnBothEngines, placeOf } from '../support/databases.ts'
import { rowsOf } from '../support/rows.ts'
import { passTime, SimulatedTimers } from '../support/simulated-timers.ts'
import { openTestServices, type TestServices } from '../support/small-operator.ts'

const DAY = 86_400_000
const MINUTE = 60_000

/** Timeout of a test that runs the chores through more than an hour of simulated time, in milliseconds. */
const MINUTES_OF_CHORES_MS = 300_000

describeOnBothEngines('A wrong clock', (open, engine) => {
  let services: TestServices
  let scheduler: Scheduler
  let monotonic: number
  const metrics = openMetrics()
  const timers = new SimulatedTimers()

  beforeEach(async () => {
    // The chores that call bank or card provider fail, since the test services have neither.
    services = Object.assign(await openTestServices(await open()), { errors: { report: () => {} } })
    await runBilling(services)
    // A server saves the time when it starts.
    await saveKnownTime(services.db, services.clock)
    monotonic = 0
  })
  afterEach(() => scheduler.stop())

  function start() {
    const { db, clock } = services
    const log = openLog('silent')
    const onChange = reportClockChange({ metrics, log })
    const guard = new ClockGuard({ db, clock, monotonic: () => monotonic, onChange })
    const runner = { wake: () => {} } as JobRunner
    const choreLocks = new ChoreLocks({ db, clock, holder: 'here' })
    const parts = { runner, choreLocks, log, metrics, guard, autopayAtATime: 4, auditMailTo: null, catchesUp: false }
    scheduler = startScheduler(services, { ...parts, startTimer: timers.start })
  }

  const pass = (milliseconds: number) =>
    passTime(timers, [scheduler], milliseconds, (step) => {
      services.clock.advance(step)
      monotonic += step
    })

  const loadCharges = () => rowsOf(services.db, 'ledger_entries', ['entry_id'])
  const loadWarnings = () => rowsOf(services.db, 'jobs', ['kind', 'run_at'], { kind: 'clock_in_doubt' })
  /** Advances the time by minutes until the operator is warned, which may take several when the database is slow. */
  const waitForWarning = () =>
    vi.waitFor(async () => {
      await pass(MINUTE)
      expect(await loadWarnings()).toHaveLength(1)
    }, 15_000)
  /** Runs the chores for more than an hour of simulated time, until the operator is warned, and expects no new charge. */
  async function expectNoCharge() {
    start()
    const before = await loadCharges()
    await pass(70 * MINUTE)
    await waitForWarning()
    expect(await loadCharges()).toEqual(before)
  }
  const loadDoubtMetric = async () => (await metrics.clockInDoubt.get()).values[0]?.value

  it.runIf(engine === 'sqlite')(
    'by sixty days for half a minute charges nothing, and is mailed to the operator once',
    async () => {
      start()
      const before = await loadCharges()
      services.clock.advance(60 * DAY)
      await pass(30_000)
      services.clock.advance(-60 * DAY)
      await vi.waitFor(async () => expect(await loadWarnings()).toHaveLength(1))
      expect(await loadCharges()).toEqual(before)
      expect([await loadDoubtMetric(), (await loadWarnings())[0]!.run_at]).toEqual([1, 0])

      await pass(11 * MINUTE)
      await vi.waitFor(async () => expect(await loadDoubtMetric()).toBe(0))
      expect(await loadWarnings()).toHaveLength(1)
    },
  )

  it.runIf(engine === 'sqlite')(
    'from the start on charges nothing, since it is far past the last known time',
    async () => {
      const lastKnown = services.clock.now()
      services.clock.set(lastKnown + 60 * DAY)
      await expectNoCharge()
      expect(await loadLastKnownTime(services.db)).toBe(lastKnown)
    },
    MINUTES_OF_CHORES_MS,
  )

  it.runIf(engine === 'postgres')(
    'from the start on charges nothing, since the clock of the database differs',
    async () => {
      services.clock.set(Date.now() + 60 * DAY)
      await expectNoCharge()
    },
    MINUTES_OF_CHORES_MS,
  )

  it.runIf(engine === 'postgres')(
    'of the database alone charges nothing either',
    async () => {
      const { db } = services
      await sql`create function clock_timestamp() returns timestamptz language sql as 'select pg_catalog.clock_timestamp() + interval ''60 days'''`.execute(
        db.write,
      )
      const name = new URL(placeOf(db).url!).pathname.slice(1)
      await sql.raw(`alter database "${name}" set search_path = public, pg_catalog`).execute(db.write)
      services.db = await openDatabase(placeOf(db))
      onTestFinished(() => services.db.close())
      services.clock.set(Date.now())
      await expectNoCharge()
    },
    MINUTES_OF_CHORES_MS,
  )
})
