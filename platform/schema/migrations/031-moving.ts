import type { Kysely } from 'kysely'
import { index } from './table.ts'

/** Who leaves on a day. Of most leases nothing is scheduled: payments do not touch it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await index(db, 'leases', 'location_code, scheduled_move_out', {
    where: "scheduled_move_out is not null and status <> 'Closed'",
    name: 'leases_moving_out',
  })
}
