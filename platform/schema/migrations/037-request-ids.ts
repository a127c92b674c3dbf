import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'

/** Columns that join a table of an earlier migration. */
export const requestColumns = { jobs: { request_id: 'text?' } } as const

/** Whose id the log line of a mail or refund carries: that of the request that caused it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = engineOf(db) === 'sqlite' ? 'text' : 'text collate "C"'
  await sql`alter table jobs add column request_id ${sql.raw(text)}`.execute(db)
}
