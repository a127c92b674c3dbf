import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { LeaseKey } from '../../leases/lease.ts'
import { loadNewestEntry } from '../add-staff-ledger-entries.ts'

/**
 * Returns the id of the newest ledger entry of each lease, in the order of the leases; '' for an empty ledger. With the
 * balances, a form sends the ids back as the state that it displayed.
 */
export const loadNewestEntryIds = (db: Kysely<Tables>, leases: readonly LeaseKey[]): Promise<string[]> =>
  Promise.all(leases.map(async (lease) => (await loadNewestEntry(db, lease))?.entry_id ?? ''))
