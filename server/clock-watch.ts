/** Sets this process's clock by the database's, refuses a start with a wrong clock, and reports a doubtful clock. */
import { ClockGuard, type ClockProblem, setClockByDatabase } from '../platform/clock-guard.ts'
import { DatabaseUnavailable } from '../platform/database/engine-differences.ts'
import type { Database } from '../platform/database/open.ts'
import { clockProblem, loadLastKnownTime, saveKnownTime } from '../platform/last-known-time.ts'
import type { Clock } from '../ports/clock-and-random.ts'
import type { ErrorReporter } from '../ports/errors/errors.ts'
import { askOutsideTimes, findReferenceClockProblem, type OutsideTime } from '../ports/reference-clocks.ts'
import { type Config, StartupError } from './config/config.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { systemClock } from './system-clock-and-random.ts'

const POLL_MS = 10_000

type AskOutside = (clock: Clock) => Promise<readonly OutsideTime[]>

/** Returns a function that asks card provider and mail server for their time; in a demo it returns an empty list. */
export const referenceClocksOf =
  ({ mode, cardProvider, mail }: Config): AskOutside =>
  async (clock) =>
    mode === 'demo' ? [] : askOutsideTimes({ cardProviderUrl: cardProvider.baseUrl, smtpUrl: mail.smtpUrl }, clock)

/**
 * Sets the clock by the database's and checks it at the start, unless `CLOCK` sets it. If it differs only from the last
 * known time (the database was restored, or all servers were off for days) or only from outside clocks, the site
 * starts, and work that depends on dates waits. A demo is not checked.
 * @throws StartupError if the clock differs both from the last known time and from outside clocks
 */
export async function startClock(
  db: Database,
  config: Config,
  clock: Clock,
  outside: AskOutside = referenceClocksOf(config),
): Promise<void> {
  if (config.clock !== null) return
  await setClockByDatabase(db, clock)
  const knownProblem = config.mode === 'demo' ? null : clockProblem(await loadLastKnownTime(db), clock.now())
  const referenceProblem = findReferenceClockProblem(await outside(clock))
  if (knownProblem !== null && referenceProblem !== null)
    throw new StartupError([`${referenceProblem} ${knownProblem}`])
  if (knownProblem === null && referenceProblem === null) await saveKnownTime(db, clock)
}

/** Returns a function that shows each change of the clock's doubtfulness in the log and the metrics. */
export const reportClockChange =
  ({ metrics, log }: { metrics: Metrics; log: Pick<Log, 'info' | 'error'> }) =>
  (doubt: ClockProblem | null, message: string | null): void => {
    metrics.clockInDoubt.set(doubt === null ? 0 : 1)
    if (doubt === null) log.info('the clock is trusted again')
    else log.error({ doubt }, message ?? '')
  }

export interface ClockWatch {
  /** Null if the clock is set by `CLOCK`. */
  guard: ClockGuard | null
  /**
   * Returns the message of `others` and what is wrong with this server's clock, each on a line; null if there is
   * neither.
   */
  message(): string | null
  stop(): void
}

/** Watches the clock; runs in every process, since web servers write dates too. */
export function watchClock(parts: {
  db: Database
  config: Config
  clock: Clock
  errors: ErrorReporter
  metrics: Metrics
  log: Pick<Log, 'info' | 'error'>
  /** Returns other messages for the administrators, or null. */
  others: () => string | null
  outside?: AskOutside
}): ClockWatch {
  const { db, config, clock, errors, metrics, log, others, outside = referenceClocksOf(config) } = parts
  if (config.clock !== null) return { guard: null, message: others, stop: () => {} }
  const guard = new ClockGuard({
    db,
    clock: systemClock,
    catchesUp: config.mode === 'demo',
    outside: () => outside(systemClock),
    onChange: reportClockChange({ metrics, log }),
  })
  const check = async () => {
    await setClockByDatabase(db, clock)
    await guard.findProblem()
  }
  // An unavailable database is not reported here: requests and chores count it, and `/readyz` names it.
  const checkAndReport = () =>
    void check().catch((error: unknown) => {
      if (!(error instanceof DatabaseUnavailable)) errors.report(error, { chore: 'look at the clock' })
    })
  checkAndReport()
  const timer = setInterval(checkAndReport, POLL_MS)
  timer.unref()
  const message = () => [others(), guard.lastProblem()].filter((text) => text !== null).join('\n') || null
  return { guard, message, stop: () => clearInterval(timer) }
}
