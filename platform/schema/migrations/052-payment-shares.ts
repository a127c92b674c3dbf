import type { Kysely } from 'kysely'
import { createTable, index } from './table.ts'

export const shareTables = {
  payment_shares: {
    order_id: 'text',
    location_code: 'text',
    lease_number: 'whole',
    cents: 'whole',
    refunded_cents: 'whole',
  },
} as const

/** What each lease has of an order that pays for several. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'payment_shares', shareTables.payment_shares, {
    primary: 'order_id, lease_number',
    within: ['order_id → payments'],
  })
  await index(db, 'payment_shares', 'location_code, lease_number')
}
