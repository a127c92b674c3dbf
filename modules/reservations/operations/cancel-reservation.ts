import type { Services } from '../../../platform/operations/services.ts'
import { hasPendingOrder } from '../../payments/expire-unpaid-holds.ts'
import { type Cancellation, cancelReservationIn } from '../cancel-reservation.ts'
import type { ReservationKey } from '../unit-holds.ts'

/** Cancels a renter's reservation unless an order for it is unfinished. */
export const cancelReservation = (services: Services, reservationKey: ReservationKey): Promise<Cancellation> =>
  services.db.transaction((tx) => cancelReservationIn(tx, services, reservationKey, hasPendingOrder))
