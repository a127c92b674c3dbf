import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'

/** Columns that join a table of an earlier migration. */
export const decidedColumns = {
  insurance_proofs: { decision: 'text?', decided_at: 'whole?', decided_because: 'text?' },
} as const

/** What the operator has decided about a tenant's proof of insurance; nothing yet about those that were sent before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const types =
    engineOf(db) === 'sqlite'
      ? { 'text?': 'text', 'whole?': 'integer' }
      : { 'text?': 'text collate "C"', 'whole?': 'bigint' }
  for (const [table, columns] of Object.entries(decidedColumns))
    for (const [name, type] of Object.entries(columns))
      await sql`alter table ${sql.table(table)} add column ${sql.ref(name)} ${sql.raw(types[type])}`.execute(db)
}
