import type { Kysely } from 'kysely'
import { createTable } from './table.ts'

export const tenantKeyTables = {
  tenant_keys: {
    location_code: 'text',
    tenant_id: 'whole',
    key_sealed: 'text',
    created_at: 'whole',
  },
} as const

/** The key of each tenant, under which rows that nothing changes hold their contact data. An erasure deletes it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'tenant_keys', tenantKeyTables.tenant_keys, {
    primary: 'location_code, tenant_id',
    within: ['location_code, tenant_id → tenants'],
  })
}
