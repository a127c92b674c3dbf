import { type Kysely, sql } from 'kysely'
import { index } from './table.ts'

/** A lease's ledger in its order: by the index of the facility's days SQLite went through all leases for it. It sums as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index ledger_entries_balance`.execute(db)
  await index(db, 'ledger_entries', 'location_code, lease_number, posted_on, created_at, entry_id, cents', {
    name: 'ledger_entries_in_order',
  })
}
