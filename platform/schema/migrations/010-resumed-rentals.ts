import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import { type Column, createTable, index } from './table.ts'

/** The compiler compares this list with `tables.ts`. */
export const resumedTables = {
  resumed_rentals: {
    resumed_id: 'text',
    draft_id: 'text',
    proof: 'text',
    existing_tenant: 'flag',
    created_at: 'whole',
    left_at: 'whole?',
  },
} as const satisfies { resumed_rentals: Record<keyof Tables['resumed_rentals'], Column> }

/** Browsers that came back to a rental by look-up, code or link. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'resumed_rentals', resumedTables.resumed_rentals, { primary: 'resumed_id' })
  await index(db, 'resumed_rentals', 'draft_id')
}
