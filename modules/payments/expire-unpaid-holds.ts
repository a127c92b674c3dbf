import type { Kysely } from 'kysely'
import { DAY } from '../../domain/durations.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { expireHolds } from '../reservations/expire-holds.ts'
import { extendHold, extendHoldOnce, type ReservationKey } from '../reservations/unit-holds.ts'
import { inProgressStates } from './payment.ts'
import type { PaymentState } from './rules/payment-states.ts'

/**
 * Extension of the hold of a payment in review, in milliseconds. A hold is extended when less than half of this time is
 * left.
 */
const REVIEW_HOLD_MS = DAY

/** Extends the holds of payments in review until a staff member has decided. */
async function extendReviewedHolds(services: Services): Promise<void> {
  const now = services.clock.now()
  const until = now + REVIEW_HOLD_MS
  const reviewed = await services.db.read
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
  for (const { location_code, reservation_code, hold_until } of reviewed) {
    const reservation = { locationCode: location_code, reservationCode: reservation_code }
    if (hold_until > now) await services.db.transaction((tx) => extendHold(tx, reservation, 'live', { now, until }))
    // A lapsed hold can be extended only once, and only while no other renter has the unit.
    else await extendHoldOnce(services, reservation, until)
  }
}

const statesAtProvider: PaymentState[] = ['presented', 'captured']

async function isReservationBeingPaid(services: Services, reservation: ReservationKey): Promise<boolean> {
  const order = await services.db.read
    .selectFrom('payments')
    .innerJoin('rental_drafts', 'rental_drafts.draft_id', 'payments.draft_id')
    .select('order_id')
    .where('rental_drafts.location_code', '=', reservation.locationCode)
    .where('rental_drafts.reservation_code', '=', reservation.reservationCode)
    .where('payments.state', 'in', statesAtProvider)
    .executeTakeFirst()
  return order !== undefined
}

/**
 * Expires lapsed holds, after extending those of payments in review. A hold that is being paid is extended once first.
 * @returns number of expired holds
 */
export async function expireUnpaidHolds(services: Services, limit?: number): Promise<number> {
  await extendReviewedHolds(services)
  return expireHolds(services, (reservation) => isReservationBeingPaid(services, reservation), limit)
}

/**
 * Returns whether one of the drafts has an order that is open, captured or in review. The caller has locked the
 * drafts.
 */
export async function hasPendingOrder(tx: Kysely<Tables>, draftIds: readonly string[]): Promise<boolean> {
  if (draftIds.length === 0) return false
  const order = await tx
    .selectFrom('payments')
    .select('order_id')
    .where('draft_id', 'in', draftIds)
    .where('state', 'in', inProgressStates)
    .executeTakeFirst()
  return order !== undefined
}
