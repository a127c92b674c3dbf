import type { Kysely, QueryExecutorProvider, SelectQueryBuilder } from 'kysely'
import { PostgresAdapter } from 'kysely'
import { errorCode } from '../../ports/errors/error-code-and-message.ts'

export type Engine = 'sqlite' | 'postgres'

/**
 * Thrown when the database cannot be used for now; answered by 503 with Retry-After. A commit that it interrupted may
 * have succeeded.
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

/** Thrown if PostgreSQL behind a pooler has `synchronous_commit` off or local; a pooler allows no session setting. */
export class UnsafePooling extends Error {
  constructor(setting: string) {
    super(
      `The database has synchronous_commit = ${setting}, so a payment that was answered could be lost. Behind a pooler (DATABASE_POOLED=on) set it on at the server: alter role … set synchronous_commit = on`,
    )
  }
}

/** Returns which engine a connection or transaction uses. */
export function engineOf(db: QueryExecutorProvider): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}

const hasNul = (value: unknown): value is string => typeof value === 'string' && value.includes('\0')

/** Replaces NUL, which PostgreSQL cannot store in text, by U+FFFD in bound values, on both engines. */
export const replaceNulCharacters = (values: readonly unknown[]): readonly unknown[] =>
  values.some(hasNul) ? values.map((value) => (hasNul(value) ? value.replaceAll('\0', '\ufffd') : value)) : values

/**
 * Makes a query lock its rows and skip those that other transactions have locked, for the sub-query of a guarded
 * update. No effect on SQLite, which has one writer.
 */
export function skipLocked<DB, TB extends keyof DB, O>(
  db: Kysely<DB>,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> {
  return engineOf(db) === 'postgres' ? query.forUpdate().skipLocked() : query
}

/**
 * Returns whether an error is a unique violation. It aborts a PostgreSQL transaction, so use `on conflict` where one is
 * expected.
 */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY.
  return errorCode(error) === '23505' || ('errcode' in error && (error.errcode === 2067 || error.errcode === 1555))
}
