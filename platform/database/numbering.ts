import { type Kysely, sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'

/** The next number of a kind at a facility, without gaps: concurrent callers wait for each other. */
export async function nextNumber(tx: Kysely<Tables>, locationCode: string, kind: string, first = 1): Promise<number> {
  const given = await tx
    .insertInto('counters')
    .values({ location_code: locationCode, kind, next: first + 1 })
    .onConflict((known) => known.columns(['location_code', 'kind']).doUpdateSet({ next: sql`counters.next + 1` }))
    .returning((counter) => counter('next', '-', 1).as('number'))
    .executeTakeFirstOrThrow()
  return given.number
}

/** Numbers up to `taken` are in use (brought in from elsewhere): counting goes on after them. */
export async function numbersTaken(
  tx: Kysely<Tables>,
  locationCode: string,
  kind: string,
  taken: number,
): Promise<void> {
  await tx
    .insertInto('counters')
    .values({ location_code: locationCode, kind, next: taken + 1 })
    .onConflict((known) =>
      known
        .columns(['location_code', 'kind'])
        .doUpdateSet({ next: sql`case when counters.next > excluded.next then counters.next else excluded.next end` }),
    )
    .execute()
}
