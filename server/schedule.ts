import { setTimeout as pause, setImmediate as yieldToOthers } from 'node:timers/promises'
import { Cron } from 'croner'
import { HOUR } from '../domain/durations.ts'
import { type Instant, todayIn } from '../domain/time-zone-dates.ts'
import { runBilling } from '../modules/billing/run-billing.ts'
import { pushGates } from '../modules/gate/push-gates.ts'
import { compareGates, syncGates } from '../modules/gate/refresh-stored-gate-lists.ts'
import { watchGates } from '../modules/gate/watch-gates.ts'
import { runAutopay } from '../modules/payments/autopay/charge-autopay.ts'
import { followUpRefusals } from '../modules/payments/autopay/follow-up-refused-autopay.ts'
import { expireUnpaidHolds } from '../modules/payments/expire-unpaid-holds.ts'
import { compareWithProvider } from '../modules/payments/reconcile-with-provider.ts'
import { processRefunds } from '../modules/payments/refund-unposted-payments.ts'
import { reconcilePayments } from '../modules/payments/settle-pending-payments.ts'
import { finishErasures } from '../modules/privacy/finish-erasure.ts'
import { reverseReturnedDebits } from '../modules/refunds/reverse-payments-returned-by-bank.ts'
import { saveDailySnapshots } from '../modules/reports/save-daily-snapshots.ts'
import { deleteExpiredDrafts } from '../modules/reservations/draft-retention.ts'
import { deleteOldWaitlistEntries, mailWaitlist } from '../modules/reservations/mail-waitlist.ts'
import { hashAndVerifyAudit } from '../modules/staff/audit-hash-check.ts'
import { deleteExpiredForms } from '../modules/staff/delete-expired-forms.ts'
import { mailExpiringKeys } from '../modules/staff/machine-keys.ts'
import { loadActiveOwners } from '../modules/staff/staff-members.ts'
import { type ChoreLock, type ChoreLocks, POLL_MS } from '../platform/chores/chore-locks.ts'
import type { ClockGuard, ClockProblem } from '../platform/clock-guard.ts'
import { runWithinRequest } from '../platform/current-request.ts'
import { countSyncStandbys } from '../platform/database/count-synchronous-standbys.ts'
import { enqueueAll, type NewJob } from '../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { JobRunner } from '../platform/jobs/job-runner.ts'
import { deleteExpiredOutcomes } from '../platform/operations/idempotency.ts'
import type { Services } from '../platform/operations/services.ts'
import { deleteExpiredChallenges } from '../platform/passkeys/passkey-challenges.ts'
import type { RestoreGuard } from '../platform/server-registry/detect-restored-database.ts'
import { CardProviderUnavailable } from '../ports/card-provider/card-provider.ts'
import type { Clock, StartTimer } from '../ports/clock-and-random.ts'
import { inSpan } from '../ports/tracing.ts'
import { collectDatabaseGauges } from './collect-gauges.ts'
import { deleteOldRecords } from './delete-old-records.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** Maximum number of requests in flight beside which jobs run without a pause. */
const FEW_REQUESTS = 4
/** Length of one pause between jobs in milliseconds, after which the requests in flight are counted again. */
const PAUSE_MS = 10
/** Maximum total length of these pauses between two jobs of a lane, in milliseconds. */
const MAX_PAUSES_MS = 500
/** Lateness in milliseconds above which jobs no longer yield to requests. */
const LATE_MS = 30_000

/**
 * Maximum pause between two jobs of a lane while billing runs, in milliseconds. It ends when billing ends. Billing has
 * priority over jobs, most of which are mails.
 */
const BILLING_WAIT_MS = 2000
const BILLING_POLL_MS = 250

/**
 * Pauses between jobs while many requests are in flight (unless jobs are late) or billing runs.
 * @param lateMs milliseconds from the time when the lane's last job was due until its end
 */
export async function yieldToRequests(
  requestsInFlight: () => number,
  lateMs: number,
  billing: () => boolean = () => false,
): Promise<void> {
  await yieldToOthers()
  for (let waited = 0; waited < BILLING_WAIT_MS && billing(); waited += BILLING_POLL_MS) await pause(BILLING_POLL_MS)
  if (lateMs > LATE_MS) return
  for (let waited = 0; waited < MAX_PAUSES_MS && requestsInFlight() > FEW_REQUESTS; waited += PAUSE_MS)
    await pause(PAUSE_MS)
}

