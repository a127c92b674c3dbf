/** A clock far from the last known time and from outside clocks prevents the start; with a doubtful clock nothing is billed. */
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { reverseRun } from '../modules/billing/reverse-billing-run.ts'
import { runBilling } from '../modules/billing/run-billing.ts'
import {
  CLOCK_TOLERANCE_MS,
  findFutureDatedRecords,
  repairCommands,
} from '../modules/reports/find-wrong-clock-records.ts'
import { run } from '../operator/commands.ts'
import { ChoreLocks } from '../platform/chores/chore-locks.ts'
import { ClockGuard } from '../platform/clock-guard.ts'
import { SteadyClock } from '../platform/clock-ignoring-jumps.ts'
import { correctFutureJobTimes, enqueue } from '../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { JobRunner } from '../platform/jobs/job-runner.ts'
import { loadLastKnownTime, saveKnownTime } from '../platform/last-known-time.ts'
import { fixedClock } from '../ports/testing-clock-and-random.ts'
import { describeOnBothEngines, placeOf } from '../tests/support/databases.ts'
import { PRODUCTION } from '../tests/support/production-settings.ts'
import { rowsOf } from '../tests/support/rows.ts'
import { passTime, SimulatedTimers } from '../tests/support/simulated-timers.ts'
import { configOf } from '../tests/support/site.ts'
import { openTestServices, type TestServices } from '../tests/support/small-operator.ts'
import { startClock, watchClock } from './clock-watch.ts'
import { StartupError } from './config/config.ts'
import { openLog } from './log.ts'
import { openMetrics } from './metrics.ts'
import { startScheduler } from './schedule.ts'
import { metricsApp } from './web/health-and-metrics-routes.ts'

const DAY = 86_400_000
const MINUTE = 60_000

