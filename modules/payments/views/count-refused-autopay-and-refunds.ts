import { type SqlBool, sql } from 'kysely'
import { facilityCodesForSqlIn } from '../../../platform/database/facility-codes-for-sql-in.ts'
import type { Services } from '../../../platform/operations/services.ts'

/** Counts the facilities' leases that are not closed and whose autopay was refused for the current unpaid period. */
export async function countRefusedAutopay(
  { db }: Pick<Services, 'db'>,
  codes: 'all' | readonly string[],
): Promise<number> {
  const row = await db.read
    .selectFrom('leases')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    // A literal, since the partial index is used only with one.
    .where(sql<SqlBool>`autopay_refusals > 0`)
    .whereRef('autopay_refused_period', '>', 'paid_through')
    .where('status', '!=', 'Closed')
    .$if(codes !== 'all', (query) => query.where('location_code', 'in', facilityCodesForSqlIn(codes)))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Counts the facilities' open refunds of posted payments that have at least one failed attempt. */
export async function countFailingRefunds(
  { db }: Pick<Services, 'db'>,
  codes: 'all' | readonly string[],
): Promise<number> {
  const row = await db.read
    .selectFrom('refunds')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(sql<SqlBool>`state = 'open'`)
    .where('attempts', '>', 0)
    .$if(codes !== 'all', (query) => query.where('location_code', 'in', facilityCodesForSqlIn(codes)))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
