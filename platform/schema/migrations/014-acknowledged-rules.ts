import { type Kysely, sql } from 'kysely'
import { createTable } from './table.ts'

export const acknowledgementTables = {
  auction_acknowledgements: {
    uuid: 'text',
    rules_version: 'text',
    rules_text: 'text',
    acknowledged_at: 'whole',
    address: 'text',
    agent: 'text',
  },
} as const

/** Columns of an earlier migration that go with this one. */
export const droppedColumns = { rental_drafts: { payment_retries: 'whole' } } as const

/**
 * Which winner has acknowledged which text of the auction rules, and when; nothing is known of those before. The drafts' count
 * of failed payments goes: it stayed 0, and the orders themselves are counted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'auction_acknowledgements', acknowledgementTables.auction_acknowledgements, {
    primary: 'uuid, rules_version',
    within: ['uuid → auction_winners'],
  })
  await sql`alter table rental_drafts drop column payment_retries`.execute(db)
}
