import type { Services } from '../../../platform/operations/services.ts'

const selectByLink = (services: Services, uuid: string) =>
  services.db.read
    .selectFrom('prospects')
    .innerJoin('reservations', (join) =>
      join
        .onRef('reservations.location_code', '=', 'prospects.location_code')
        .onRef('reservations.reservation_code', '=', 'prospects.res_code'),
    )
    .select(['prospects.location_code', 'reservation_code'])
    .where('uuid', '=', uuid.toLowerCase())

/** A reservation of a personal link that has become a lease, or was cancelled. */
export interface EndedReservation {
  end: 'rented' | 'cancelled'
  locationCode: string
  reservationCode: string
}

/** Finds the rented or cancelled reservation of a personal link; null where it is neither, or the link is unknown. */
export async function findEndedReservation(services: Services, uuid: string): Promise<EndedReservation | null> {
  const rented = await selectByLink(services, uuid).where('lease_number', 'is not', null).executeTakeFirst()
  if (rented) return { end: 'rented', locationCode: rented.location_code, reservationCode: rented.reservation_code }
  const cancelled = await selectByLink(services, uuid).where('reservations.status', '=', 'cancelled').executeTakeFirst()
  return cancelled
    ? { end: 'cancelled', locationCode: cancelled.location_code, reservationCode: cancelled.reservation_code }
    : null
}
