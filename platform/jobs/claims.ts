/** Who has a job: a claim is renewed while it runs, and taken from a runner that has gone. */
import { type Kysely, sql } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import type { Database } from '../database/open.ts'
import type { JobsTable, Tables } from '../schema/tables.ts'
import type { Channel } from './circuits.ts'

export const LEASE_MS = 60_000
/** No try is put off for longer: one that is was dated by a clock ahead. */
const LONGEST_WAIT_MS = 2 * 3_600_000
const PULL_IN_MS = 60_000
/** A claim is renewed for this many leases. */
const MAX_LEASES = 15

interface ClaimParts {
  db: Database
  clock: { now(): Instant }
  log: { warn(details: object, message: string): void }
  handlers: object
  attempts: number
  channels: readonly Channel[]
}

type Claimed = Pick<JobsTable, 'job_id' | 'attempts'>

export class Claims {
  readonly #parts: ClaimParts
  readonly #kinds: readonly string[]
  readonly #byAge: readonly string[]
  #pulledInAt = Number.NEGATIVE_INFINITY

  constructor(parts: ClaimParts) {
    this.#parts = parts
    this.#kinds = Object.keys(parts.handlers)
    this.#byAge = parts.channels.flatMap(({ kinds }) => kinds)
  }

  /** Requeues jobs whose runner died, or gives them up after their last run. @returns those given up, and why */
  async recover() {
    const { db, clock, attempts } = this.#parts
    if (this.#kinds.length === 0) return []
    const now = clock.now()
    await this.#pullIn(now)
    const reason = 'Its runner ended or did not answer'
    const abandoned = db.write
      .updateTable('jobs')
      .where('state', '=', sql.lit('running'))
      .where('claimed_until', '<=', now)
      .where('kind', 'in', this.#kinds.map(sql.lit))
    const dead = await abandoned
      .set({ state: 'dead', claimed_until: null, done_at: now, last_error: reason })
      .where('attempts', '>=', attempts)
      // Those of a channel may have been tried often; one that ends its runner twice is poison.
      .where((eb) =>
        eb.or([eb('kind', 'not in', [sql.lit(''), ...this.#byAge.map(sql.lit)]), eb('last_error', '=', reason)]),
      )
      .returning(['job_id', 'kind', 'once', 'attempts'])
      .execute()
    await abandoned.set({ state: 'waiting', claimed_until: null, last_error: reason }).execute()
    return dead.map((row) => ({ row, reason }))
  }

  /** Tries at once again what a clock that was ahead has put off for days. */
  async #pullIn(now: Instant): Promise<void> {
    if (performance.now() - this.#pulledInAt < PULL_IN_MS) return
    this.#pulledInAt = performance.now()
    await this.#parts.db.write
      .updateTable('jobs')
      .set({ run_at: now })
      .where('state', '=', sql.lit('waiting'))
      .where('run_at', '>', now + LONGEST_WAIT_MS)
      .where('attempts', '>', 0)
      .where('kind', 'in', this.#kinds.map(sql.lit))
      .execute()
  }

  /** Renews the claim three times in each lease, so that one try may fail. @returns what stops it */
  hold(row: Claimed): () => void {
    const { db, clock, log } = this.#parts
    let left = MAX_LEASES * 3
    const beat = setInterval(() => {
      left -= 1
      if (left <= 0) clearInterval(beat)
      this.of(db.write, row)
        .set({ claimed_until: clock.now() + LEASE_MS })
        .executeTakeFirst()
        .catch((error: unknown) => log.warn({ job: row.job_id, err: error }, 'A claim could not be renewed'))
    }, LEASE_MS / 3)
    beat.unref()
    return () => clearInterval(beat)
  }

  /** Changes the job while it is this claim's, which `attempts` identifies. */
  of(db: Kysely<Tables>, row: Claimed) {
    return db
      .updateTable('jobs')
      .where('job_id', '=', row.job_id)
      .where('state', '=', 'running')
      .where('attempts', '=', row.attempts)
  }
}
