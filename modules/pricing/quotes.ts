import type { Insertable, Kysely } from 'kysely'
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