/**
 * Returns a function that tells whether any process was billing at the last read. It reads at most once a second,
 * without waiting; if a read fails, the result of the one before stays.
 */
export function createBillingProbe(choreLocks: Pick<ChoreLocks, 'isHeld'>): () => boolean {
  let isBilling = false
  let readAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - readAt >= 1000) {
      readAt = performance.now()
      choreLocks.isHeld('bill').then(
        (isHeld) => {
          isBilling = isHeld
        },
        () => {},
      )
    }
    return isBilling
  }
}

/** A chore: `when` is a cron pattern in UTC that begins with the seconds; `name` is stored. */
interface ScheduledTask {
  name: string
  when: string
  /** True for a task that depends on dates, and so waits while the clock is doubtful. */
  dated?: true
  /** True for a task that only reads, and so runs on a restored copy too. */
  looks?: true
  /**
   * Runs the task.
   * @param stopping checked between the steps of long tasks
   * @returns the number of items handled, such as leases; the run is logged unless it is 0
   */
  run(services: Services, stopping: () => boolean, parts: SchedulerParts): Promise<number>
}

/** All chores. Each must tolerate being interrupted and repeated. */
export const scheduledTasks: readonly ScheduledTask[] = [
  { name: 'complete payments', when: '*/5 * * * * *', run: reconcilePayments },
  { name: 'sync gates', when: '* * * * * *', run: syncGates },
  { name: 'push gates', when: '*/2 * * * * *', run: pushGates },
  { name: 'watch gates', when: '*/10 * * * * *', dated: true, run: watchGates },
  { name: 'compare gates', when: '50 8 * * * *', run: compareGates },
  { name: 'give back what is owed', when: '*/15 * * * * *', run: (services) => processRefunds(services) },
  // Billing runs hourly, since facilities have different midnights; it skips days that were billed.
  { name: 'bill', when: '0 1 * * * *', dated: true, run: bill },
  // Autopay runs after billing; it tries a refused charge again some days later.
  {
    name: 'autopay',
    when: '0 6,21,36,51 * * * *',
    dated: true,
    run: async (services, stopping, { autopayAtATime }) =>
      (await runAutopay(services, { stopping, concurrency: autopayAtATime })).tries,
  },
  {
    name: 'tell of refused autopay',
    when: '40 * * * * *',
    dated: true,
    run: (services) => followUpRefusals(services),
  },
  { name: 'reverse what banks sent back', when: '20 * * * * *', run: reverseReturnedDebits },
  { name: 'expire holds', when: '*/10 * * * * *', dated: true, run: (services) => expireUnpaidHolds(services) },
  // This runs hourly, in case the server was off at night; usually there is nothing to do.
  { name: 'hash the audit', when: '10 12 * * * *', dated: true, run: hashAndVerifyAudit },
  { name: 'finish erasures', when: '25 * * * * *', dated: true, run: finishErasures },
  // This finds charges that our database lost in a failover or restore.
  { name: 'compare with the provider', when: '35 47 * * * *', run: compareRecentCharges },
  {
    name: 'measure',
    when: '5 * * * * *',
    looks: true,
    run: (services, _, { metrics }) => collectDatabaseGauges(services, metrics),
  },
  { name: 'tell of free units', when: '50 * * * * *', dated: true, run: mailWaitlist },
  { name: 'forget old waits', when: '0 19 4 * * *', dated: true, run: deleteOldWaitlistEntries },
  { name: 'tell of keys that end', when: '0 7 13 * * *', dated: true, run: (services) => mailExpiringKeys(services) },
  { name: 'look at the standbys', when: '15 * * * * *', looks: true, run: checkStandbys },
  { name: 'leave a mark', when: '*/10 * * * * *', run: leaveMark },
  { name: 'forget old drafts', when: '0 17 4 * * *', dated: true, run: deleteExpiredDrafts },
  { name: 'forget old records', when: '0 47 4 * * *', dated: true, run: deleteOldRecords },
  {
    name: 'forget old limits',
    when: '30 27 * * * *',
    dated: true,
    run: (services) => services.limits.deleteExpired(),
  },
  { name: 'forget old answers', when: '45 37 * * * *', dated: true, run: deleteExpiredOutcomes },
  { name: 'forget kept forms', when: '55 */10 * * * *', dated: true, run: deleteExpiredForms },
  { name: 'forget old passkey challenges', when: '50 */10 * * * *', dated: true, run: deleteExpiredChallenges },
]

