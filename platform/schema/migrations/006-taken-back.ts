import type { Kysely } from 'kysely'
import { index } from './table.ts'

/**
 * Charges of periods that were taken back (storage-system/postings.ts `takeBackAhead`): next to none, and billing asks every
 * lease for them every day.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await index(db, 'ledger_entries', 'location_code, lease_number, period_start', {
    where: "kind = 'rent' and cents < 0",
    name: 'ledger_entries_taken_back',
  })
}
