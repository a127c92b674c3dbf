/**
 * Holds units for reservations, extends holds and expires reservations. A hold is live while now < `held_until`; from
 * that instant on its unit is available, even before `expireHolds` has cleared the hold.
 */

import { type Kysely, sql } from 'kysely'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { UnitStatus } from '../../platform/schema/narrowed-column-types.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import {
  holdAvailableUnit,
  setUnitHoldEnd,
  type UnitIdentity,
  type UnitRequest,
} from '../facilities/change-unit-status.ts'

export interface ReservationKey {
  locationCode: string
  reservationCode: string
}

/**
 * Holds one unit of a type in the caller's transaction: a free unit, or a unit whose hold has lapsed and whose
 * reservation then expires.
 * @returns null where no unit is available
 */
export async function holdUnit(tx: Kysely<Tables>, request: UnitRequest): Promise<UnitIdentity | null> {
  const unit = await holdAvailableUnit(tx, request)
    .returning((unit) =>
      unit
        .selectFrom('reservations')
        .select('reservation_code')
        .whereRef('reservations.location_code', '=', 'units.location_code')
        .whereRef('reservations.unit_id', '=', 'units.unit_id')
        // A literal: a plan that PostgreSQL reuses can take the index on active reservations only with one.
        .where('reservations.status', '=', sql.lit('active'))
        .as('lapsed'),
    )
    .executeTakeFirst()
  if (!unit) return null
  const { lapsed, ...identity } = unit
  if (lapsed !== null) await expireHoldOfUnit(tx, request.locationCode, unit.unit_id, request.now)
  return identity
}

/** Expires the active reservation of a unit, if any, and mails its renter. */
export async function expireHoldOfUnit(
  tx: Kysely<Tables>,
  locationCode: string,
  unitId: number,
  now: number,
): Promise<void> {
  const lapsed = await tx
    .updateTable('reservations')
    .set({ status: 'expired' })
    .where('location_code', '=', locationCode)
    .where('unit_id', '=', unitId)
    .where('status', '=', sql.lit('active'))
    .returning(['reservation_code'])
    .execute()
  for (const reservation of lapsed) await mailHoldExpired(tx, locationCode, reservation.reservation_code, now)
}

/**
 * Expires the reservations of units that an import has marked rented and mails their renters. Runs in the caller's
 * transaction.
 */
export async function expireReservationsOfRentedUnits(
  tx: Kysely<Tables>,
  locationCode: string,
  now: number,
): Promise<void> {
  const expired = await tx
    .updateTable('reservations')
    .set({ status: 'expired' })
    .where('location_code', '=', locationCode)
    .where('status', '=', sql.lit('active'))
    .where('unit_id', 'in', (eb) =>
      eb
        .selectFrom('units')
        .select('units.unit_id')
        .where('units.location_code', '=', locationCode)
        .where('units.status', '=', sql.lit<UnitStatus>('rented')),
    )
    .returning('reservation_code')
    .execute()
  for (const reservation of expired) await mailHoldExpired(tx, locationCode, reservation.reservation_code, now)
}

/** Thrown when the reservation no longer holds its unit. Rolls back. */
class UnitLost extends Error {}

/**
 * Extends the hold of a reservation and of its unit, in the caller's transaction.
 * @param which `live`: only a live hold that ends before `until`; `once`: any active hold that was never extended this
 * way
 * @returns whether the hold was extended
 * @throws UnitLost for `once` where the reservation no longer holds its unit
 */
export async function extendHold(
  tx: Kysely<Tables>,
  reservationKey: ReservationKey,
  which: 'live' | 'once',
  times: { now: number; until: number },
): Promise<boolean> {
  const extended = await tx
    .updateTable('reservations')
    .set({ hold_until: times.until, ...(which === 'once' && { hold_extended: 1 }) })
    .where('location_code', '=', reservationKey.locationCode)
    .where('reservation_code', '=', reservationKey.reservationCode)
    .where('status', '=', 'active')
    .where((eb) =>
      which === 'once'
        ? eb('hold_extended', '=', 0)
        : eb.and([eb('hold_until', '>', times.now), eb('hold_until', '<', times.until)]),
    )
    .returning('unit_id')
    .executeTakeFirst()
  if (!extended) return false
  if (!(await setUnitHoldEnd(tx, { ...reservationKey, unitId: extended.unit_id }, times.until)) && which === 'once')
    throw new UnitLost()
  return true
}

/**
 * Extends the hold of an active reservation until the given time, also a lapsed hold, but only once per reservation.
 * @param until epoch milliseconds
 * @returns false where the hold was extended before, or the reservation is no longer active or no longer holds its
 * unit; a caller that is about to charge the renter must then charge nothing
 */
export async function extendHoldOnce(
  services: Services,
  reservationKey: ReservationKey,
  until: number,
): Promise<boolean> {
  try {
    return await services.db.transaction((tx) =>
      extendHold(tx, reservationKey, 'once', { now: services.clock.now(), until }),
    )
  } catch (error) {
    if (error instanceof UnitLost) return false
    throw error
  }
}

/** Marks a reservation's prospect record expired and enqueues one mail to the renter. */
export async function mailHoldExpired(tx: Kysely<Tables>, locationCode: string, reservationCode: string, now: number) {
  await tx
    .updateTable('prospects')
    .set({ res_status: 'expired' })
    .where('res_code', '=', reservationCode)
    .where('location_code', '=', locationCode)
    .where('res_status', '=', 'active')
    .execute()
  await enqueue(tx, {
    kind: 'hold_expired',
    once: `${locationCode}:${reservationCode}`,
    payload: { locationCode, reservationCode },
    runAt: now,
  })
}
