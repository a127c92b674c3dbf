/**
 * Finds out whether the clock can be trusted. The scheduler pauses billing, autopay and expiries while it cannot: a
 * wrong clock would charge the rent of future months.
 */

import { type Kysely, sql } from 'kysely'
import { MINUTE } from '../domain/durations.ts'
import type { Clock } from '../ports/clock-and-random.ts'
import { findReferenceClockProblem, type OutsideTime } from '../ports/reference-clocks.ts'
import { SteadyClock } from './clock-ignoring-jumps.ts'
import { engineOf } from './database/engine-differences.ts'
import type { Database } from './database/open.ts'
import { clockProblem, loadLastKnownTime, saveKnownTime } from './last-known-time.ts'
import type { Tables } from './schema/tables.ts'

const MAX_DATABASE_DIFFERENCE_MS = MINUTE
const JUMP_MS = 30_000
const PAUSE_MS = 600_000
const SAVE_INTERVAL_MS = 10_000
const OUTSIDE_INTERVAL_MS = 600_000

/**
 * Reason why the clock is doubtful. 'jump': it moved against the monotonic clock. 'database': it differs from the
 * database's. 'known': it is over three days after the last known time, or over an hour before. 'outside': it differs
 * from every outside clock that could be read: the card provider's and the mail server's.
 */
export type ClockProblem = 'jump' | 'database' | 'known' | 'outside'

/** Returns by how many milliseconds our clock is ahead of the database's; 0 on SQLite, which has none. */
export async function measureClockOffset(db: Kysely<Tables>, clock: Clock): Promise<number> {
  if (engineOf(db) === 'sqlite') return 0
  const startedAt = clock.now()
  const { rows } = await sql<{
    at: number | string
  }>`select extract(epoch from clock_timestamp()) * 1000 as at`.execute(db)
  return (startedAt + clock.now()) / 2 - Number(rows[0]!.at)
}

/** Sets a `SteadyClock` to PostgreSQL's time; leaves any other clock as it is. @throws DatabaseUnavailable */
export async function setClockByDatabase(db: Database, clock: Clock): Promise<void> {
  if (!(clock instanceof SteadyClock) || db.engine === 'sqlite') return
  const ahead = await measureClockOffset(db.write, clock)
  clock.follow(clock.now() - ahead)
}

/** Formats a difference: '7200 s behind' or '7200 s ahead of'. */
const formatDifference = (ahead: number): string =>
  `${Math.abs(Math.round(ahead / 1000))} s ${ahead < 0 ? 'behind' : 'ahead of'}`

interface GuardParts {
  db: Database
  /** The machine's clock. */
  clock: Clock
  /** Monotonic clock, in milliseconds. */
  monotonic?: () => number
  /** Skips the comparison with the last known time, for a demo that was off for weeks. */
  catchesUp?: boolean
  /** Reads outside clocks; called at most every ten minutes. */
  outside?: () => Promise<readonly OutsideTime[]>
  /** Called when a check finds another problem than the check before, or none any more; `message` is `lastProblem()`. */
  onChange?: (problem: ClockProblem | null, message: string | null) => void
}

/** Decides whether the clock can be trusted. */
export class ClockGuard {
  readonly #parts: Required<GuardParts>
  #savedAt = Number.NEGATIVE_INFINITY
  #outsideCheckedAt = Number.NEGATIVE_INFINITY
  #outsideProblem: Promise<string | null> = Promise.resolve(null)
  #lastProblem: string | null = null
  #reported: ClockProblem | null = null
  #offset: number
  #pausedUntil = Number.NEGATIVE_INFINITY

  constructor(parts: GuardParts) {
    this.#parts = {
      monotonic: () => performance.now(),
      catchesUp: false,
      outside: async () => [],
      onChange: () => {},
      ...parts,
    }
    this.#offset = this.#parts.clock.now() - this.#parts.monotonic()
  }

  /** Returns whether the clock jumped in the last ten minutes; long work checks it repeatedly. */
  hasJumped(): boolean {
    const now = this.#parts.monotonic()
    const offset = this.#parts.clock.now() - now
    if (Math.abs(offset - this.#offset) > JUMP_MS) this.#pausedUntil = now + PAUSE_MS
    this.#offset = offset
    return now < this.#pausedUntil
  }

  /** Checks the clock and returns why it is doubtful; null if it is not. @throws DatabaseUnavailable */
  async findProblem(): Promise<ClockProblem | null> {
    const problem = await this.#check()
    if (problem !== this.#reported) {
      this.#reported = problem
      this.#parts.onChange(problem, this.#lastProblem)
    }
    return problem
  }

  /**
   * Returns what the last check found wrong with this server's clock, as a message for administrators; null for
   * nothing.
   */
  lastProblem(): string | null {
    return this.#lastProblem
  }

  async #check(): Promise<ClockProblem | null> {
    const { db, clock, monotonic, catchesUp } = this.#parts
    if (this.hasJumped()) return this.#report('jump', 'The clock of this server jumped by more than half a minute.')
    const ahead = await measureClockOffset(db.write, clock)
    if (Math.abs(ahead) > MAX_DATABASE_DIFFERENCE_MS)
      return this.#report('database', `This server's clock is ${formatDifference(ahead)} the database.`)
    const outside = await this.#checkOutsideClocks()
    if (outside !== null) return this.#report('outside', outside)
    if (monotonic() - this.#savedAt < SAVE_INTERVAL_MS) return null
    const problem = catchesUp ? null : clockProblem(await loadLastKnownTime(db), clock.now())
    this.#lastProblem = problem
    if (problem !== null) return 'known'
    await saveKnownTime(db, clock)
    this.#savedAt = monotonic()
    return null
  }

  /** Returns what the last comparison with outside clocks found wrong; null for nothing, or if reading them failed. */
  #checkOutsideClocks(): Promise<string | null> {
    const { monotonic, outside } = this.#parts
    if (monotonic() - this.#outsideCheckedAt >= OUTSIDE_INTERVAL_MS) {
      this.#outsideCheckedAt = monotonic()
      this.#outsideProblem = outside().then(findReferenceClockProblem, () => null)
    }
    return this.#outsideProblem
  }

  #report(problem: ClockProblem, message: string): ClockProblem {
    this.#lastProblem = `${message} Billing, autopay and expiries wait: see docs/running/runbook.md, Clock.`
    // The next check without a problem then runs to its end, which clears `#lastProblem`.
    this.#savedAt = Number.NEGATIVE_INFINITY
    return problem
  }
}
