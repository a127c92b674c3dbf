import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'
import { createTable, index } from './table.ts'

/** Columns that join a table of an earlier migration. */
export const refundedColumns = { payments: { refunded_cents: 'whole' } } as const

export const refundTables = {
  refunds: {
    refund_id: 'text',
    order_id: 'text',
    location_code: 'text',
    tenant_id: 'whole?',
    lease_number: 'whole',
    cents: 'whole',
    way: 'text',
    afterwards: 'text',
    state: 'text',
    reason: 'text',
    note: 'text',
    staff_id: 'text',
    attempts: 'whole',
    last_error: 'text?',
    paid_by: 'text?',
    created_at: 'whole',
    done_at: 'whole?',
  },
} as const

/** Money of posted payments that goes back, and how much of each payment has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const whole = engineOf(db) === 'sqlite' ? 'integer' : 'bigint'
  await sql`alter table payments add column refunded_cents ${sql.raw(whole)} not null default 0`.execute(db)
  await createTable(db, 'refunds', refundTables.refunds, { primary: 'refund_id', within: ['order_id → payments'] })
  await index(db, 'refunds', 'order_id')
  await index(db, 'refunds', 'location_code, created_at', {
    name: 'refunds_waiting',
    where: "state in ('failed', 'by_hand')",
  })
  await index(db, 'refunds', 'created_at', { name: 'refunds_open', where: "state = 'open'" })
  await index(db, 'billing_runs', 'run_date')
  await index(db, 'leases', 'location_code', { name: 'leases_autopay_refused', where: 'autopay_refusals > 0' })
  await index(db, 'insurance_proofs', 'location_code, created_at', {
    name: 'insurance_proofs_waiting',
    where: 'decision is null',
  })
}
