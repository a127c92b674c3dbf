/**
 * Giving a reservation back before its time. Lock order as everywhere: the draft, then its orders, then the unit; so a
 * cancellation and a payment of the same rental come one after the other.
 */
import type { Kysely } from 'kysely'
import { enqueue } from '../../platform/jobs/queue.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { releaseUnit } from '../facilities/unit-status.ts'

interface OfReservation {
  locationCode: string
  reservationCode: string
}

/** `paying`: an order of it is open, captured or looked at. `over`: it has expired, or there is none. */
export type Cancellation = 'cancelled' | 'paying' | 'rented' | 'over'

/**
 * Cancels an active reservation in the caller's transaction: the unit is free, the prospect record marked.
 * @returns whether it was active
 */
export async function releaseReservation(tx: Kysely<Tables>, of: OfReservation): Promise<boolean> {
  const cancelled = await tx
    .updateTable('reservations')
    .set({ status: 'cancelled' })
    .where('location_code', '=', of.locationCode)
    .where('reservation_code', '=', of.reservationCode)
    .where('status', '=', 'active')
    .returning('reservation_code')
    .executeTakeFirst()
  if (!cancelled) return false
  await releaseUnit(tx, of.locationCode, of.reservationCode)
  await tx
    .updateTable('prospects')
    .set({ res_status: 'expired' })
    .where('res_code', '=', of.reservationCode)
    .where('location_code', '=', of.locationCode)
    .where('res_status', '=', 'active')
    .execute()
  return true
}

/** The renter cancels. Again, it is cancelled already, and nobody is told twice. */
export async function cancelReservation(services: Services, of: OfReservation): Promise<Cancellation> {
  return services.db.transaction(async (tx) => {
    const drafts = await tx
      .updateTable('rental_drafts')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .where('location_code', '=', of.locationCode)
      .where('reservation_code', '=', of.reservationCode)
      .returning('draft_id')
      .execute()
    const known = await tx
      .selectFrom('reservations')
      .select('status')
      .where('location_code', '=', of.locationCode)
      .where('reservation_code', '=', of.reservationCode)
      .executeTakeFirst()
    if (known?.status === 'cancelled' || known?.status === 'completed')
      return known.status === 'cancelled' ? 'cancelled' : 'rented'
    if (known?.status !== 'active') return 'over'
    const paying =
      drafts.length > 0 &&
      (await tx
        .selectFrom('payments')
        .select('order_id')
        .where(
          'draft_id',
          'in',
          drafts.map((one) => one.draft_id),
        )
        .where('state', 'in', ['created', 'presented', 'captured', 'review'])
        .executeTakeFirst())
    if (paying) return 'paying'
    if (!(await releaseReservation(tx, of))) return 'over'
    await enqueue(tx, {
      kind: 'reservation_cancelled',
      once: `${of.locationCode}:${of.reservationCode}`,
      payload: { locationCode: of.locationCode, reservationCode: of.reservationCode },
      runAt: services.clock.now(),
    })
    return 'cancelled'
  })
}
