import type { Insertable, Kysely } from 'kysely'
import { DAY } from '../../domain/durations.ts'
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { QuotesTable, Tables } from '../../platform/schema/tables.ts'
import type { Charges } from './rules/charges.ts'

/** Parses the `charges` of a stored quote of a move-in. */
export const chargesOf = (charges: string): Charges => parseJson(charges, hasFields<Charges>('lines', 'dueToday'))

/** Stores a displayed price, so that consent and payment refer to exactly that price. */
export async function insertQuote(db: Kysely<Tables>, quote: Insertable<QuotesTable>): Promise<void> {
  await db.insertInto('quotes').values(quote).execute()
}

/** Time in milliseconds after its expiry for which a quote without a draft is kept. */
const RETENTION_MS = 7 * DAY
/**
 * Time in milliseconds after its expiry for which a quote of a draft is kept: longer than the 30 days for which an unused
 * draft is kept, since the draft's last page shows the paid price.
 */
const DRAFT_RETENTION_MS = 37 * DAY

/**
 * Deletes quotes without a draft a week after they expire, and quotes of a draft 37 days after they expire.
 * @returns number of deleted quotes
 */
export function deleteOldQuotes({ db, clock }: Services, isStopping: () => boolean): Promise<number> {
  return deleteInBatches((limit) => {
    const old = db.write
      .selectFrom('quotes')
      .select('quote_id')
      .where('expires_at', '<', clock.now() - RETENTION_MS)
      .where((eb) => eb.or([eb('draft_id', 'is', null), eb('expires_at', '<', clock.now() - DRAFT_RETENTION_MS)]))
      .limit(limit)
    return db.write.deleteFrom('quotes').where('quote_id', 'in', old).executeTakeFirstOrThrow()
  }, isStopping)
}
