import type { Kysely, SelectQueryBuilder } from 'kysely'
import { PostgresAdapter } from 'kysely'
import type { Tables } from '../schema/tables.ts'

/** All that differs between the two engines for those who write queries. */
export type Engine = 'sqlite' | 'postgres'

/**
 * The database cannot answer now: nothing is known to be wrong with the request. Ask again shortly (HTTP 503 with
 * Retry-After). Where a commit was under way when the connection was lost, it may or may not have happened; that is why
 * every change is a guarded statement that may be asked twice.
 */
export class DatabaseUnavailable extends Error {
  readonly why: 'busy' | 'lost' | 'full' | 'closed'
  readonly retryAfterSeconds: number
  constructor(why: 'busy' | 'lost' | 'full' | 'closed', cause?: unknown) {
    const reason = cause instanceof Error ? `: ${cause.message}` : ''
    super(
      `${{ busy: 'The database is busy', lost: 'The database cannot be reached', full: 'The disk is full', closed: 'The database is closed' }[why]}${reason}`,
      { cause },
    )
    this.name = 'DatabaseUnavailable'
    this.why = why
    this.retryAfterSeconds = why === 'full' ? 60 : why === 'busy' ? 1 : 5
  }
}

export function engineOf(db: Kysely<Tables>): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}

/**
 * Passes over rows that another transaction is about to take, so that many takers do not queue for the same row.
 * For the sub-query of a guarded update: `where unit_id = (skipLocked(tx, select …))`. SQLite has one writer at a time
 * and needs nothing. The update must still repeat its guard (`and status = 'free'`).
 */
export function skipLocked<TB extends keyof Tables, O>(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, TB, O>,
): SelectQueryBuilder<Tables, TB, O> {
  return engineOf(db) === 'postgres' ? query.forUpdate().skipLocked() : query
}

/**
 * A unique constraint or primary key refused the row. On PostgreSQL the transaction is then lost: where a clash is
 * expected, write `on conflict` instead and look at the returned rows.
 */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return code === '23505' || errcode === 2067 || errcode === 1555
}
