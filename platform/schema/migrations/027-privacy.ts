import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'
import { appendOnly } from './016-staff.ts'
import { createTable, index } from './table.ts'

export const privacyTables = {
  erasures: {
    erasure_id: 'text',
    location_code: 'text',
    tenant_id: 'whole',
    approval_id: 'text',
    erased_at: 'whole',
    kept_until: 'text?',
    files: 'text',
    finished_at: 'whole?',
  },
  audit_days: {
    day: 'text',
    events: 'whole',
    previous: 'text',
    hash: 'text',
    hashed_at: 'whole',
  },
} as const

export const erasedColumns = { tenants: { erased_at: 'whole?' } } as const

/** Whose data were erased, and what each day of the audit came to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tenants add column erased_at ${sql.raw(engineOf(db) === 'sqlite' ? 'integer' : 'bigint')}`.execute(
    db,
  )
  await createTable(db, 'erasures', privacyTables.erasures, {
    primary: 'erasure_id',
    unique: ['location_code, tenant_id'],
    within: ['location_code, tenant_id → tenants'],
  })
  await index(db, 'erasures', 'kept_until', { where: 'kept_until is not null' })
  await createTable(db, 'audit_days', privacyTables.audit_days, { primary: 'day' })
  await appendOnly(db, 'audit_days')
  // No payment writes an audit event.
  await index(db, 'audit_events', 'kind, at')
}
