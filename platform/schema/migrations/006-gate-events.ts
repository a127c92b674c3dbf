/**
 * Adds the time of a gate's refusal of a code, the format of its requests, and the tenant for whom it was opened
 * remotely.
 */
import type { Kysely } from 'kysely'
import { addColumns, type TableDeclaration } from './create-table.ts'

export const tables = {
  gates: { columns: { heard_format: 'text?' } },
  gate_wanted: { columns: { refused_at: 'whole?' } },
  gate_commands: { columns: { tenant_id: 'whole?' } },
} as const satisfies Record<string, TableDeclaration>

export const indexes = [
  { name: 'gate_commands_by_tenant', table: 'gate_commands', columns: 'location_code, tenant_id, created_at' },
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, declared] of Object.entries<TableDeclaration>(tables)) await addColumns(db, table, declared)
}
