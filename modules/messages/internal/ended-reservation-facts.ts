import type { Services } from '../../../platform/operations/services.ts'
import { facilityPath } from '../../facilities/facility.ts'
import { asRecordedOrders, ordersOfReservation } from '../../payments/payment.ts'
import type { RecordedOrders } from '../../payments/texts/money-taken-sentences.ts'
import type { RenterFacts } from './letter-blocks.ts'
import { loadReservationFacts, renter } from './message-facts.ts'

export interface ReservationEndedFacts extends RenterFacts {
  orders: RecordedOrders
  reservationCode: string
  againUrl: string
}

/** Loads a reservation that holds no unit any more; null if its mail has no recipient. */
export async function loadEndedReservation(services: Services, key: { locationCode: string; reservationCode: string }) {
  const of = await loadReservationFacts(services, key)
  if (!of || of.tenant.email === '') return null
  return {
    to: of.tenant.email,
    status: of.reservation.status,
    facts: {
      ...renter(of, of.tenant.first, of.reservation.unit_number),
      reservationCode: of.reservation.reservation_code,
      orders: asRecordedOrders(await ordersOfReservation(services.db.read, key)),
      againUrl: `${services.publicUrl}${facilityPath(of.location)}`,
    },
  }
}
