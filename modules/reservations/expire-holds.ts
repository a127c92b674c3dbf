import type { Services } from '../../platform/operations/services.ts'
import { releaseUnit } from '../facilities/unit-status.ts'
import { extendHoldOnce, tellExpired } from './holds.ts'

export interface ReservationKey {
  locationCode: string
  reservationCode: string
}

/** How long a hold is kept on while its payment is on the way. */
const PAYMENT_GRACE_MS = 60 * 60 * 1000

/**
 * Clears holds that have run out: the unit is free, the reservation and its prospect record are 'expired', the renter gets a
 * mail. A hold whose payment is under way is extended once instead. Safe to run in several processes.
 * @param isBeingPaid whether an order for the reservation's rental is at the provider, or captured
 * @returns how many were cleared
 */
export async function expireHolds(
  services: Services,
  isBeingPaid: (reservation: ReservationKey) => Promise<boolean>,
  most = 500,
): Promise<number> {
  const now = services.clock.now()
  const due = await services.db.read
    .selectFrom('reservations')
    .select(['location_code', 'reservation_code', 'unit_id', 'hold_extended'])
    .where('status', '=', 'active')
    .where('hold_until', '<=', now)
    .orderBy('hold_until')
    .limit(most)
    .execute()
  let cleared = 0
  for (const one of due) {
    const key = { locationCode: one.location_code, reservationCode: one.reservation_code }
    if (one.hold_extended === 0 && (await isBeingPaid(key))) {
      if (await extendHoldOnce(services, one.location_code, one.reservation_code, now + PAYMENT_GRACE_MS)) continue
    }
    cleared += await services.db.transaction(async (tx) => {
      const over = await tx
        .updateTable('reservations')
        .set({ status: 'expired' })
        .where('location_code', '=', one.location_code)
        .where('reservation_code', '=', one.reservation_code)
        .where('status', '=', 'active')
        .where('hold_until', '<=', now)
        .returning('reservation_code')
        .executeTakeFirst()
      if (!over) return 0
      await releaseUnit(tx, one.location_code, one.reservation_code)
      await tellExpired(tx, one.location_code, one.reservation_code, now)
      return 1
    })
  }
  return cleared
}
