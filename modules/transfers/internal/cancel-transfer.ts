import type { Kysely } from 'kysely'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { type Cancellation, cancelReservationIn } from '../../reservations/cancellations.ts'
import { isOfferedTransfer, type Transfer } from '../transfer-rows.ts'

/**
 * Cancels an offered transfer and frees the new unit, while nothing is signed and paid. Runs in the caller's
 * transaction; lock order as in the rental's payment: draft, reservation, unit, transfer.
 */
export async function cancelTransfer(
  tx: Kysely<Tables>,
  services: Services,
  { transfer_id, location_code, reservation_code }: Transfer,
  isBeingPaid: Parameters<typeof cancelReservationIn>[3],
): Promise<Cancellation> {
  const reservationKey = { locationCode: location_code, reservationCode: reservation_code }
  const cancellation = await cancelReservationIn(tx, services, reservationKey, isBeingPaid)
  if (cancellation === 'cancelled')
    await tx
      .updateTable('transfers')
      .set({ state: 'cancelled', ended_at: services.clock.now() })
      .where('transfer_id', '=', transfer_id)
      .where(isOfferedTransfer)
      .execute()
  return cancellation
}
