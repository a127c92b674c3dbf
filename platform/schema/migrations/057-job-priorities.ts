import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'
import type { TableChange } from './table.ts'

/** Columns that join a table of an earlier migration. */
export const priorityColumns = { jobs: { priority: 'whole' } } as const

/** What goes out before all others. Jobs of the release before are ordinary. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const whole = sql.raw(engineOf(db) === 'sqlite' ? 'integer' : 'bigint')
  await sql`alter table jobs add column priority ${whole} not null default 0`.execute(db)
}

/** Of those that wait alone: done ones stay for 90 days, and statistics are behind when a night's mails come. */
export const indexes: TableChange['indexes'] = [
  { name: 'jobs_in_turn', table: 'jobs', columns: 'priority, run_at', where: "state = 'waiting'" },
]
