import type { Kysely } from 'kysely'
import { index } from './table.ts'

/** Which orders an agreement has led to is asked at every payment: without an index, of all payments there ever were. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await index(db, 'payments', 'quote_id', { where: 'quote_id is not null' })
}
