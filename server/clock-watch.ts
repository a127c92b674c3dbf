/** Has this process go by one time with its installation, refuses to start by a wrong one, and says where it is in doubt. */
import { ClockGuard, followDatabase } from '../platform/clock-guard.ts'
import type { Database } from '../platform/database/open.ts'
import { clockProblem, knownTime, learnTime } from '../platform/known-time.ts'
import type { Clock } from '../ports/clock.ts'
import type { ErrorReporter } from '../ports/errors/errors.ts'
import { type Config, StartupError } from './config/config.ts'
import type { Metrics } from './metrics.ts'
import { systemClock } from './system-clock.ts'

const LOOK_MS = 10_000

/** Before the first write. @throws StartupError where a person has to look at the date */
export async function startClock(db: Database, config: Config, clock: Clock): Promise<void> {
  if (config.clock !== null) return
  await followDatabase(db, clock)
  const problem = config.mode === 'demo' ? null : clockProblem(await knownTime(db), clock.now())
  if (problem !== null) throw new StartupError([problem])
  await learnTime(db, clock)
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
}): ClockWatch {
  const { db, config, clock, errors, metrics } = of
  if (config.clock !== null) return { guard: null, says: () => null, stop: () => {} }
  const guard = new ClockGuard({ db, clock: systemClock, catchesUp: config.mode === 'demo' })
  const look = async () => {
    await followDatabase(db, clock)
    metrics.clockInDoubt.set((await guard.doubt()) === null ? 0 : 1)
  }
  const timer = setInterval(
    () => void look().catch((error: unknown) => errors.report(error, { chore: 'look at the clock' })),
    LOOK_MS,
  )
  timer.unref()
  return { guard, says: () => guard.says(), stop: () => clearInterval(timer) }
}
