import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/schema/tables.ts'
import { loadFlags, type StoredFlag } from '../flags.ts'

/** Returns the tenant's flags with their reasons, in the order of `tenantFlags`. */
export const loadFlagNotes = async (
  db: Kysely<Tables>,
  tenantKey: { locationCode: string; tenantId: number },
): Promise<Pick<StoredFlag, 'flag' | 'note'>[]> =>
  (await loadFlags(db, tenantKey)).map(({ flag, note }) => ({ flag, note }))
