import type { Kysely } from 'kysely'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { type Cancellation, cancelReservationIn } from '../reservations/cancellations.ts'
import { stillOffered, type Transfer } from './transfer.ts'

/**
 * Gives the new unit back, while nothing is signed and paid. In the caller's transaction; lock order: draft, reservation, unit,
 * transfer, as a payment of the same rental has it.
 */
export async function cancelTransfer(
  tx: Kysely<Tables>,
  services: Services,
  { transfer_id, location_code, reservation_code }: Transfer,
  isBeingPaid: Parameters<typeof cancelReservationIn>[3],
): Promise<Cancellation> {
  const of = { locationCode: location_code, reservationCode: reservation_code }
  const ended = await cancelReservationIn(tx, services, of, isBeingPaid)
  if (ended === 'cancelled')
    await tx
      .updateTable('transfers')
      .set({ state: 'cancelled', ended_at: services.clock.now() })
      .where('transfer_id', '=', transfer_id)
      .where(stillOffered)
      .execute()
  return ended
}
