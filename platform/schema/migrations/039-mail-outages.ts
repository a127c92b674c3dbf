import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'
import { createTable } from './table.ts'

export const circuitTables = {
  circuits: { channel: 'text', opened_at: 'whole', probe_at: 'whole', why: 'text' },
} as const

/** Columns that join a table of an earlier migration. */
export const jobAgeColumns = { jobs: { first_due_at: 'whole?' } } as const

/** What is paused because its server is down, and since when a job is due, which says when it is given up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'circuits', circuitTables.circuits, { primary: 'channel' })
  await sql`alter table jobs add column first_due_at ${sql.raw(engineOf(db) === 'sqlite' ? 'integer' : 'bigint')}`.execute(
    db,
  )
}
