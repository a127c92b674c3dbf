import { type Kysely, sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'

/**
 * Returns a facility's next number for a kind of record (lease, tenant …), without gaps: concurrent callers wait for
 * each other.
 */
export async function nextNumber(tx: Kysely<Tables>, locationCode: string, kind: string, first = 1): Promise<number> {
  const counter = await tx
    .insertInto('counters')
    .values({ location_code: locationCode, kind, next: first + 1 })
    .onConflict((conflict) => conflict.columns(['location_code', 'kind']).doUpdateSet({ next: sql`counters.next + 1` }))
    .returning((counter) => counter('next', '-', 1).as('number'))
    .executeTakeFirstOrThrow()
  return counter.number
}

/**
 * Moves a facility's number sequence past the highest number that imported records use. A sequence that is
 * already further stays unchanged.
 */
export async function advanceSequence(
  tx: Kysely<Tables>,
  locationCode: string,
  kind: string,
  highest: number,
): Promise<void> {
  await tx
    .insertInto('counters')
    .values({ location_code: locationCode, kind, next: highest + 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['location_code', 'kind'])
        .doUpdateSet({ next: sql`case when counters.next > excluded.next then counters.next else excluded.next end` }),
    )
    .execute()
}
