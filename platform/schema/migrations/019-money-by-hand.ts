import type { Kysely } from 'kysely'
import { createTable, index } from './table.ts'

export const counterTables = {
  cash_batches: {
    batch_id: 'text',
    location_code: 'text',
    state: 'text',
    opened_by: 'text',
    opened_at: 'whole',
    opened_on: 'text',
    float_cents: 'whole',
    closed_by: 'text?',
    closed_at: 'whole?',
    closed_on: 'text?',
    system_cash: 'whole?',
    system_checks: 'whole?',
    system_money_orders: 'whole?',
    counted_cash: 'whole?',
    counted_checks: 'whole?',
    counted_money_orders: 'whole?',
    deposit_cents: 'whole?',
    difference_reason: 'text',
    close_note: 'text',
    bag_number: 'text',
    matched_by: 'text?',
    matched_at: 'whole?',
    matched_on: 'text?',
    matched_cents: 'whole?',
    match_note: 'text',
  },
  counter_receipts: {
    receipt_id: 'text',
    batch_id: 'text',
    location_code: 'text',
    tenant_id: 'whole',
    method: 'text',
    check_number: 'text',
    cents: 'whole',
    received_by: 'text',
    received_at: 'whole',
    received_on: 'text',
    state: 'text',
    ended_by: 'text?',
    ended_at: 'whole?',
    ended_on: 'text?',
    ended_reason: 'text',
    ended_note: 'text',
  },
} as const

/** Money that comes by hand and by post: drawers, and a receipt for each payment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'cash_batches', counterTables.cash_batches, {
    primary: 'batch_id',
    within: ['location_code → locations'],
  })
  await index(db, 'cash_batches', 'location_code, opened_by', {
    unique: true,
    where: "state = 'open'",
    name: 'cash_batches_one_open',
  })
  await index(db, 'cash_batches', 'location_code, opened_at')
  await index(db, 'cash_batches', 'state, opened_at', { where: "state <> 'matched'", name: 'cash_batches_waiting' })

  await createTable(db, 'counter_receipts', counterTables.counter_receipts, {
    primary: 'receipt_id',
    within: ['batch_id → cash_batches', 'location_code, tenant_id → tenants'],
  })
  await index(db, 'counter_receipts', 'batch_id')
  await index(db, 'counter_receipts', 'received_at, receipt_id')
  await index(db, 'counter_receipts', 'location_code, received_at, receipt_id')
  await index(db, 'counter_receipts', 'location_code, received_on')
  await index(db, 'counter_receipts', 'location_code, ended_on', { where: 'ended_on is not null' })
  await index(db, 'counter_receipts', 'location_code, tenant_id')
  await index(db, 'counter_receipts', 'check_number', { where: "check_number <> ''" })
}