async function bill(services: Services, stopping: () => boolean, { catchesUp }: SchedulerParts): Promise<number> {
  // The daily snapshot comes first: it shows the end of a day before the next one is billed.
  await saveDailySnapshots(services, { stopping }).catch((error: unknown) =>
    services.errors.report(error, { chore: 'keep days' }),
  )
  const { leases, waiting } = await runBilling(services, { stopping, unattended: !catchesUp })
  if (waiting.length > 0)
    await warnOwners(services, (staffId) => ({ kind: 'billing_waits', payload: { staffId, facilities: waiting } }))
  return leases
}

async function leaveMark(_: unknown, __: unknown, { restoreGuard }: SchedulerParts): Promise<number> {
  await restoreGuard?.leaveMark()
  return 0
}

/** Age in milliseconds of the oldest charges that the hourly comparison with the provider reads. */
const RECENT_MS = 2 * HOUR

async function compareRecentCharges(services: Services): Promise<number> {
  try {
    return (await compareWithProvider(services, services.clock.now() - RECENT_MS)).moved
  } catch (error) {
    // The next comparison, an hour later, also reads the charges of the hour before this one.
    if (error instanceof CardProviderUnavailable) return 0
    throw error
  }
}

/** Logs an error if a required synchronous standby is missing; runs each minute, and the site continues. */
export async function checkStandbys(
  { db }: Pick<Services, 'db'>,
  _: unknown,
  { log, standbyRequired }: Pick<SchedulerParts, 'standbyRequired'> & { log: Pick<Log, 'error'> },
): Promise<number> {
  if (standbyRequired && (await countSyncStandbys(db.read)) === 0)
    log.error(
      'no synchronous standby: were the primary lost now, answered payments would be lost with it. Start the standby; that this database role may see it: grant pg_read_all_stats to it.',
    )
  return 0
}

/**
 * Sends each owner a warning, or the business's own address if there is no owner: at most one mail a day and kind, due
 * at once, whatever the clock says.
 */
async function warnOwners(
  services: Services,
  jobOf: (staffId: string) => Pick<NewJob, 'kind' | 'payload'>,
): Promise<void> {
  const owners = await loadActiveOwners(services.db.read)
  const day = todayIn('UTC', services.clock.now())
  const jobs = (owners.length > 0 ? owners : ['']).map(
    (staffId) => ({ ...jobOf(staffId), once: `${day}:${staffId}`, runAt: 0, now: services.clock.now() }) as NewJob,
  )
  await enqueueAll(services.db.write, jobs)
}

interface SchedulerParts {
  runner: JobRunner
  log: Log
  metrics: Metrics
  choreLocks: ChoreLocks
  /** Null if the clock is set by `CLOCK`. */
  guard: ClockGuard | null
  /** Maximum number of concurrent autopay charges in this process. */
  autopayAtATime: number
  /** E-mail address to which each day's audit hash is sent; null for none. */
  auditMailTo: string | null
  /** Whether billing catches up on all missed days, as in a demo; else a long gap waits for the operator. */
  catchesUp: boolean
  standbyRequired?: boolean
  restoreGuard?: RestoreGuard
  startTimer?: StartTimer
}

const startRealTimer: StartTimer = (run, ms) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

export interface Scheduler {
  /** Starts no further task and waits for running ones. */
  stop(): Promise<void>
  /** Resolves once no task is running. */
  settled(): Promise<void>
}

/** Returns a function that tells whether the clock is doubtful; it warns owners of each new doubt. */
function createClockCheck(services: Services, { guard, runner }: SchedulerParts): () => Promise<boolean> {
  let warnedOf: ClockProblem | null = null
  return async () => {
    const doubt = (await guard?.findProblem()) ?? null
    if (doubt !== null && doubt !== warnedOf) {
      await warnOwners(services, (staffId) => ({ kind: 'clock_in_doubt', payload: { staffId, doubt } }))
      runner.wake()
    }
    warnedOf = doubt
    return doubt !== null
  }
}

