/** A restored copy sends, charges and bills nothing until the operator resumes it. */
import { afterEach, expect, it, vi } from 'vitest'
import { runBilling } from '../modules/billing/run-billing.ts'
import { messageJobHandlers } from '../modules/messages/message-handlers.ts'
import { SaveReservationDetails_WEB } from '../modules/reservations/operations/reserve-unit-for-new-tenant.ts'
import { ChoreLocks } from '../platform/chores/chore-locks.ts'
import { JobRunner } from '../platform/jobs/job-runner.ts'
import { perform } from '../platform/operations/operation.ts'
import { RestoreGuard } from '../platform/server-registry/detect-restored-database.ts'
import { withBlockedCalls } from '../ports/block-calls.ts'
import { CardProviderUnavailable } from '../ports/card-provider/card-provider.ts'
import { describeOnBothEngines } from '../tests/support/databases.ts'
import { memoryFiles } from '../tests/support/memory-files.ts'
import { rowsOf } from '../tests/support/rows.ts'
import { passTime, SimulatedTimers } from '../tests/support/simulated-timers.ts'
import { contact, openTestServices, visitor } from '../tests/support/small-operator.ts'
import { openLog } from './log.ts'
import { openMetrics } from './metrics.ts'
import { startScheduler } from './schedule.ts'

const MINUTE = 60_000
const DAY = 86_400_000

describeOnBothEngines('A server on a restored database', (open) => {
  const stops: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })

  it('sends, charges and bills nothing until it is resumed', async () => {
    const services = Object.assign(await openTestServices(await open()), { errors: { report: () => {} } })
    const { db, clock, random } = services
    await runBilling(services)
    const reservation = { location_code: 'GA1', unit_type_id: 1, rent_now: 1, ...contact }
    expect((await perform(services, SaveReservationDetails_WEB, reservation, visitor())).ok).toBe(true)
    const files = memoryFiles()
    const guard = new RestoreGuard({ db, files, clock, random, monotonic: () => clock.now() })
    await files.put('servers/restore-mark.txt', Buffer.from('a mark of later'), 'text/plain')
    await guard.checkState()
    clock.set(Math.ceil((clock.now() + 2 * DAY) / (60 * MINUTE)) * 60 * MINUTE - MINUTE)
    const sent: string[] = []
    const mail = { send: async ({ to }: { to: string }) => void sent.push(to) }
    const partnerCalls: string[] = []
    const partner = {
      saleByAlias: async () => partnerCalls.push('sale'),
      refund: async () => partnerCalls.push('back'),
    }
    const refusal = () => new CardProviderUnavailable('refused', 'held')
    const blockedPartner = withBlockedCalls(partner, {
      calls: ['saleByAlias', 'refund'],
      isBlocked: () => guard.mustWait(),
      refusal,
    })
    const metrics = openMetrics()
    const timers = new SimulatedTimers()
    const runner = new JobRunner({
      db,
      clock,
      isPaused: () => guard.mustWait(),
      log: openLog('silent'),
      onDead: () => {},
      handlers: messageJobHandlers(services, { mail, from: 'Storage <desk@storage.example>' }),
    })
    runner.start()
    const choreLocks = new ChoreLocks({ db, clock, holder: 'here' })
    const schedule = startScheduler(services, {
      runner,
      choreLocks,
      log: openLog('silent'),
      metrics,
      guard: null,
      restoreGuard: guard,
      startTimer: timers.start,
      autopayAtATime: 4,
      auditMailTo: null,
      catchesUp: true,
    })
    stops.push(() => Promise.all([schedule.stop(), runner.drain()]))
    const pass = (milliseconds: number) => passTime(timers, [schedule], milliseconds, (step) => clock.advance(step))
    const loadRecords = async () => ({
      charged: await rowsOf(db, 'ledger_entries', ['entry_id']),
      jobs: await rowsOf(db, 'jobs', ['job_id', 'state', 'attempts']),
      runs: await rowsOf(db, 'billing_runs', ['location_code', 'run_date', 'state']),
    })
    const chores = async () => (await rowsOf(db, 'chores', ['chore'])).map(({ chore }) => chore).sort()
    const before = await loadRecords()
    expect(before.jobs.some(({ state }) => state === 'waiting')).toBe(true)
    await pass(5 * MINUTE)
    await runner.runDue()
    await vi.waitFor(async () => expect(await chores()).toEqual(['look at the standbys', 'measure']))
    expect([await loadRecords(), sent, partnerCalls]).toEqual([before, [], []])
    await expect(blockedPartner.saleByAlias()).rejects.toThrow(CardProviderUnavailable)

    await guard.resume()
    clock.advance(55 * MINUTE)
    await pass(3 * MINUTE)
    await vi.waitFor(async () => {
      const now = await loadRecords()
      expect(now.runs.length).toBeGreaterThan(before.runs.length)
      expect(sent.length).toBeGreaterThan(0)
    }, 10_000)
    await blockedPartner.refund()
    expect(partnerCalls).toEqual(['back'])
  })
})
