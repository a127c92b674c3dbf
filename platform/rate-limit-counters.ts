import { type Kysely, sql } from 'kysely'
import type { Instant } from '../domain/time-zone-dates.ts'
import { isLoopback } from '../ports/private-addresses.ts'
import type { Database } from './database/open.ts'
import { dropOldestEntry } from './drop-oldest-entry.ts'
import { networkOf } from './network-of-address.ts'
import type { Tables } from './schema/tables.ts'

/** A rate limit: `points` calls in a window of `perSeconds` that starts with the first call. */
export interface Limit {
  points: number
  perSeconds: number
  /** Set if the calls are counted in the database for all processes; otherwise each process counts its own in memory. */
  shared?: true
}

export type SharedLimit = Limit & { shared: true }

/** Result of counting a call against its rate limit. */
export interface RateLimitResult {
  allowed: boolean
  /** Whole seconds until the window ends; 0 if the call is allowed. */
  retryAfterSeconds: number
}

interface Window {
  points: number
  expiresAt: Instant
}

const allowed: RateLimitResult = { allowed: true, retryAfterSeconds: 0 }

/** Maximum number of rate-limit windows in memory; beyond it the least recently used one is dropped. */
const MAX_WINDOWS = 10_000

/**
 * Builds the statement that counts calls against their limits. One guarded upsert lets exactly the allowed number
 * through; a key at its limit returns no row.
 */
const countStatement = (counts: readonly { key: string; limit: Limit }[], now: Instant) => sql<{ key: string }>`
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

/** Counts calls: shared limits in the database for all processes, flood limits in memory for each process. */
export class RateLimits {
  readonly #db: Database
  readonly #clock: { now(): Instant }
  readonly #sparesLoopback: boolean
  readonly #windows = new Map<string, Window>()

  /** @param parts.sparesLoopback whether `spares` exempts this machine's address, which a demo's visitors have */
  constructor(parts: { db: Database; clock: { now(): Instant }; sparesLoopback?: boolean }) {
    this.#db = parts.db
    this.#clock = parts.clock
    this.#sparesLoopback = parts.sparesLoopback ?? false
  }

  /** Counts a call against `key`. Do not call it inside a transaction: the count must stay after a rollback. */
  async consume(key: string, limit: Limit): Promise<RateLimitResult> {
    const now = this.#clock.now()
    if (!limit.shared) return this.#countFlood(key, limit, now)
    // Losing the last counts in a power cut is harmless.
    const { rows } = await this.#db.withoutFsync((db) => countStatement([{ key, limit }], now).execute(db))
    if (rows.length > 0) return allowed
    return { allowed: false, retryAfterSeconds: (await this.retryAfter(key, limit)) || 1 }
  }

  /** Counts a call from an address (IPv6 by network). @param purpose such as 'op:login' */
  consumeFrom(address: string, purpose: string, limit: Limit): Promise<RateLimitResult> {
    return this.consume(`${purpose}:${networkOf(address)}`, limit)
  }

  /** Counts a call against several keys in turn, until one refuses. */
  async consumeAll(keys: readonly { key: string; limit: Limit }[]): Promise<RateLimitResult> {
    for (const { key, limit } of keys) {
      const consumed = await this.consume(key, limit)
      if (!consumed.allowed) return consumed
    }
    return allowed
  }

  /**
   * Counts one use of each key in the caller's transaction.
   * @returns the first of the counts that were at their limit; undefined if all were counted
   */
  async consumeIn<Count extends { key: string; limit: SharedLimit }>(
    tx: Kysely<Tables>,
    counts: readonly Count[],
  ): Promise<Count | undefined> {
    if (counts.length === 0) return undefined
    const { rows } = await countStatement(counts, this.#clock.now()).execute(tx)
    return counts.find(({ key }) => !rows.some((row) => row.key === key))
  }

  /** Returns after how many whole seconds a key may be counted again; 0 for now. */
  async retryAfter(key: string, limit: Limit): Promise<number> {
    const now = this.#clock.now()
    const window = limit.shared ? await this.#loadWindow(key) : this.#windows.get(key)
    if (!window || window.expiresAt <= now || window.points < limit.points) return 0
    return Math.ceil((window.expiresAt - now) / 1000)
  }

  /** Returns whether callers should not count an address, such as loopback in a demo; `consume` does not ask. */
  spares(address: string): boolean {
    return this.#sparesLoopback && isLoopback(address)
  }

  async reset(key: string): Promise<void> {
    await this.#db.write.deleteFrom('limits').where('key', '=', key).execute()
  }

  async deleteExpired(): Promise<number> {
    const now = this.#clock.now()
    for (const [key, { expiresAt }] of this.#windows) if (expiresAt <= now) this.#windows.delete(key)
    const deleted = await this.#db.write.deleteFrom('limits').where('expires_at', '<=', now).executeTakeFirst()
    return Number(deleted.numDeletedRows)
  }

  #countFlood(key: string, limit: Limit, now: Instant): RateLimitResult {
    const existing = this.#windows.get(key)
    const window =
      existing && existing.expiresAt > now ? existing : { points: 0, expiresAt: now + limit.perSeconds * 1000 }
    this.#windows.delete(key)
    this.#windows.set(key, window)
    if (this.#windows.size > MAX_WINDOWS) dropOldestEntry(this.#windows)
    if (window.points >= limit.points)
      return { allowed: false, retryAfterSeconds: Math.ceil((window.expiresAt - now) / 1000) }
    window.points += 1
    return allowed
  }

  #loadWindow(key: string): Promise<Window | undefined> {
    return this.#db.read
      .selectFrom('limits')
      .select(['points', 'expires_at as expiresAt'])
      .where('key', '=', key)
      .executeTakeFirst()
  }
}
