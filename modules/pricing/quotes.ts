import type { Insertable, Kysely } from 'kysely'
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { QuotesTable, Tables } from '../../platform/schema/tables.ts'

/** How long a price that was shown may be consented to (UX 3). */
export const QUOTE_MS = 30 * 60 * 1000

/** A line that differs between the price that was shown and the price now; null: there was or is no such line. */
export interface PriceChange {
  label: string
  before: number | null
  now: number | null
}

/** Keeps a price as shown: what is consented to or paid is this very price. */
export async function insertQuote(db: Kysely<Tables>, quote: Insertable<QuotesTable>): Promise<void> {
  await db.insertInto('quotes').values(quote).execute()
}

const KEPT_MS = 7 * 86_400_000
/** A rental's draft lives for 30 days, and its last page shows what was paid. */
const DRAFT_KEPT_MS = 37 * 86_400_000

/** Deletes prices that ran out a week ago, those of a rental a month later. @returns how many */
export function deleteOldQuotes({ db, clock }: Services, stopping: () => boolean): Promise<number> {
  return deleteInBatches((most) => {
    const old = db.write
      .selectFrom('quotes')
      .select('quote_id')
      .where('expires_at', '<', clock.now() - KEPT_MS)
      .where((eb) => eb.or([eb('draft_id', 'is', null), eb('expires_at', '<', clock.now() - DRAFT_KEPT_MS)]))
      .limit(most)
    return db.write.deleteFrom('quotes').where('quote_id', 'in', old).executeTakeFirstOrThrow()
  }, stopping)
}
