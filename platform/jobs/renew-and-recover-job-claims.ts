/** Claims on running jobs: renewed while the job runs, and ended when its runner is gone. */

import { type Kysely, sql } from 'kysely'
import { HOUR, MINUTE } from '../../domain/durations.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { Database } from '../database/open.ts'
import type { JobsTable, Tables } from '../schema/tables.ts'
import type { Channel } from './circuit-breakers.ts'

export const CLAIM_MS = MINUTE
/**
 * Milliseconds by which a failed job's due time may be ahead; `retryWaitOf` is shorter. A due time further ahead was
 * written by a clock that was ahead.
 */
const MAX_WAIT_MS = 2 * HOUR
const CORRECTION_INTERVAL_MS = MINUTE
/** Stored reason of an attempt whose runner ended; whether the job had its effect is unknown. */
const ABANDONED = 'Its runner ended or did not answer'
/** Number of `CLAIM_MS` periods for which a claim is renewed. */
const MAX_CLAIM_PERIODS = 15

interface ClaimParts {
  db: Database
  clock: { now(): Instant }
  log: { warn(details: object, message: string): void }
  handlers: object
  attempts: number
  channels: readonly Channel[]
}

type Claimed = Pick<JobsTable, 'job_id' | 'attempts'>

/**
 * Job claims of this process: requeues jobs whose process died, renews the claims of running jobs, and updates only
 * jobs that are still claimed.
 */
export class Claims {
  readonly #parts: ClaimParts
  readonly #kinds: readonly string[]
  readonly #channelKinds: readonly string[]
  #correctedAt = Number.NEGATIVE_INFINITY

  constructor(parts: ClaimParts) {
    this.#parts = parts
    this.#kinds = Object.keys(parts.handlers)
    this.#channelKinds = parts.channels.flatMap(({ kinds }) => kinds)
  }

  /**
   * Requeues jobs whose runner died; after their last attempt they become dead.
   * @returns the dead jobs with the reason
   */
  async recover() {
    const { db, clock, attempts } = this.#parts
    if (this.#kinds.length === 0) return []
    const now = clock.now()
    await this.#correctDueTimes(now)
    const abandoned = db.write
      .updateTable('jobs')
      .where('state', '=', sql.lit('running'))
      .where('claimed_until', '<=', now)
      .where('kind', 'in', this.#kinds.map(sql.lit))
    const dead = await abandoned
      .set({ state: 'dead', claimed_until: null, done_at: now, last_error: ABANDONED })
      .where('attempts', '>=', attempts)
      // Jobs of a channel die by age, except if the attempt before also ended its runner.
      .where((eb) =>
        eb.or([
          eb('kind', 'not in', [sql.lit(''), ...this.#channelKinds.map(sql.lit)]),
          eb('last_error', '=', ABANDONED),
        ]),
      )
      .returning(['job_id', 'kind', 'once', 'attempts'])
      .execute()
    await abandoned.set({ state: 'waiting', claimed_until: null, last_error: ABANDONED }).execute()
    return dead.map((row) => ({ row, reason: ABANDONED }))
  }

  /** Makes failed jobs due whose next attempt a clock that was ahead has deferred by more than `MAX_WAIT_MS`. */
  async #correctDueTimes(now: Instant): Promise<void> {
    if (performance.now() - this.#correctedAt < CORRECTION_INTERVAL_MS) return
    this.#correctedAt = performance.now()
    await this.#parts.db.write
      .updateTable('jobs')
      .set({ run_at: now })
      .where('state', '=', sql.lit('waiting'))
      .where('run_at', '>', now + MAX_WAIT_MS)
      .where('attempts', '>', 0)
      .where('kind', 'in', this.#kinds.map(sql.lit))
      .execute()
  }

  /**
   * Renews the claim three times in each `CLAIM_MS`, so that one renewal may fail, for at most `MAX_CLAIM_PERIODS`.
   * @returns a function that stops the renewals
   */
  keepRenewing(row: Claimed): () => void {
    const { db, clock, log } = this.#parts
    let remaining = MAX_CLAIM_PERIODS * 3
    const timer = setInterval(() => {
      remaining -= 1
      if (remaining <= 0) clearInterval(timer)
      this.updateClaimed(db.write, row)
        .set({ claimed_until: clock.now() + CLAIM_MS })
        .executeTakeFirst()
        .catch((error: unknown) => log.warn({ job: row.job_id, err: error }, 'A claim could not be renewed'))
    }, CLAIM_MS / 3)
    timer.unref()
    return () => clearInterval(timer)
  }

  /** Starts an update that applies only if the job was not requeued since this claim, which `attempts` identifies. */
  updateClaimed(db: Kysely<Tables>, row: Claimed) {
    return db
      .updateTable('jobs')
      .where('job_id', '=', row.job_id)
      .where('state', '=', 'running')
      .where('attempts', '=', row.attempts)
  }
}
