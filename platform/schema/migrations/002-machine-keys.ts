/** Adds machine keys, with which programs call the API. */
import type { Kysely } from 'kysely'
import { createTable, type TableDeclaration } from './create-table.ts'

export const tables = {
  machine_keys: {
    columns: {
      key_id: 'text',
      name: 'text',
      role: 'text',
      scopes: 'text',
      pii: 'flag',
      per_minute: 'whole',
      secret_hash: 'text',
      previous_hash: 'text?',
      previous_until: 'whole?',
      expires_at: 'whole?',
      created_by: 'text',
      created_at: 'whole',
      revoked_at: 'whole?',
      last_used_at: 'whole?',
      last_address: 'text',
    },
    primary: 'key_id',
  },
} as const satisfies Record<string, TableDeclaration>

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, declared] of Object.entries<TableDeclaration>(tables)) await createTable(db, table, declared)
}
