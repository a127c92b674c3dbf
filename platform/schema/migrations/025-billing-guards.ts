import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'
import { index } from './table.ts'

/** Columns that join a table of an earlier migration. */
export const guardColumns = {
  billing_runs: { run_number: 'whole?', held_for: 'text?' },
  ledger_entries: { billing_run: 'whole?' },
} as const

/** Each charge of billing names its run, so that a run can be reversed; a run says where a facility waits to be caught up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const [text, whole] = engineOf(db) === 'sqlite' ? ['text', 'integer'] : ['text collate "C"', 'bigint']
  await sql`alter table billing_runs add column run_number ${sql.raw(whole)}`.execute(db)
  await sql`alter table billing_runs add column held_for ${sql.raw(text)}`.execute(db)
  await sql`alter table ledger_entries add column billing_run ${sql.raw(whole)}`.execute(db)
  await index(db, 'billing_runs', 'location_code, run_number', { where: 'run_number is not null' })
}
