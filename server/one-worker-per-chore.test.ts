/** Only one of several workers runs each chore, and another continues it if that worker is killed. */
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { addDays } from '../domain/plain-date.ts'
import { runBilling } from '../modules/billing/run-billing.ts'
import { type ChoreLock, ChoreLocks } from '../platform/chores/chore-locks.ts'
import type { ClockGuard } from '../platform/clock-guard.ts'
import { JobRunner } from '../platform/jobs/job-runner.ts'
import { describeOnBothEngines } from '../tests/support/databases.ts'
import { observeServices } from '../tests/support/fault-points.ts'
import { rowsOf } from '../tests/support/rows.ts'
import { passTime, SimulatedTimers } from '../tests/support/simulated-timers.ts'
import { noon, openTestServices, type TestServices, testServicesOn, today } from '../tests/support/small-operator.ts'
import { openLog } from './log.ts'
import { openMetrics } from './metrics.ts'
import { type Scheduler, scheduledTasks, startScheduler } from './schedule.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

describeOnBothEngines('A chore', (open) => {
  let services: TestServices
  beforeEach(async () => {
    services = Object.assign(await openTestServices(await open()), { errors: { report: () => {} } })
  })
  const locksOf = (holder: string) => new ChoreLocks({ db: services.db, clock: services.clock, holder })
  const dues = (...minutes: number[]) => minutes.map((minute) => noon + minute * MINUTE)

  it('is claimed by one of many processes, once for each due time', async () => {
    const workers = ['a', 'b', 'c', 'd'].map(locksOf)
    const claim = async (due: number) =>
      (await Promise.all(workers.map((worker) => worker.claim('bill', due)))).filter((lock) => lock !== null)
    const [first, second] = dues(0, 60) as [number, number]
    const [lock, ...others] = (await claim(first)) as [ChoreLock]
    expect(others).toEqual([])
    expect(await claim(second)).toEqual([])
    expect(await workers[3]!.isHeld('bill')).toBe(true)
    await lock.end('done')
    expect(await workers[3]!.isHeld('bill')).toBe(false)
    expect(await claim(first)).toEqual([])
    expect(await claim(second)).toHaveLength(1)
    expect(await workers[0]!.claim('autopay', first)).not.toBeNull()
    const [bill] = await rowsOf(services.db, 'chores', ['succeeded_at', 'due_at'], { chore: 'bill' })
    expect(bill).toEqual({ succeeded_at: services.clock.now(), due_at: second })
  })

  it('is held while it runs, free when its holder is gone or releases it, and lost to the process that takes it over', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const slow = locksOf('slow')
      const other = locksOf('other')
      const lock = (await slow.claim('bill', noon))!
      const remainingMs = async () =>
        (await rowsOf(services.db, 'chores', ['claimed_until']))[0]!.claimed_until! - services.clock.now()
      services.clock.advance(30 * SECOND)
      vi.advanceTimersByTime(10 * SECOND)
      await vi.waitFor(async () => expect(await remainingMs()).toBe(40 * SECOND))
      expect(await other.listAbandoned()).toEqual([])
      services.clock.advance(40 * SECOND)
      expect(await other.listAbandoned()).toEqual(['bill'])
      const takenOver = (await other.takeOver('bill'))!
      expect(await slow.takeOver('bill')).toBeNull()
      vi.advanceTimersByTime(10 * SECOND)
      await vi.waitFor(() => expect(lock.isLost()).toBe(true))
      await lock.end('done')
      expect(await rowsOf(services.db, 'chores', ['holder', 'succeeded_at'])).toEqual([
        { holder: 'other', succeeded_at: null },
      ])
      await takenOver.end('handed back')
      expect(await slow.listAbandoned()).toEqual(['bill'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('ignores times written by a clock far ahead', async () => {
    services.clock.advance(60 * 24 * 60 * MINUTE)
    const far = locksOf('far')
    await far.claim('bill', services.clock.now())
    services.clock.set(noon)
    const near = locksOf('near')
    expect(await near.isHeld('bill')).toBe(false)
    expect(await near.listAbandoned()).toEqual(['bill'])
    expect(await near.claim('bill', noon)).not.toBeNull()
  })
})

describeOnBothEngines('Billing by three workers', (open) => {
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
    vi.useRealTimers()
  })

  it('continues within a minute after one process is killed, and charges each period once', async () => {
    const services = Object.assign(await openTestServices(await open()), { errors: { report: () => {} } })
    const { db, clock } = services
    await runBilling(services)
    clock.set(noon + 35 * 24 * 60 * MINUTE)
    const day = addDays(today, 35)
    await services.db.write
      .updateTable('billing_runs')
      .set({ run_date: addDays(day, -1) })
      .execute()
    const runs = () => rowsOf(db, 'billing_runs', ['location_code', 'state'], { run_date: day })

    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const killed = new ChoreLocks({ db, clock, holder: 'killed' })
    // The process is killed, so its lock stays.
    const killedLock = await killed.claim('bill', clock.now())
    vi.useRealTimers()
    expect(killedLock).not.toBeNull()
    let commits = 0
    const dying = observeServices(services, ({ at }) => {
      // At the second commit a run is open and none is finished.
      if (at === 'transaction committed' && ++commits === 2) throw new Error('killed')
    })
    await expect(runBilling(dying, { unattended: true })).rejects.toThrow('killed')
    expect((await runs()).some(({ state }) => state === 'running')).toBe(true)

    const takenOver: string[] = []
    const schedulers: Scheduler[] = []
    const timers = new SimulatedTimers()
    for (const holder of ['second', 'third']) {
      const choreLocks = new ChoreLocks({ db, clock, holder })
      const takeOver = choreLocks.takeOver.bind(choreLocks)
      choreLocks.takeOver = async (chore) => {
        const lock = await takeOver(chore)
        if (lock) takenOver.push(chore)
        return lock
      }
      const runner = new JobRunner({ db, clock, handlers: {}, log: openLog('silent'), onDead: () => {} })
      const scheduler = startScheduler(services, {
        runner,
        choreLocks,
        log: openLog('silent'),
        metrics: openMetrics(),
        guard: null,
        startTimer: timers.start,
        autopayAtATime: 4,
        auditMailTo: null,
        catchesUp: false,
      })
      schedulers.push(scheduler)
      stops.push(scheduler.stop)
    }
    await passTime(timers, schedulers, MINUTE, (step) => clock.advance(step))
    const facilities = (await rowsOf(db, 'locations', ['location_code'])).length - 1
    await vi.waitFor(async () => {
      const states = (await runs()).map(({ state }) => state)
      expect(states).toEqual(Array.from({ length: facilities }, () => 'done'))
    }, 10_000)
    expect(takenOver).toEqual(['bill'])
    const rents = await rowsOf(db, 'ledger_entries', ['location_code', 'lease_number', 'period_start'], {
      kind: 'rent',
    })
    const periods = rents.map((entry) => `${entry.location_code}:${entry.lease_number}:${entry.period_start}`)
    expect(new Set(periods).size).toBe(periods.length)
  })
})

describeOnBothEngines('Billing that a jump of the clock interrupts', (open) => {
  it('is resumed by the same process once the jump is over, without waiting for its next hour', async () => {
    const services = Object.assign(await openTestServices(await open()), { errors: { report: () => {} } })
    const { db, clock } = services
    await runBilling(services)
    clock.set(noon + 24 * 60 * MINUTE)
    const states = async () =>
      (await rowsOf(db, 'billing_runs', ['state'], { run_date: addDays(today, 1) })).map(({ state }) => state)
    let clockState: 'before the jump' | 'jumped' | 'after it' = 'before the jump'
    const hasJumped = () => clockState === 'jumped'
    const jumping = observeServices(services, (moment) => {
      const begins = moment.at === 'committed' && moment.table === 'billing_runs' && moment.write === 'insert'
      if (begins && clockState === 'before the jump') clockState = 'jumped'
    })
    const guard = { findProblem: async () => (hasJumped() ? 'jump' : null), hasJumped }
    const log = openLog('silent')
    const timers = new SimulatedTimers()
    const scheduler = startScheduler(jumping, {
      runner: new JobRunner({ db, clock, handlers: {}, log, onDead: () => {} }),
      choreLocks: new ChoreLocks({ db, clock, holder: 'only' }),
      log,
      metrics: openMetrics(),
      guard: guard as ClockGuard,
      startTimer: timers.start,
      autopayAtATime: 4,
      auditMailTo: null,
      catchesUp: false,
    })
    onTestFinished(scheduler.stop)
    const pass = (ms: number) => passTime(timers, [scheduler], ms, (step) => clock.advance(step))
    await pass(2 * MINUTE)
    expect(hasJumped()).toBe(true)
    expect(await states()).toContain('running')
    await pass(MINUTE)
    expect(await states()).toContain('running')
    clockState = 'after it'
    await pass(MINUTE)
    expect(new Set(await states())).toEqual(new Set(['done']))
  })
})

describeOnBothEngines('Each chore', (open) => {
  it('runs in a business that has nothing yet', async () => {
    const errors: unknown[] = []
    const services = testServicesOn(await open())
    services.errors = { report: (error: unknown) => void errors.push(error) }
    Object.assign(services.bank, { returnsSince: async () => [] })
    Object.assign(services.cardProvider, { listCharges: async () => ({ charges: [], next: null }) })
    const { db, clock } = services
    const log = openLog('silent')
    const parts = {
      runner: new JobRunner({ db, clock, handlers: {}, log, onDead: () => {} }),
      choreLocks: new ChoreLocks({ db, clock, holder: 'only' }),
      log,
      metrics: openMetrics(),
      guard: null,
      autopayAtATime: 4,
      auditMailTo: null,
      catchesUp: false,
    }
    for (const chore of scheduledTasks)
      await chore.run(services, () => false, parts).catch((error: unknown) => void errors.push([chore.name, error]))
    expect(errors).toEqual([])
  })
})
