import type { Services } from '../../platform/operations/services.ts'
import { releaseUnit } from '../facilities/unit-status.ts'
import { extendHoldOnce, prolongHold, tellExpired } from './holds.ts'

/** A hold whose payment a person looks at is kept this much longer each time, well before it runs out. */
const REVIEW_HOLD_MS = 24 * 60 * 60 * 1000

/** Money is there and somebody has to decide: until they have, the unit is nobody else's. */
async function keepReviewed(services: Services, now: number): Promise<void> {
  const waiting = await services.db.read
    .selectFrom('payments')
    .innerJoin('rental_drafts', 'rental_drafts.draft_id', 'payments.draft_id')
    .innerJoin('reservations', (join) =>
      join
        .onRef('reservations.location_code', '=', 'rental_drafts.location_code')
        .onRef('reservations.reservation_code', '=', 'rental_drafts.reservation_code'),
    )
    .select(['reservations.location_code', 'reservations.reservation_code', 'hold_until'])
    .where('payments.state', '=', 'review')
    .where('reservations.status', '=', 'active')
    .where('hold_until', '<', now + REVIEW_HOLD_MS / 2)
    .execute()
  for (const one of waiting) {
    const { location_code, reservation_code } = one
    const until = now + REVIEW_HOLD_MS
    if (one.hold_until > now) {
      await services.db.transaction((tx) => prolongHold(tx, location_code, reservation_code, now, until))
    } else await extendHoldOnce(services, location_code, reservation_code, until)
  }
}

/** How long a hold is kept on while its payment is on the way. */
const PAYMENT_GRACE_MS = 60 * 60 * 1000

/**
 * The job that clears holds that have run out: the unit is free, the reservation and its prospect record are 'expired', the
 * renter is told. A hold whose payment is on its way is kept once more instead. Can run twice or on two machines.
 * @returns how many were cleared
 */
export async function expireHolds(services: Services, most = 500): Promise<number> {
  const now = services.clock.now()
  await keepReviewed(services, now)
  const due = await services.db.read
    .selectFrom('reservations')
    .select(['location_code', 'reservation_code', 'unit_id', 'hold_extended'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('payments')
            .innerJoin('rental_drafts', 'rental_drafts.draft_id', 'payments.draft_id')
            .whereRef('rental_drafts.location_code', '=', 'reservations.location_code')
            .whereRef('rental_drafts.reservation_code', '=', 'reservations.reservation_code')
            .where('payments.state', 'in', ['presented', 'captured'])
            .select('payments.order_id'),
        )
        .as('paying'),
    )
    .where('status', '=', 'active')
    .where('hold_until', '<=', now)
    .orderBy('hold_until')
    .limit(most)
    .execute()
  let cleared = 0
  for (const one of due) {
    if (one.paying && one.hold_extended === 0) {
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
