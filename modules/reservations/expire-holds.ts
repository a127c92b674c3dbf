import type { Services } from '../../platform/operations/services.ts'
import { releaseUnit } from '../facilities/change-unit-status.ts'
import { PAYMENT_GRACE_MS } from './rules/payment-hold-extension-duration.ts'
import { extendHoldOnce, mailHoldExpired, type ReservationKey } from './unit-holds.ts'

/**
 * Expires lapsed holds: frees the unit, marks the reservation and prospect record expired, and mails the renter. A hold
 * whose payment is in progress is extended once instead. Safe to run in several processes.
 * @param isBeingPaid whether an order of the reservation's rental is with the provider, or captured
 * @param max maximum number of holds per run
 * @returns number of expired holds
 */
export async function expireHolds(
  services: Services,
  isBeingPaid: (reservation: ReservationKey) => Promise<boolean>,
  max = 500,
): Promise<number> {
  const now = services.clock.now()
  const due = await services.db.read
    .selectFrom('reservations')
    .select(['location_code', 'reservation_code', 'unit_id', 'hold_extended'])
    .where('status', '=', 'active')
    .where('hold_until', '<=', now)
    .orderBy('hold_until')
    .limit(max)
    .execute()
  let cleared = 0
  for (const reservation of due) {
    const key = { locationCode: reservation.location_code, reservationCode: reservation.reservation_code }
    if (reservation.hold_extended === 0 && (await isBeingPaid(key))) {
      if (await extendHoldOnce(services, key, now + PAYMENT_GRACE_MS)) continue
    }
    cleared += await services.db.transaction(async (tx) => {
      const expired = await tx
        .updateTable('reservations')
        .set({ status: 'expired' })
        .where('location_code', '=', reservation.location_code)
        .where('reservation_code', '=', reservation.reservation_code)
        .where('status', '=', 'active')
        .where('hold_until', '<=', now)
        .returning('reservation_code')
        .executeTakeFirst()
      if (!expired) return 0
      await releaseUnit(tx, reservation.location_code, reservation.reservation_code)
      await mailHoldExpired(tx, reservation.location_code, reservation.reservation_code, now)
      return 1
    })
  }
  return cleared
}
