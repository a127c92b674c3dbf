import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'
import { createTable, index } from './table.ts'

export const flagTables = {
  tenant_flags: {
    location_code: 'text',
    tenant_id: 'whole',
    flag: 'text',
    note: 'text',
    set_by: 'text',
    set_at: 'whole',
  },
} as const

/** Columns that join a table of an earlier migration. */
export const authorColumns = { tenant_notes: { staff_id: 'text?' } } as const

/**
 * Flags of tenants, who wrote a note, and indexes for the find box. Those of tenants and units are written when a tenant is
 * entered and a unit is set up; only the receipt's is written by a payment.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = engineOf(db) === 'sqlite' ? 'text' : 'text collate "C"'
  await createTable(db, 'tenant_flags', flagTables.tenant_flags, {
    primary: 'location_code, tenant_id, flag',
    within: ['location_code, tenant_id → tenants'],
  })
  await sql`alter table tenant_notes add column staff_id ${sql.raw(text)}`.execute(db)

  // By name at many facilities: the first name beside the last, so that of a thousand Smiths the few are read.
  await index(db, 'tenants', 'last_key, first, location_code, tenant_id', { name: 'tenants_by_name' })
  await index(db, 'tenants', 'home_phone', { where: "home_phone <> ''" })
  await index(db, 'tenants', 'work_phone', { where: "work_phone <> ''" })
  await index(db, 'tenants', 'company_phone', { where: "company_phone <> ''" })
  await sql`create index tenants_by_company on tenants (lower(company), location_code) where company <> ''`.execute(db)
  await index(db, 'units', 'unit_number, location_code')
  await index(db, 'gate_codes', 'gate_code', { where: 'active = 1' })
  await index(db, 'payments', 'receipt_id', { where: "receipt_id <> ''" })
}
