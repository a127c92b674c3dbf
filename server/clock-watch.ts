/** Has this process go by one time with its installation, refuses to start by a wrong one, and says where it is in doubt. */
import { type ClockDoubt, ClockGuard, followDatabase } from '../platform/clock-guard.ts'
import { DatabaseUnavailable } from '../platform/database/engine.ts'
import type { Database } from '../platform/database/open.ts'
import { clockProblem, lastKnownTime, saveKnownTime } from '../platform/known-time.ts'
import type { Clock } from '../ports/clock.ts'
import type { ErrorReporter } from '../ports/errors/errors.ts'
import { askOutsideTimes, type OutsideTime, outsideDoubt } from '../ports/outside-time.ts'
import { type Config, StartupError } from './config/config.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { systemClock } from './system-clock.ts'

const LOOK_MS = 10_000

type AskOutside = (clock: Clock) => Promise<readonly OutsideTime[]>

/** Asks the services that this server uses anyway; none in a demo. */
export const outsideOf =
  ({ mode, cardProvider, mail }: Config): AskOutside =>
  async (clock) =>
    mode === 'demo' ? [] : askOutsideTimes({ cardProviderUrl: cardProvider.baseUrl, smtpUrl: mail.smtpUrl }, clock)

/**
 * Before the first write. A database that is merely old, for it was put back or its servers were off, is served: what goes by dates
 * waits. @throws StartupError where the clock is far from what was known and others say another time too
 */
export async function startClock(
  db: Database,
  config: Config,
  clock: Clock,
  outside: AskOutside = outsideOf(config),
): Promise<void> {
  if (config.clock !== null) return
  await followDatabase(db, clock)
  const known = config.mode === 'demo' ? null : clockProblem(await lastKnownTime(db), clock.now())
  const doubt = outsideDoubt(await outside(clock))
  if (known !== null && doubt !== null) throw new StartupError([`${doubt} ${known}`])
  if (known === null && doubt === null) await saveKnownTime(db, clock)
}

export interface ClockWatch {
  /** None where the clock is set by hand (`CLOCK`). */
  guard: ClockGuard | null
  /** What people who look after the machines should know, or null. */
  says(): string | null
  stop(): void
}

/** In every process: web servers write dates too. */
export function watchClock(of: {
  db: Database
  config: Config
  clock: Clock
  errors: ErrorReporter
  metrics: Metrics
  log: Pick<Log, 'error'>
  /** What else people should know, or null. */
  others: () => string | null
  outside?: AskOutside
}): ClockWatch {
  const { db, config, clock, errors, metrics, log, others, outside = outsideOf(config) } = of
  if (config.clock !== null) return { guard: null, says: others, stop: () => {} }
  const guard = new ClockGuard({
    db,
    clock: systemClock,
    catchesUp: config.mode === 'demo',
    outside: () => outside(systemClock),
  })
  let doubted: ClockDoubt | null = null
  const look = async () => {
    await followDatabase(db, clock)
    const doubt = await guard.doubt()
    metrics.clockInDoubt.set(doubt === null ? 0 : 1)
    if (doubt !== null && doubt !== doubted) log.error({ doubt }, guard.says() ?? '')
    doubted = doubt
  }
  // What a database without an answer means is said where requests meet it.
  const looked = () =>
    void look().catch((error: unknown) => {
      if (!(error instanceof DatabaseUnavailable)) errors.report(error, { chore: 'look at the clock' })
    })
  looked()
  const timer = setInterval(looked, LOOK_MS)
  timer.unref()
  const says = () => [others(), guard.says()].filter((one) => one !== null).join('\n') || null
  return { guard, says, stop: () => clearInterval(timer) }
}
