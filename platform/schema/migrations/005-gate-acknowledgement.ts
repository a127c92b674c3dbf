/** Adds when a gate's epoch and hours began, and what the gate had acknowledged before its newest changes. */
import type { Kysely } from 'kysely'
import { addColumns, type TableDeclaration } from './table.ts'

export const gateAcknowledgementColumns = {
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
  for (const [table, declared] of Object.entries<TableDeclaration>(gateAcknowledgementColumns))
    await addColumns(db, table, declared)
}
