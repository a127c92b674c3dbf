import type { Kysely } from 'kysely'
import { facilityCodesForSqlIn } from '../../../platform/database/facility-codes-for-sql-in.ts'
import type { Tables } from '../../../platform/schema/tables.ts'

/** Counts the open leases of facilities, and those whose tenants have yet to accept updated terms. */
export async function countAwaitedTerms(
  db: Kysely<Tables>,
  codes: 'all' | readonly string[],
): Promise<{ open: number; waiting: number }> {
  const { open, waiting } = await db
    .selectFrom('leases')
    .select(({ fn }) => [fn.countAll<number>().as('open'), fn.sum<number | null>('terms_required').as('waiting')])
    .where('status', '!=', 'Closed')
    .$if(codes !== 'all', (query) => query.where('location_code', 'in', facilityCodesForSqlIn(codes)))
    .executeTakeFirstOrThrow()
  return { open: Number(open), waiting: Number(waiting ?? 0) }
}
