import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/schema/tables.ts'

/** Gives a unit back while this reservation still holds it. In the caller's transaction. */
export async function releaseUnit(tx: Kysely<Tables>, locationCode: string, reservationCode: string): Promise<void> {
  await tx
    .updateTable('units')
    .set({ status: 'free', held_by: null, held_until: null })
    .where('location_code', '=', locationCode)
    .where('held_by', '=', reservationCode)
    .where('status', '=', 'held')
    .execute()
}