describeOnBothEngines('A clock that is wrong from the start', (open, engine) => {
  let services: TestServices
  beforeEach(async () => {
    services = await openTestServices(await open())
    for (const method of ['log', 'error'] as const) vi.spyOn(console, method).mockImplementation(() => {})
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
  /** @param differences milliseconds by which the clock is ahead of each outside clock */
  const startWith = (clock: { now(): number }, ...differences: number[]) =>
    startClock(services.db, configOf(production()), clock, async () =>
      differences.map((ahead) => ({ whose: 'the card provider', ahead })),
    )
  const guardOf = (clock: { now(): number }, differences: number[] = []) =>
    new ClockGuard({
      db: services.db,
      clock,
      outside: async () => differences.map((ahead) => ({ whose: 'the mail server', ahead })),
    })

  it('is refused if it is far from the known time and outside clocks disagree, and accepted in a demo', async () => {
    const { now } = services.clock
    await saveKnownTime(services.db, services.clock)
    await startWith(fixedClock(now() + 2 * DAY), 0)
    for (const offset of [60 * DAY, -60 * DAY]) {
      const refused = await startWith(fixedClock(now() + offset), offset).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(StartupError)
      expect(String(refused)).toContain(`${86_400} minutes ${offset > 0 ? 'ahead of' : 'behind'} the card provider`)
      expect(String(refused)).toContain('clock --confirm')
    }
    expect(await loadLastKnownTime(services.db)).toBe(now() + 2 * DAY)
    await startClock(services.db, configOf(), fixedClock(now() + 60 * DAY))
  })

  it('is accepted with an old database, and doubted until the operator confirms it', async () => {
    const lastKnown = Date.now() - 60 * DAY
    await saveKnownTime(services.db, fixedClock(lastKnown))
    const clock = { now: () => Date.now() }
    for (const differences of [[], [0], [0, 60 * DAY]]) await startWith(clock, ...differences)
    expect(await loadLastKnownTime(services.db)).toBe(lastKnown)
    const guard = guardOf(clock)
    expect(await guard.findProblem()).toBe('known')
    expect(guard.lastProblem()).toContain('nothing is billed')
    expect(await run(['clock', '--confirm'], production())).toBe(0)
    expect([await guard.findProblem(), guard.lastProblem()]).toEqual([null, null])
  })

  it('is reported once in the log, however many checks doubt it, and in the metrics and at /readyz', async () => {
    await saveKnownTime(services.db, fixedClock(Date.now() - 60 * DAY))
    const config = configOf(production())
    const metrics = openMetrics()
    const log = openLog('silent')
    const logged = vi.spyOn(log, 'error')
    const watch = watchClock({
      db: services.db,
      config,
      clock: new SteadyClock(() => Date.now()),
      errors: { report: vi.fn() },
      metrics,
      log,
      others: () => 'This database was put back.',
      outside: async () => [],
    })
    onTestFinished(watch.stop)
    const health = metricsApp({ config, metrics, ready: async () => [], caution: watch.message })
    const getText = async (path: string) => (await health.request(path)).text()
    await vi.waitFor(async () => expect(await getText('/metrics')).toMatch(/^latchkey_clock_suspect 1$/m))
    expect(await getText('/readyz')).toMatch(
      /^ready\nThis database was put back\.\nThe clock says .*: nothing is billed\./,
    )
    const { db, clock } = services
    const timers = new SimulatedTimers()
    const scheduler = startScheduler(Object.assign(services, { errors: { report: () => {} } }), {
      runner: new JobRunner({ db, clock, handlers: {}, log, onDead: () => {} }),
      choreLocks: new ChoreLocks({ db, clock, holder: 'here' }),
      log,
      metrics,
      guard: watch.guard,
      startTimer: timers.start,
      autopayAtATime: 4,
      auditMailTo: null,
      catchesUp: false,
    })
    onTestFinished(scheduler.stop)
    await passTime(timers, [scheduler], MINUTE, (step) => clock.advance(step))
    expect(await rowsOf(db, 'jobs', ['kind'], { kind: 'clock_in_doubt' })).toHaveLength(1)
    expect(logged).toHaveBeenCalledExactlyOnceWith({ doubt: 'known' }, expect.stringContaining('clock --confirm'))
  })

  it('is doubted if all outside clocks differ, even if the last known time agrees with it', async () => {
    await saveKnownTime(services.db, fixedClock(Date.now()))
    const problemOf = async (...differences: number[]) => {
      const guard = guardOf({ now: () => Date.now() }, differences)
      return [await guard.findProblem(), guard.lastProblem()]
    }
    expect(await problemOf()).toEqual([null, null])
    expect(await problemOf(60 * DAY, 59 * DAY)).toEqual([
      'outside',
      expect.stringMatching(/86400 minutes ahead of the mail server.*Billing, autopay and expiries wait/),
    ])
    expect(await problemOf(60 * DAY, 1000)).toEqual([null, null])
  })

  it('is reported as ahead of the database, or behind it', async () => {
    if (services.db.engine === 'sqlite') return
    for (const [offset, expected] of [
      [DAY / 12, /^This server's clock is \d+ s ahead of the database\./],
      [-DAY / 12, /^This server's clock is \d+ s behind the database\./],
    ] as const) {
      const guard = guardOf({ now: () => Date.now() + offset })
      expect(await guard.findProblem()).toBe('database')
      expect(guard.lastProblem()).toMatch(expected)
    }
  })

  it('is detected by the newest row of a database of an earlier release', async () => {
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
        attempts: 1,
        created_at: services.clock.now(),
        done_at: services.clock.now(),
      })
      .execute()
    await expect(startWith(fixedClock(services.clock.now() + 60 * DAY), 60 * DAY)).rejects.toThrow(StartupError)
    // The due time of a waiting job is no sign of the clock.
    const { db } = services
    const remind = { kind: 'receipt', once: 'later', payload: { orderId: 'o' } } as const
    await enqueue(db.write, { ...remind, runAt: services.clock.now() + 300 * DAY })
    await startWith(services.clock, 0)
  })

  it('bills nothing by command until the operator confirms it', async () => {
    await saveKnownTime(services.db, fixedClock(Date.now() - 60 * DAY))
    const before = await rowsOf(services.db, 'ledger_entries', ['entry_id'])
    const errorLog = vi.mocked(console.error)
    expect(await run(['billing'], production())).toBe(1)
    expect(errorLog.mock.calls.flat().join()).toContain('nothing is billed')
    expect(await rowsOf(services.db, 'ledger_entries', ['entry_id'])).toEqual(before)
    expect(await run(['clock', '--confirm'], production())).toBe(0)
    await startWith(new SteadyClock(() => Date.now()), 0)
  })

  it('is reported with the charges that it caused, and the commands that repair them', async () => {
    const { db } = services
    const ahead = services.clock.now() + 60 * DAY
    services.clock.set(ahead)
    await runBilling(services)
    services.clock.set(ahead - 60 * DAY)
    const records = await findFutureDatedRecords(db, services.clock.now())
    expect(records).toMatchObject({ entries: expect.any(Number), cents: expect.any(Number) })
    expect(records.runs[0]).toMatchObject({ name: expect.stringMatching(/^GA1-\d+$/), cents: records.cents })
    expect(records.cents).toBeGreaterThan(0)
    expect(records.jobs).toBeGreaterThan(0)
    expect(repairCommands(records)).toEqual([
      `billing --reverse ${records.runs.map(({ name }) => name).join(',')}`,
      'clock --redate',
    ])

    const { jobs: waiting } = records
    for (const { name } of records.runs) {
      const [location_code, run_number] = name.split('-')
      await reverseRun(services, { location_code: location_code ?? '', run_number: Number(run_number) })
    }
    const reversed = await findFutureDatedRecords(db, services.clock.now())
    expect(reversed).toMatchObject({ runs: [], entries: 0, cents: 0 })
    expect(reversed.jobs).toBeLessThan(waiting)
    const now = services.clock.now()
    await enqueue(db.write, {
      kind: 'receipt',
      once: 'ahead',
      payload: { orderId: 'o' },
      runAt: ahead + MINUTE,
      now: ahead,
    })
    expect(await correctFutureJobTimes(db.write, now + CLOCK_TOLERANCE_MS, now)).toBe(reversed.jobs + 1)
    expect(await rowsOf(db, 'jobs', ['run_at', 'created_at'], { once: 'ahead' })).toEqual([
      { run_at: now + MINUTE, created_at: now },
    ])
    expect(repairCommands(await findFutureDatedRecords(db, now))).toEqual([])
  })

  it('leaves no job dated ahead after clock --redate: each is due as if written now, a warning at once', async () => {
    const { db } = services
    const ahead = Date.now() + 60 * DAY
    const receipt = { kind: 'receipt', payload: { orderId: 'o' }, now: ahead } as const
    await enqueue(db.write, { ...receipt, once: 'soon', runAt: ahead + MINUTE })
    await enqueue(db.write, { ...receipt, once: 'in ten days', runAt: ahead + 10 * DAY })
    const payload = { staffId: 'olive', doubt: 'known' } as const
    await enqueue(db.write, { kind: 'clock_in_doubt', once: 'today:olive', payload, runAt: 0, now: ahead })
    const before = Date.now()
    expect(await run(['clock', '--redate'], production())).toBe(0)
    const said = () => vi.mocked(console.log).mock.calls.flat().join('\n')
    expect(said()).toContain('3 mails and other jobs are dated ahead.\n3 are due as if they were written now.')
    const jobs = await rowsOf(db, 'jobs', ['once', 'run_at', 'created_at', 'first_due_at'])
    const redated = Object.fromEntries(jobs.map(({ once, ...times }) => [once, times]))
    const now = redated['in ten days']!.created_at
    expect(now).toBeGreaterThanOrEqual(before)
    expect(now).toBeLessThanOrEqual(Date.now())
    // A mail becomes dead 72 hours after it was first due, so that time moves with the others.
    expect(redated).toEqual({
      soon: { run_at: now + MINUTE, created_at: now, first_due_at: now + MINUTE },
      'in ten days': { run_at: now + 10 * DAY, created_at: now, first_due_at: now + 10 * DAY },
      'today:olive': { run_at: 0, created_at: now, first_due_at: now },
    })
    vi.mocked(console.log).mockClear()
    expect(await run(['clock'], production())).toBe(0)
    expect(said()).not.toContain('dated ahead')
  })

  it('is reported without the refunds and returned payments of that time, which are no charges', async () => {
    const lease = { location_code: 'GA1', lease_number: 10002 }
    const created_at = services.clock.now() + 60 * DAY
    const kinds = ['rent', 'tax', 'refund', 'reversal', 'credit', 'payment'] as const
    const ledgerEntries = kinds.map((kind) => ({
      ...lease,
      entry_id: kind,
      kind,
      cents: kind === 'payment' ? -10_00 : 10_00,
      description: kind,
      once: kind,
      order_id: null,
      period_start: null,
      period_end: null,
      posted_on: '2026-11-20',
      created_at,
      billing_run: null,
    }))
    await services.db.write.insertInto('ledger_entries').values(ledgerEntries).execute()
    const { entries, cents } = await findFutureDatedRecords(services.db, services.clock.now())
    expect({ entries, cents }).toEqual({ entries: 2, cents: 20_00 })
  })

  it.runIf(engine === 'postgres')('is set to the database’s time at the start', async () => {
    const clock = new SteadyClock(() => Date.now() + 60 * DAY)
    await startClock(services.db, configOf(), clock)
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(60_000)
  })
})
