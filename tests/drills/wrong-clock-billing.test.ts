/** A clock sixty days wrong charges nothing; of five missed days, two wait; a reversed run restores every balance. */
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { reverseRun } from '../../modules/billing/reverse-billing-run.ts'
import { facilitiesBehind, previewBilling, resumeBilling, runBilling } from '../../modules/billing/run-billing.ts'
import { messageJobHandlers } from '../../modules/messages/message-handlers.ts'
import { countUnbilledFacilities } from '../../modules/reports/monitoring-counts.ts'
import { ChoreLocks } from '../../platform/chores/chore-locks.ts'
import { ClockGuard } from '../../platform/clock-guard.ts'
import { openDatabase } from '../../platform/database/open.ts'
import { JobRunner } from '../../platform/jobs/job-runner.ts'
import { loadLastKnownTime, saveKnownTime } from '../../platform/last-known-time.ts'
import { reportClockChange } from '../../server/clock-watch.ts'
import { openLog } from '../../server/log.ts'
import { openMetrics } from '../../server/metrics.ts'
import { type Scheduler, startScheduler } from '../../server/schedule.ts'
import { describeOnBothEngines, placeOf } from '../support/databases.ts'
import { rowsOf } from '../support/rows.ts'
import { passTime, SimulatedTimers } from '../support/simulated-time.ts'
import { noon, openTestServices, type TestServices, today } from '../support/small-operator.ts'

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

describeOnBothEngines('A facility that was not billed for days', (open) => {
  let services: TestServices
  beforeEach(async () => {
    services = await openTestServices(await open())
    await runBilling(services)
  })

  const loadRuns = () =>
    rowsOf(services.db, 'billing_runs', ['run_date', 'state', 'held_for'], { location_code: 'GA1' })
  const billOn = async (date: IsoDate) => {
    services.clock.set(noon + (Date.parse(date) - Date.parse(today)))
    return (await runBilling(services, { unattended: true, locationCode: 'GA1' })).waiting
  }

  it('catches up three days automatically, and waits for the operator with the rest', async () => {
    const third = addDays(today, 3)
    const fifth = addDays(today, 5)
    const waiting = [{ locationCode: 'GA1', billed: third, today: fifth }]
    expect(await billOn(fifth)).toEqual(waiting)
    expect(await billOn(fifth)).toEqual(waiting)
    expect(await loadRuns()).toEqual([
      { run_date: today, state: 'done', held_for: null },
      { run_date: third, state: 'done', held_for: fifth },
    ])
    expect(await facilitiesBehind(services, fifth, 'GA1')).toEqual([{ locationCode: 'GA1', billed: third }])

    const month = addDays(today, 35)
    services.clock.set(noon + 35 * DAY)
    const before = await rowsOf(services.db, 'ledger_entries', ['entry_id'])
    const preview = await previewBilling(services, 'GA1', month)
    expect(await rowsOf(services.db, 'ledger_entries', ['entry_id'])).toEqual(before)
    expect(preview.cents).toBeGreaterThan(0)
    const billed = await runBilling(services, { date: month, locationCode: 'GA1' })
    expect(billed).toMatchObject({ periods: preview.periods, cents: preview.cents, mails: preview.mails })
    await resumeBilling(services.db.write, 'GA1', month)
    expect(await billOn(addDays(today, 36))).toEqual([])
    expect((await loadRuns()).at(-1)).toEqual({ run_date: addDays(today, 36), state: 'done', held_for: null })
  })

  it('waits for the operator again when the run that caught up is reversed and billed again', async () => {
    const third = addDays(today, 3)
    const fifth = addDays(today, 5)
    const waiting = await billOn(fifth)
    const [row] = await rowsOf(services.db, 'billing_runs', ['run_number'], { location_code: 'GA1', run_date: third })
    await reverseRun(services, { location_code: 'GA1', run_number: row!.run_number! })
    expect(await billOn(fifth)).toEqual(waiting)
    expect(await billOn(fifth)).toEqual(waiting)
    expect((await loadRuns()).at(-1)).toEqual({ run_date: third, state: 'done', held_for: fifth })
  })

  it('no longer waits when the operator bills a later day, but does when the last day is billed again', async () => {
    const third = addDays(today, 3)
    const fifth = addDays(today, 5)
    await billOn(fifth)
    const loadWaiting = async () => ({
      behind: await facilitiesBehind(services, third, null),
      count: await countUnbilledFacilities(services),
    })
    await runBilling(services, { date: fifth, locationCode: 'HI1' })
    await runBilling(services, { date: third, locationCode: 'GA1', again: true })
    expect(await loadWaiting()).toEqual({ behind: [{ locationCode: 'GA1', billed: third }], count: 1 })
    await runBilling(services, { date: fifth, locationCode: 'GA1' })
    expect(await loadWaiting()).toEqual({ behind: [], count: 0 })
  })

  it('is never billed automatically for a day before the last billed one', async () => {
    await billOn(addDays(today, 2))
    expect(await billOn(addDays(today, 1))).toEqual([])
    expect((await loadRuns()).map(({ run_date }) => run_date)).toEqual([today, addDays(today, 2)])
  })

  it('mails the operator the command to type, and that a clock is in doubt', async () => {
    const sent: { to: string; text: string }[] = []
    const mail = { send: async (message: { to: string; text: string }) => void sent.push(message) }
    const handlers = messageJobHandlers(services, { mail: mail as never, from: 'desk@latchkey.example' })
    await services.db.write
      .insertInto('staff')
      .values({
        staff_id: 'olive',
        email: 'olive@office.example',
        name: 'Olive',
        password_hash: 'x',
        created_at: noon,
        invite_hash: null,
        invite_expires_at: null,
        ended_at: null,
      })
      .execute()
    const facilities = [{ locationCode: 'GA1', billed: today, today: addDays(today, 9) }]
    const job = (kind: string, payload: object) => ({ jobId: 'a', kind, payload: { staffId: 'olive', ...payload } })
    await handlers.billing_waits(job('billing_waits', { facilities }) as never)
    await handlers.clock_in_doubt(job('clock_in_doubt', { doubt: 'database' }) as never)
    expect(sent.map(({ to }) => to)).toEqual(['olive@office.example', 'olive@office.example'])
    expect(sent[0]!.text).toContain(`billing --catch-up --through ${addDays(today, 9)}`)
    expect(sent[1]!.text).toContain('more than a minute apart')
  })
})

