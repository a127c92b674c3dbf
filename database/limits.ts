import { type Kysely, sql } from 'kysely'
import type { Database } from './open.ts'
import type { Instant, Tables } from './tables.ts'

/** `points` calls in `perSeconds`, counted from the first. */
export interface Limit {
  points: number
  perSeconds: number
}

/** Remembered by one process. Who is forgotten costs a write that changes nothing. */
const mostOver = 10_000

/**
 * Rate limits that hold across processes and restarts, in one small table. A window begins with its first call; in it
 * `points` calls are allowed. Spending is one guarded statement, so that of many callers at once exactly as many pass
 * as may.
 */
export class Limits {
  readonly #db: Database
  readonly #clock: { now(): Instant }
  /** Keys that were found over their limit, the oldest first. */
  readonly #over = new Set<string>()

  constructor(parts: { db: Database; clock: { now(): Instant } }) {
    this.#db = parts.db
    this.#clock = parts.clock
  }

  /**
   * Counts a call against `key`, such as 'login:address:203.0.113.9'. Not inside a transaction: what was spent stays
   * spent. @returns `retryAfterSeconds` 0 where allowed, else whole seconds until the window ends
   */
  async spend(key: string, limit: Limit): Promise<{ allowed: boolean; retryAfterSeconds: number }> {
    const now = this.#clock.now()
    // Somebody who was over the limit costs a read only, and everybody else no read.
    const blocked = this.#over.has(key) && (await this.#blocked(key, limit, now))
    if (blocked) return blocked
    this.#over.delete(key)
    // A counter may lose its last seconds to a power cut, so nobody waits for the disk on its account.
    const spent = await this.#db.unsynced((db) => this.#count(db, key, limit, now))
    if (spent && limit.points > 0) return { allowed: true, retryAfterSeconds: 0 }
    if (this.#over.size >= mostOver) this.#over.delete(this.#over.values().next().value as string)
    this.#over.add(key)
    return (await this.#blocked(key, limit, now)) ?? { allowed: false, retryAfterSeconds: 1 }
  }

  #count(db: Kysely<Tables>, key: string, limit: Limit, now: Instant): Promise<{ points: number } | undefined> {
    return db
      .insertInto('limits')
      .values({ key, points: 1, expires_at: now + limit.perSeconds * 1000 })
      .onConflict((known) =>
        known
          .column('key')
          .doUpdateSet({
            points: sql`case when limits.expires_at <= ${now} then 1 else limits.points + 1 end`,
            expires_at: sql`case when limits.expires_at <= ${now} then excluded.expires_at else limits.expires_at end`,
          })
          .where((e) => e.or([e('limits.expires_at', '<=', now), e('limits.points', '<', limit.points)])),
      )
      .returning('points')
      .executeTakeFirst()
  }

  /** Starts the key afresh: after the right password, the wrong ones are forgotten. */
  async forget(key: string): Promise<void> {
    await this.#db.write.deleteFrom('limits').where('key', '=', key).execute()
  }

  /** Removes the windows that have ended. Answers how many. For the daily housekeeping. */
  async sweep(): Promise<number> {
    const gone = await this.#db.write
      .deleteFrom('limits')
      .where('expires_at', '<=', this.#clock.now())
      .executeTakeFirst()
    return Number(gone.numDeletedRows)
  }

  async #blocked(
    key: string,
    limit: Limit,
    now: Instant,
  ): Promise<{ allowed: false; retryAfterSeconds: number } | undefined> {
    const row = await this.#db.read
      .selectFrom('limits')
      .select(['points', 'expires_at'])
      .where('key', '=', key)
      .executeTakeFirst()
    if (!row || row.expires_at <= now || row.points < limit.points) return undefined
    return { allowed: false, retryAfterSeconds: Math.ceil((row.expires_at - now) / 1000) }
  }
}
