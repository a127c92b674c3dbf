import type { Kysely } from 'kysely'
import { createTable, index } from './table.ts'

export const resumedTables = {
  resumed_rentals: {
    resumed_id: 'text',
    draft_id: 'text',
    proof: 'text',
    existing_tenant: 'flag',
    created_at: 'whole',
    left_at: 'whole?',
  },
} as const

/** Browsers that came back to a rental by look-up, code or link. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'resumed_rentals', resumedTables.resumed_rentals, { primary: 'resumed_id' })
  await index(db, 'resumed_rentals', 'draft_id')
}
