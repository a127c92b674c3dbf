import { type Kysely, sql } from 'kysely'
import type { Instant } from '../domain/dates.ts'
import type { Database } from './database/open.ts'
import { isLoopback, networkOf } from './network.ts'
import type { Tables } from './schema/tables.ts'

/** `points` calls in `perSeconds`, counted from the first. */
export interface Limit {
  points: number
  perSeconds: number
  /** Guards something that can be guessed, or a stock that runs out: counted in the database, for all processes together. */
  shared?: true
}

export type SharedLimit = Limit & { shared: true }

export interface Consumed {
  allowed: boolean
  /** Whole seconds until the window ends; 0 where allowed. */
  retryAfterSeconds: number
}

interface Window {
  points: number
  expiresAt: Instant
}

const allowed: Consumed = { allowed: true, retryAfterSeconds: 0 }

/** Windows that a process remembers; the one used longest ago goes first. */
const MAX_WINDOWS = 10_000

/** One guarded upsert, so that of many callers at once exactly as many pass as may. No row for a key that is at its limit. */
const counting = (counts: readonly { key: string; limit: Limit }[], now: Instant) => sql<{ key: string }>`
  insert into limits (key, points, expires_at)
  values ${sql.join(counts.map(({ key, limit }) => sql`(${key}, 1, ${now + limit.perSeconds * 1000})`))}
  on conflict (key) do update set
    points = case when limits.expires_at <= ${now} then 1 else limits.points + 1 end,
    expires_at = case when limits.expires_at <= ${now} then excluded.expires_at else limits.expires_at end
  where limits.expires_at <= ${now} or limits.points < case limits.key
    ${sql.join(
      counts.map(({ key, limit }) => sql`when ${key} then cast(${limit.points} as integer)`),
      sql` `,
    )} end
  returning key`

/**
 * Rate limits. A shared one holds across processes and restarts, in one small table. All others keep off floods: each
 * process counts for itself, in memory.
 */
export class RateLimits {
  readonly #db: Database
  readonly #clock: { now(): Instant }
  readonly #sparesLoopback: boolean
  /** Those of floods, the one used longest ago first. */
  readonly #windows = new Map<string, Window>()

  /** @param parts `sparesLoopback` in a demo, whose visitors all sit at this machine: see `spares` */
  constructor(parts: { db: Database; clock: { now(): Instant }; sparesLoopback?: boolean }) {
    this.#db = parts.db
    this.#clock = parts.clock
    this.#sparesLoopback = parts.sparesLoopback ?? false
  }

  /**
   * Counts a call against `key`, such as 'login:address:203.0.113.9'. Not inside a transaction: what was consumed stays
   * consumed.
   */
  async consume(key: string, limit: Limit): Promise<Consumed> {
    const now = this.#clock.now()
    if (!limit.shared) return this.#countFlood(key, limit, now)
    // A counter may lose its last seconds to a power cut, so no caller waits for the disk.
    const { rows } = await this.#db.unsynced((db) => counting([{ key, limit }], now).execute(db))
    if (rows.length > 0) return allowed
    return { allowed: false, retryAfterSeconds: (await this.retryAfter(key, limit)) || 1 }
  }

  /**
   * Counts a call from an address; of IPv6 its network counts (`networkOf`).
   * @param what the kind of call, such as 'op:login'
   */
  consumeFrom(address: string, what: string, limit: Limit): Promise<Consumed> {
    return this.consume(`${what}:${networkOf(address)}`, limit)
  }

  /**
   * Counts a call against several keys, one after the other, until one refuses: those after it are not counted.
   * @returns the refusal of that one
   */
  async consumeAll(keys: readonly { key: string; limit: Limit }[]): Promise<Consumed> {
    for (const { key, limit } of keys) {
      const consumed = await this.consume(key, limit)
      if (!consumed.allowed) return consumed
    }
    return allowed
  }

  /**
   * Counts a call within the caller's transaction, to be rolled back with it.
   * @returns one that is at its limit; undefined where all were counted
   */
  async consumeIn<Count extends { key: string; limit: SharedLimit }>(
    tx: Kysely<Tables>,
    counts: readonly Count[],
  ): Promise<Count | undefined> {
    if (counts.length === 0) return undefined
    const { rows } = await counting(counts, this.#clock.now()).execute(tx)
    return counts.find(({ key }) => !rows.some((row) => row.key === key))
  }

  /** @returns whole seconds until a key that is at its limit may be counted again; 0 where it may be now */
  async retryAfter(key: string, limit: Limit): Promise<number> {
    const now = this.#clock.now()
    const window = limit.shared ? await this.#stored(key) : this.#windows.get(key)
    if (!window || window.expiresAt <= now || window.points < limit.points) return 0
    return Math.ceil((window.expiresAt - now) / 1000)
  }

  /** Whether an address may take units and begin rentals without limit: the developer of a demo, and its tests. */
  spares(address: string): boolean {
    return this.#sparesLoopback && isLoopback(address)
  }

  /** Ends the window of a shared limit: after the right password, the wrong ones no longer count. */
  async reset(key: string): Promise<void> {
    await this.#db.write.deleteFrom('limits').where('key', '=', key).execute()
  }

  /** Deletes the windows that have ended; daily. @returns how many were in the table */
  async deleteExpired(): Promise<number> {
    const now = this.#clock.now()
    for (const [key, { expiresAt }] of this.#windows) if (expiresAt <= now) this.#windows.delete(key)
    const gone = await this.#db.write.deleteFrom('limits').where('expires_at', '<=', now).executeTakeFirst()
    return Number(gone.numDeletedRows)
  }

  #countFlood(key: string, limit: Limit, now: Instant): Consumed {
    const known = this.#windows.get(key)
    const window = known && known.expiresAt > now ? known : { points: 0, expiresAt: now + limit.perSeconds * 1000 }
    this.#windows.delete(key)
    this.#windows.set(key, window)
    if (this.#windows.size > MAX_WINDOWS) this.#windows.delete(this.#windows.keys().next().value as string)
    if (window.points >= limit.points)
      return { allowed: false, retryAfterSeconds: Math.ceil((window.expiresAt - now) / 1000) }
    window.points += 1
    return allowed
  }

  #stored(key: string): Promise<Window | undefined> {
    return this.#db.read
      .selectFrom('limits')
      .select(['points', 'expires_at as expiresAt'])
      .where('key', '=', key)
      .executeTakeFirst()
  }
}
