/**
 * Adds the times of a gate's newest epoch, first contact and newest hours, the version of these hours, and what the gate
 * had acknowledged before its newest changes.
 */
import { type Kysely, sql } from 'kysely'
import { addColumns, type TableDeclaration } from './create-table.ts'

export const tables = {
  gates: {
    columns: {
      epoch_at: 'whole',
      first_heard_at: 'whole?',
      week_version: 'whole',
      week_changed_at: 'whole',
      applied_week: 'text?',
      applied_zone: 'text?',
    },
    defaults: { epoch_at: 0, week_version: 0, week_changed_at: 0 },
  },
  gate_wanted: { columns: { applied_opens: 'whole?' } },
} as const satisfies Record<string, TableDeclaration>

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, declared] of Object.entries<TableDeclaration>(tables)) await addColumns(db, table, declared)
  // A gate that has not acknowledged that a code is closed may still open for it.
  await sql`update gate_wanted set applied_opens = 1 where opens = 0 and version >
    (select applied_version from gates where gates.location_code = gate_wanted.location_code)`.execute(db)
}
