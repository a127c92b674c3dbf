import type { Insertable, Kysely } from 'kysely'
import type { Tables } from '../../platform/schema/tables.ts'

/** Records why staff wrote ledger entries, one row for each entry. */
export async function recordEntryReasons(
  tx: Kysely<Tables>,
  rows: Insertable<Tables['entry_reasons']>[],
): Promise<void> {
  await tx.insertInto('entry_reasons').values(rows).execute()
}
