import type { Services } from '../../../platform/operations/services.ts'
import { facilityPath } from '../../facilities/rules/facility-path.ts'
import { asRecordedOrders, loadOrdersOfReservation } from '../../payments/payment.ts'
import type { RecordedOrders } from '../../payments/texts/was-money-taken-by-payment-state.ts'
import { loadReservationFacts, renterFactsOf } from './message-facts.ts'
import type { RenterFacts } from './renter-facts-and-mail-tables.ts'

export interface ReservationEndedFacts extends RenterFacts {
  orders: RecordedOrders
  reservationCode: string
  againUrl: string
}

/**
 * Loads the facts for a mail about an ended reservation, whose status the caller checks; null if the reservation is
 * unknown or its tenant has no e-mail address.
 */
export async function loadEndedReservation(services: Services, key: { locationCode: string; reservationCode: string }) {
  const reservationFacts = await loadReservationFacts(services, key)
  if (!reservationFacts || reservationFacts.tenant.email === '') return null
  return {
    to: reservationFacts.tenant.email,
    status: reservationFacts.reservation.status,
    facts: {
      ...renterFactsOf(reservationFacts, reservationFacts.tenant.first, reservationFacts.reservation.unit_number),
      reservationCode: reservationFacts.reservation.reservation_code,
      orders: asRecordedOrders(await loadOrdersOfReservation(services.db.read, key)),
      againUrl: `${services.publicUrl}${facilityPath(reservationFacts.location)}`,
    },
  }
}
