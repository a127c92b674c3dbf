import { refuseLinkAttempt } from '../../../platform/operations/brute-force-limits.ts'
import type { Outcome } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { proveRenter } from '../limit-and-extend-unproven-holds.ts'
import {
  emptyReservationResponse,
  type FoundReservation,
  openReservation,
  selectActiveReservations,
} from '../reservation-lookup-operation-parts.ts'
import { reservationNotFound } from '../texts/reserve.ts'

/**
 * Opens a reservation by its personal link (spec 1 §2 reservation link). The uuid reaches only the renter, by mail,
 * text message or the operator, so it is sufficient proof and marks the renter as proven.
 * @param address network address by which attempts to open a link are counted
 * @returns the reservation with a rental session's grant; ErrorMessage 'Reservation not found' where none is active; 429
 *   where a limit on attempts to open links is reached
 */
export async function openReservationLink(
  services: Services,
  uuid: string,
  address: string,
): Promise<Outcome<FoundReservation>> {
  const refusal = await refuseLinkAttempt(services, address)
  if (refusal) return refusal
  const prospect = await services.db.read
    .selectFrom('prospects')
    .select(['location_code', 'res_code'])
    .where('uuid', '=', uuid.toLowerCase())
    .executeTakeFirst()
  if (prospect)
    await proveRenter(services.db.write, services, {
      locationCode: prospect.location_code,
      reservationCode: prospect.res_code,
    })
  const reservation =
    prospect &&
    (await selectActiveReservations(services, prospect.location_code)
      .where('reservation_code', '=', prospect.res_code)
      .executeTakeFirst())
  return reservation ? openReservation(services, reservation, 'link') : emptyReservationResponse(reservationNotFound)
}