/** Starts running the chores at their times. */
export function startScheduler(services: Services, parts: SchedulerParts): Scheduler {
  const { guard, choreLocks, log, restoreGuard, startTimer = startRealTimer } = parts
  const runningTasks = new Map<Promise<void>, ScheduledTask>()
  let stopped = false
  const stopping = () => stopped || guard?.hasJumped() === true
  const inDoubt = createClockCheck(services, parts)
  const attempt = async (task: ScheduledTask, claim: () => Promise<ChoreLock | null>) => {
    if (stopped || (!task.looks && (await restoreGuard?.mustWait()))) return
    if (task.dated && (await inDoubt())) return
    const lock = await claim()
    if (!lock) return
    const isHalted = () => stopping() || lock.isLost()
    let result: Parameters<ChoreLock['end']>[0] = 'failed'
    try {
      // The run's log lines and jobs share one request id.
      const origin = { id: services.random.uuid(), address: '' }
      const span = { root: true, attributes: { 'latchkey.request_id': origin.id } } as const
      const count = await runWithinRequest(origin, () =>
        inSpan(`chore ${task.name}`, span, () => task.run(services, isHalted, parts)),
      )
      result = isHalted() ? 'handed back' : 'done'
      if (count === 0) return
      log.info({ chore: task.name, count }, 'chore done')
      parts.runner.wake()
    } finally {
      await lock.end(result)
    }
  }
  const runOnce = (task: ScheduledTask, claim: () => Promise<ChoreLock | null>) => {
    const running = attempt(task, claim)
      .catch((error: unknown) => services.errors.report(error, { chore: task.name }))
      .finally(() => runningTasks.delete(running))
    runningTasks.set(running, task)
    return running
  }
  const stopFunctions = scheduledTasks.map((task) =>
    scheduleCron(services.clock, task.when, (due) => runOnce(task, () => choreLocks.claim(task.name, due)), startTimer),
  )
  const takeOver = async () => {
    // After a jump of the clock a chore would only be handed back again.
    if (stopping()) return
    const abandoned = await choreLocks.listAbandoned()
    const running = [...runningTasks.values()]
    for (const task of scheduledTasks.filter((task) => abandoned.includes(task.name) && !running.includes(task)))
      void runOnce(task, () => choreLocks.takeOver(task.name))
  }
  const pollAbandoned = () => {
    void takeOver().catch((error: unknown) => services.errors.report(error, { chore: 'take over' }))
    cancelPoll = startTimer(pollAbandoned, POLL_MS)
  }
  let cancelPoll = startTimer(pollAbandoned, POLL_MS)
  // Completes at once the payments that a killed process left.
  const [first] = scheduledTasks
  if (first) void runOnce(first, () => choreLocks.claim(first.name, services.clock.now()))
  return {
    async stop() {
      stopped = true
      cancelPoll()
      for (const stopCron of stopFunctions) stopCron()
      await Promise.allSettled(runningTasks.keys())
    },
    async settled() {
      while (runningTasks.size > 0) await Promise.allSettled(runningTasks.keys())
    },
  }
}

/** Maximum time between checks, in milliseconds, since the clock may be set or the machine may sleep. */
const MAX_CHECK_INTERVAL_MS = 30_000

/**
 * Runs a function at the times of a cron pattern, in UTC by `clock`; never concurrently, and once for several missed
 * times.
 * @returns a function that stops it
 */
export function scheduleCron(
  clock: Clock,
  when: string,
  run: (due: Instant) => Promise<unknown>,
  startTimer = startRealTimer,
): () => void {
  const pattern = new Cron(when, { paused: true, timezone: 'UTC' })
  const nextRunAfter = (instant: number) => pattern.nextRun(new Date(instant))?.getTime() ?? Number.POSITIVE_INFINITY
  let due = nextRunAfter(clock.now())
  let running = false
  const check = () => {
    const now = clock.now()
    if (now >= due && !running) {
      running = true
      void run(due).finally(() => {
        running = false
      })
    }
    // The due time is recomputed even if no run was due, since the clock may have been set back.
    due = nextRunAfter(now)
    cancel = wait()
  }
  const wait = () => startTimer(check, Math.min(Math.max(due - clock.now(), 0), MAX_CHECK_INTERVAL_MS))
  let cancel = wait()
  return () => cancel()
}
