/** Adds with what a unit was retired, so that one that was retired by itself is not restored with its type or facility. */
import type { Kysely } from 'kysely'
import { addColumns, type TableDeclaration } from './create-table.ts'

export const tables = {
  units: { columns: { retired_with: 'text?' } },
} as const satisfies Record<string, TableDeclaration>

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, declared] of Object.entries<TableDeclaration>(tables)) await addColumns(db, table, declared)
}
