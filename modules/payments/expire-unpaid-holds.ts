import type { Kysely } from 'kysely'
import type { PaymentState } from '../../domain/payment.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { expireHolds, extendHold, extendHoldOnce, type ReservationKey } from '../reservations/holds.ts'

/** A hold whose payment is in review is extended by this much, half of it before it runs out. */
const REVIEW_HOLD_MS = 24 * 60 * 60 * 1000

/** Keeps the units of payments in review held until a person has decided. */
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
    const of = { locationCode: location_code, reservationCode: reservation_code }
    if (hold_until > now) await services.db.transaction((tx) => extendHold(tx, of, 'live', { now, until }))
    else await extendHoldOnce(services, of, until)
  }
}

const atProvider: PaymentState[] = ['presented', 'captured']

async function isReservationBeingPaid(services: Services, of: ReservationKey): Promise<boolean> {
  const order = await services.db.read
    .selectFrom('payments')
    .innerJoin('rental_drafts', 'rental_drafts.draft_id', 'payments.draft_id')
    .select('order_id')
    .where('rental_drafts.location_code', '=', of.locationCode)
    .where('rental_drafts.reservation_code', '=', of.reservationCode)
    .where('payments.state', 'in', atProvider)
    .executeTakeFirst()
  return order !== undefined
}

/** Expires holds that have run out, after those of payments in review are extended. @returns how many expired */
export async function expireUnpaidHolds(services: Services, most?: number): Promise<number> {
  await extendReviewedHolds(services)
  return expireHolds(services, (of) => isReservationBeingPaid(services, of), most)
}

const notOver: PaymentState[] = ['created', 'presented', 'captured', 'review']

/** Whether one of these drafts, locked by the caller's transaction, has an order that is open, captured or in review. */
export async function isBeingPaid(tx: Kysely<Tables>, draftIds: readonly string[]): Promise<boolean> {
  if (draftIds.length === 0) return false
  const order = await tx
    .selectFrom('payments')
    .select('order_id')
    .where('draft_id', 'in', draftIds)
    .where('state', 'in', notOver)
    .executeTakeFirst()
  return order !== undefined
}
