/**
 * Adds whether a unit was retired by itself, with its unit type or with its facility, so that a unit that was retired by
 * itself is not restored with the others.
 */
import type { Kysely } from 'kysely'
import { addColumns, type TableDeclaration } from './create-table.ts'

export const tables = {
  units: { columns: { retired_with: 'text?' } },
} as const satisfies Record<string, TableDeclaration>

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, declared] of Object.entries<TableDeclaration>(tables)) await addColumns(db, table, declared)
}
