import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { MoveOut } from '../schedule-and-cancel-move-out.ts'

/** Returns the lease's newest move-out that was scheduled; null when there was none. */
export async function loadNewestMoveOut(
  db: Kysely<Tables>,
  leaseKey: { locationCode: string; leaseNumber: number },
): Promise<Pick<MoveOut, 'state' | 'autopay_before' | 'created_at'> | null> {
  const row = await db
    .selectFrom('move_outs')
    .select(['state', 'autopay_before', 'created_at'])
    .where((eb) => eb.and({ location_code: leaseKey.locationCode, lease_number: leaseKey.leaseNumber }))
    .where('state', '!=', 'begun')
    .orderBy('created_at', 'desc')
    .orderBy('move_out_id')
    .executeTakeFirst()
  return row ?? null
}
