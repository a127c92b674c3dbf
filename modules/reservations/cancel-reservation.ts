/**
 * Cancels active reservations. `cancelReservationIn` locks the rental's drafts first, as payments do, so a cancellation
 * and a payment of the same rental never interleave.
 */
import type { Kysely } from 'kysely'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { releaseUnit } from '../facilities/change-unit-status.ts'
import type { ReservationKey } from './unit-holds.ts'

/**
 * Result of a cancellation. `paying`: the rental has an order that is open, captured or under review. `over`: the
 * reservation has expired or does not exist.
 */
export type Cancellation = 'cancelled' | 'paying' | 'rented' | 'over'

/**
 * Cancels an active reservation in the caller's transaction: frees its unit and marks its prospect record expired.
 * @returns whether the reservation was active
 */
export async function releaseReservation(tx: Kysely<Tables>, reservationKey: ReservationKey): Promise<boolean> {
  const cancelled = await tx
    .updateTable('reservations')
    .set({ status: 'cancelled' })
    .where('location_code', '=', reservationKey.locationCode)
    .where('reservation_code', '=', reservationKey.reservationCode)
    .where('status', '=', 'active')
    .returning('reservation_code')
    .executeTakeFirst()
  if (!cancelled) return false
  await releaseUnit(tx, reservationKey.locationCode, reservationKey.reservationCode)
  await tx
    .updateTable('prospects')
    .set({ res_status: 'expired' })
    .where('res_code', '=', reservationKey.reservationCode)
    .where('location_code', '=', reservationKey.locationCode)
    .where('res_status', '=', 'active')
    .execute()
  return true
}

type IsBeingPaid = (tx: Kysely<Tables>, draftIds: readonly string[]) => Promise<boolean>

/**
 * Cancels a renter's reservation and enqueues one cancellation mail, however often it is called, in the caller's
 * transaction, which must not have locked anything of the rental before.
 * @param isBeingPaid whether one of these drafts, locked in this transaction, has an unfinished order
 */
export async function cancelReservationIn(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  reservationKey: ReservationKey,
  isBeingPaid: IsBeingPaid,
): Promise<Cancellation> {
  const locked = await tx
    .updateTable('rental_drafts')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('location_code', '=', reservationKey.locationCode)
    .where('reservation_code', '=', reservationKey.reservationCode)
    .returning('draft_id')
    .execute()
  const drafts = locked.map((draft) => draft.draft_id)
  const reservation = await tx
    .selectFrom('reservations')
    .select('status')
    .where('location_code', '=', reservationKey.locationCode)
    .where('reservation_code', '=', reservationKey.reservationCode)
    .executeTakeFirst()
  if (reservation?.status === 'cancelled' || reservation?.status === 'completed')
    return reservation.status === 'cancelled' ? 'cancelled' : 'rented'
  if (reservation?.status !== 'active') return 'over'
  if (await isBeingPaid(tx, drafts)) return 'paying'
  if (!(await releaseReservation(tx, reservationKey))) return 'over'
  await enqueue(tx, {
    kind: 'reservation_cancelled',
    once: `${reservationKey.locationCode}:${reservationKey.reservationCode}`,
    payload: { locationCode: reservationKey.locationCode, reservationCode: reservationKey.reservationCode },
    runAt: services.clock.now(),
  })
  return 'cancelled'
}
