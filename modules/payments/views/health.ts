import { type SqlBool, sql } from 'kysely'
import type { Services } from '../../../platform/operations/services.ts'
import { among } from '../../staff/queue-items.ts'

/** How many leases of these facilities autopay was refused for, in the period that is unpaid. */
export async function autopayRefused({ db }: Pick<Services, 'db'>, codes: 'all' | readonly string[]): Promise<number> {
  const row = await db.read
    .selectFrom('leases')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    // Written out, not a parameter: the index is of no use otherwise.
    .where(sql<SqlBool>`autopay_refusals > 0`)
    .whereRef('autopay_refused_period', '>', 'paid_through')
    .where('status', '!=', 'Closed')
    .$if(codes !== 'all', (query) => query.where('location_code', 'in', among(codes)))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Refunds of these facilities that are on their way and have failed so far. */
export async function refundsFailing({ db }: Pick<Services, 'db'>, codes: 'all' | readonly string[]): Promise<number> {
  const row = await db.read
    .selectFrom('refunds')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(sql<SqlBool>`state = 'open'`)
    .where('attempts', '>', 0)
    .$if(codes !== 'all', (query) => query.where('location_code', 'in', among(codes)))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
