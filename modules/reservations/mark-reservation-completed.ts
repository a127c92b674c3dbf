import type { Kysely, Selectable } from 'kysely'
import type { ReservationsTable, Tables } from '../../platform/schema/tables.ts'

type Reservation = Selectable<ReservationsTable>

/**
 * Marks a reservation completed in the caller's transaction. Of two payments for one reservation, only the first
 * succeeds.
 * @returns the reservation, or the status that prevented it, which is undefined where no such reservation exists
 */
export async function completeReservation(
  tx: Kysely<Tables>,
  locationCode: string,
  reservationCode: string,
): Promise<{ ok: true; reservation: Reservation } | { ok: false; status: Reservation['status'] | undefined }> {
  const reservation = await tx
    .updateTable('reservations')
    .set({ status: 'completed' })
    .where('location_code', '=', locationCode)
    .where('reservation_code', '=', reservationCode)
    // A hold that lapsed while the payment was in progress still completes, with its own or another unit.
    .where('status', 'in', ['active', 'expired'])
    .returningAll()
    .executeTakeFirst()
  if (reservation) return { ok: true, reservation }
  const unchanged = await tx
    .selectFrom('reservations')
    .select('status')
    .where('location_code', '=', locationCode)
    .where('reservation_code', '=', reservationCode)
    .executeTakeFirst()
  return { ok: false, status: unchanged?.status }
}

/**
 * Records the lease and unit on a completed reservation and marks its prospect record completed. Runs in the caller's
 * transaction.
 */
export async function recordLease(
  tx: Kysely<Tables>,
  { location_code, reservation_code }: Pick<Reservation, 'location_code' | 'reservation_code'>,
  lease: Pick<Reservation, 'unit_id' | 'unit_number' | 'lease_number'>,
  today: string,
): Promise<void> {
  await tx
    .updateTable('reservations')
    .set(lease)
    .where('location_code', '=', location_code)
    .where('reservation_code', '=', reservation_code)
    .execute()
  await tx
    .updateTable('prospects')
    .set({ res_status: 'completed', lease_status: 'Current', move_in_date: today })
    .where('location_code', '=', location_code)
    .where('res_code', '=', reservation_code)
    .execute()
}
