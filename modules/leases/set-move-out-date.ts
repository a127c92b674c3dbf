import type { ExpressionWrapper, Kysely, SqlBool } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { Lease, LeaseKey } from './lease.ts'

/**
 * Schedules a lease's move-out.
 * @returns false where the lease is closed or unknown, or has a move-out date
 */
export async function setScheduledMoveOut(
  tx: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
  { date, reasonId }: { date: IsoDate; reasonId: number },
): Promise<boolean> {
  const lease = await tx
    .updateTable('leases')
    .set({ scheduled_move_out: date, move_out_reason: reasonId })
    .where((eb) => eb.and({ location_code, lease_number }))
    .where('status', '!=', 'Closed')
    .where('scheduled_move_out', 'is', null)
    .returning('lease_number')
    .executeTakeFirst()
  return lease !== undefined
}

/** Changes the date and the reason of a lease's scheduled move-out. */
export async function changeScheduledMoveOut(
  tx: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
  { date, reasonId }: { date: IsoDate; reasonId: number },
): Promise<void> {
  await tx
    .updateTable('leases')
    .set({ scheduled_move_out: date, move_out_reason: reasonId })
    .where((eb) => eb.and({ location_code, lease_number }))
    .execute()
}

/**
 * Cancels a lease's scheduled move-out.
 * @param unless condition on the lease under which the move-out stays scheduled
 * @returns the lease; null where no move-out was cancelled
 */
export async function clearScheduledMoveOut(
  tx: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
  unless: ExpressionWrapper<Tables, 'leases', SqlBool>,
): Promise<Pick<Lease, 'tenant_id' | 'autopay'> | null> {
  const lease = await tx
    .updateTable('leases')
    .set({ scheduled_move_out: null, move_out_reason: null })
    .where((eb) => eb.and({ location_code, lease_number }))
    .where('status', '!=', 'Closed')
    .where('scheduled_move_out', 'is not', null)
    .where((eb) => eb.not(unless))
    .returning(['tenant_id', 'autopay'])
    .executeTakeFirst()
  return lease ?? null
}