describeOnBothEngines('A run that is reversed', (open) => {
  it('restores every balance, drops its unsent mails, and allows its day to be billed later', async () => {
    const services = await openTestServices(await open())
    await runBilling(services)
    const loadStandings = () =>
      rowsOf(services.db, 'leases', ['lease_number', 'balance', 'paid_through', 'status', 'auction_prepped'])
    const loadMails = () => rowsOf(services.db, 'jobs', ['kind', 'once'])
    const before = await loadStandings()
    const mailsBefore = await loadMails()
    const wrongDay = addDays(today, 60)
    const billed = await runBilling(services, { date: wrongDay })
    expect(billed.periods).toBeGreaterThan(0)
    expect(await loadStandings()).not.toEqual(before)
    const [row] = await rowsOf(services.db, 'billing_runs', ['run_number'], { run_date: wrongDay })
    const run = { location_code: 'GA1', run_number: row!.run_number! }

    const reversed = await reverseRun(services, run)
    expect(reversed).toMatchObject({ entries: expect.any(Number), cents: billed.cents, closed: [] })
    expect(await loadStandings()).toEqual(before)
    expect(await loadMails()).toEqual(mailsBefore)
    expect(await reverseRun(services, run)).toMatchObject({ leases: 0, entries: 0, cents: 0 })
    expect(await reverseRun(services, { ...run, run_number: 999 })).toBeNull()

    services.clock.set(noon + 60 * DAY)
    const again = await runBilling(services, { date: wrongDay })
    expect(again).toMatchObject({ periods: billed.periods, cents: billed.cents })
    expect((await runBilling(services, { date: wrongDay })).periods).toBe(0)
  })

  it('restores balances and drops all its mails, also when its day was billed again before the reversal', async () => {
    const services = await openTestServices(await open())
    const loadBalances = () => rowsOf(services.db, 'leases', ['lease_number', 'balance', 'paid_through'])
    const loadMails = () => rowsOf(services.db, 'jobs', ['kind', 'once'])
    const before = [await loadBalances(), await loadMails()]
    const wrongDay = addDays(today, 60)
    const billed = await runBilling(services, { date: wrongDay })
    expect(billed.mails).toBeGreaterThan(0)
    const loadRun = () => rowsOf(services.db, 'billing_runs', ['location_code', 'run_number', 'entries'])
    const [run] = await loadRun()
    services.clock.advance(60 * MINUTE)
    expect(await runBilling(services, { date: wrongDay, again: true })).toMatchObject({ entries: 0 })
    expect((await loadRun())[0]).toEqual(run)
    const { location_code, run_number } = run!
    expect(await reverseRun(services, { location_code, run_number: run_number! })).toMatchObject({
      cents: billed.cents,
    })
    expect([await loadBalances(), await loadMails()]).toEqual(before)
  })

  it('leaves the mails of other days when its own day was billed again later', async () => {
    const services = await openTestServices(await open())
    const { db, clock } = services
    await db.write.updateTable('leases').set({ paid_through: '2026-12-03' }).where('lease_number', '=', 10002).execute()
    const loadMails = () => rowsOf(db, 'jobs', ['once'], { kind: 'payment_due' })
    for (const date of ['2026-12-01', '2026-12-04']) {
      clock.set(noon + (Date.parse(date) - Date.parse(today)))
      await runBilling(services, { locationCode: 'GA1' })
    }
    const later = { once: 'GA1:10002:2026-12-04' }
    expect(await loadMails()).toEqual([{ once: 'GA1:10001:2026-12-01' }, later])
    clock.advance(DAY)
    await runBilling(services, { date: '2026-12-01', again: true, locationCode: 'GA1' })
    const [run] = await rowsOf(db, 'billing_runs', ['run_number'], { run_date: '2026-12-01' })

    const reversed = await reverseRun(services, { location_code: 'GA1', run_number: run!.run_number! })
    expect(reversed).toMatchObject({ leases: 1, mails: 1, notified: 0 })
    expect(await loadMails()).toEqual([later])
  })

  it('mails the tenants whose mails were sent, and mails them again when the day is billed again', async () => {
    const services = await openTestServices(await open())
    const { db, clock } = services
    const sent: { to: string; subject: string; text: string }[] = []
    const mail = { send: async (message: (typeof sent)[number]) => void sent.push(message) }
    const handlers = messageJobHandlers(services, { mail: mail as never, from: 'desk@latchkey.example' })
    const runner = new JobRunner({ db, clock, handlers, log: openLog('silent'), onDead: () => {} })
    const deliverMails = async () => {
      sent.length = 0
      await runner.runDue()
      return sent.splice(0)
    }
    await runBilling(services)
    await deliverMails()
    const wrongDay = addDays(today, 60)
    await runBilling(services, { date: wrongDay })
    const reminders = (await deliverMails()).filter(({ subject }) => subject.includes('due'))
    expect(reminders.length).toBeGreaterThan(0)
    const [row] = await rowsOf(db, 'billing_runs', ['run_number'], { run_date: wrongDay })

    const reversed = await reverseRun(services, { location_code: 'GA1', run_number: row!.run_number! })
    const reversals = await deliverMails()
    expect(reversals).toHaveLength(reversed!.notified)
    expect(new Set(reversals.map(({ to }) => to))).toEqual(new Set(reminders.map(({ to }) => to)))
    for (const { subject, text } of reversals) {
      expect(subject).toMatch(/^We took back charges for unit /)
      expect(text).toMatch(/-\$\d/)
    }

    clock.set(noon + 60 * DAY)
    await runBilling(services, { date: wrongDay })
    const again = (await deliverMails()).filter(({ subject }) => subject.includes('due'))
    expect(again.map(({ to }) => to).sort()).toEqual(reminders.map(({ to }) => to).sort())
  })
})
