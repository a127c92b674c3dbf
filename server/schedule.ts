import { setTimeout as pause, setImmediate as yieldToOthers } from 'node:timers/promises'
import { Cron } from 'croner'
import { billToday } from '../modules/leases/billing/run.ts'
import { runAutopay } from '../modules/payments/autopay/charge.ts'
import { followUpRefusals } from '../modules/payments/autopay/refusals.ts'
import { takeReturns } from '../modules/payments/bank/returns.ts'
import { expireUnpaidHolds } from '../modules/payments/holds.ts'
import { reconcilePayments } from '../modules/payments/reconcile.ts'
import { processRefunds } from '../modules/payments/refunds.ts'
import { deleteExpiredDrafts } from '../modules/reservations/draft-retention.ts'
import type { JobRunner } from '../platform/jobs/runner.ts'
import { deleteExpiredResponses } from '../platform/operations/idempotency.ts'
import type { Services } from '../platform/operations/services.ts'
import { deleteExpiredChallenges } from '../platform/passkeys/challenges.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from './log.ts'

const FEW = 4
const WAIT_MS = 10
const LONGEST_WAIT_MS = 500
/** Mail later than this no longer yields to requests. */
const PATIENCE_MS = 30_000

/** Jobs yield to requests while many are in flight, unless the outbox is late. @param lateMs of the last job */
export async function yieldToRequests(requestsInFlight: () => number, lateMs: number): Promise<void> {
  await yieldToOthers()
  if (lateMs > PATIENCE_MS) return
  for (let waited = 0; waited < LONGEST_WAIT_MS && requestsInFlight() > FEW; waited += WAIT_MS) await pause(WAIT_MS)
}

interface ScheduledTask {
  name: string
  when: string
  /** @param stopping asked between the steps of long tasks */
  run(services: Services, stopping: () => boolean): Promise<number>
}

/** Each is idempotent: two processes may run it, or die half-way. */
const scheduledTasks: ScheduledTask[] = [
  { name: 'complete payments', when: '*/5 * * * * *', run: reconcilePayments },
  { name: 'give back what is owed', when: '*/15 * * * * *', run: (services) => processRefunds(services) },
  // Hourly: facilities have different midnights. A billed day is skipped.
  { name: 'bill', when: '0 1 * * * *', run: billToday },
  // After billing; also the retries.
  {
    name: 'autopay',
    when: '0 6,21,36,51 * * * *',
    run: async (services, stopping) => (await runAutopay(services, { stopping })).tries,
  },
  { name: 'tell of refused autopay', when: '40 * * * * *', run: (services) => followUpRefusals(services) },
  { name: 'reverse what banks sent back', when: '20 * * * * *', run: takeReturns },
  { name: 'expire holds', when: '*/10 * * * * *', run: (services) => expireUnpaidHolds(services) },
  { name: 'forget old drafts', when: '0 17 4 * * *', run: deleteExpiredDrafts },
  { name: 'forget old limits', when: '30 27 * * * *', run: (services) => services.limits.deleteExpired() },
  { name: 'forget old answers', when: '45 37 * * * *', run: deleteExpiredResponses },
  { name: 'forget old passkey challenges', when: '50 */10 * * * *', run: deleteExpiredChallenges },
]

/** `stop` waits for the tasks under way. */
export function startScheduler(services: Services, parts: { runner: JobRunner; log: Log }): { stop(): Promise<void> } {
  const underWay = new Set<Promise<void>>()
  let stopped = false
  const runOnce = (task: ScheduledTask) => {
    const running = task
      .run(services, () => stopped)
      .then((count) => {
        if (count === 0) return
        parts.log.info({ chore: task.name, count }, 'chore done')
        parts.runner.wake()
      })
      .catch((error: unknown) => services.errors.report(error, { chore: task.name }))
      .finally(() => underWay.delete(running))
    underWay.add(running)
    return running
  }
  const ends = scheduledTasks.map((task) => runAt(services.clock, task.when, () => runOnce(task)))
  // Finishes at once what a killed process left.
  const [first] = scheduledTasks
  if (first) void runOnce(first)
  return {
    async stop() {
      stopped = true
      for (const end of ends) end()
      await Promise.allSettled(underWay)
    },
  }
}

/** The clock may be set, or the machine sleep: look again at least this often. */
const LOOK_AGAIN_MS = 30_000

/**
 * Runs on a cron pattern in UTC by our own clock (`CLOCK`), never twice at once; missed times run once. @returns
 * what stops it
 */
export function runAt(clock: Clock, when: string, run: () => Promise<unknown>): () => void {
  const pattern = new Cron(when, { paused: true, timezone: 'UTC' })
  const after = (instant: number) => pattern.nextRun(new Date(instant))?.getTime() ?? Number.POSITIVE_INFINITY
  let due = after(clock.now())
  let running = false
  let timer: ReturnType<typeof setTimeout>
  const look = () => {
    const now = clock.now()
    if (now >= due) {
      due = after(now)
      if (!running) {
        running = true
        void run().finally(() => {
          running = false
        })
      }
    }
    wait()
  }
  const wait = () => {
    timer = setTimeout(look, Math.min(Math.max(due - clock.now(), 0), LOOK_AGAIN_MS))
  }
  wait()
  return () => clearTimeout(timer)
}
