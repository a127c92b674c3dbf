import type { Kysely, Selectable } from 'kysely'
import type { ReservationsTable, Tables } from '../../platform/schema/tables.ts'

type Reservation = Selectable<ReservationsTable>

/**
 * Of two payments for one reservation, the first completes it. In the caller's transaction.
 * @returns the status that it has instead; undefined for no such reservation
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
    // A hold that lapsed while the money was under way still gets its unit, or another one.
    .where('status', 'in', ['active', 'expired'])
    .returningAll()
    .executeTakeFirst()
  if (reservation) return { ok: true, reservation }
  const known = await tx
    .selectFrom('reservations')
    .select('status')
    .where('location_code', '=', locationCode)
    .where('reservation_code', '=', reservationCode)
    .executeTakeFirst()
  return { ok: false, status: known?.status }
}

/** Keeps with a completed reservation and its prospect record which lease it became. In the caller's transaction. */
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
