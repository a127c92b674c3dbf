/** Adds a facility's security features and the subject of each photograph. */
import type { Kysely } from 'kysely'
import { addColumns, type TableDeclaration } from './create-table.ts'

export const tables = {
  locations: { columns: { security: 'text' }, defaults: { security: '[]' } },
  facility_photos: { columns: { slot: 'text?' } },
} as const satisfies Record<string, TableDeclaration>

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, declared] of Object.entries<TableDeclaration>(tables)) await addColumns(db, table, declared)
}
