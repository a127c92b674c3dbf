import type { Kysely, QueryExecutorProvider, SelectQueryBuilder } from 'kysely'
import { PostgresAdapter } from 'kysely'
import { errorCode } from '../../ports/errors/caught-error.ts'

export type Engine = 'sqlite' | 'postgres'

/**
 * Temporary: answered 503 with Retry-After. A commit under way may have happened, so every change is a guarded
 * statement.
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

/** Behind a pooler no session can be told to wait for the disk: the server has to. */
export class UnsafePooling extends Error {
  constructor(is: string) {
    super(
      `The database has synchronous_commit = ${is}, so a payment that was answered could be lost. Behind a pooler (DATABASE_POOLED=on) set it on at the server: alter role … set synchronous_commit = on`,
    )
  }
}

export function engineOf(db: QueryExecutorProvider): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}

const hasNul = (value: unknown): value is string => typeof value === 'string' && value.includes('\0')

/** PostgreSQL has no NUL in a text: both engines keep, and look for, the sign that stands for what cannot be shown. */
export const storable = (values: readonly unknown[]): readonly unknown[] =>
  values.some(hasNul) ? values.map((value) => (hasNul(value) ? value.replaceAll('\0', '\ufffd') : value)) : values

/**
 * Skips locked rows, for the sub-query of a guarded update, which must repeat its guard. SQLite has one writer
 * anyway.
 */
export function skipLocked<DB, TB extends keyof DB, O>(
  db: Kysely<DB>,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> {
  return engineOf(db) === 'postgres' ? query.forUpdate().skipLocked() : query
}

/** On PostgreSQL the transaction is lost then: where a clash is expected use `on conflict`. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY.
  return errorCode(error) === '23505' || ('errcode' in error && (error.errcode === 2067 || error.errcode === 1555))
}
