/**
 * A unit held for a reservation. A hold is live while now < `held_until`; a lapsed one counts as free from that instant,
 * whether or not the job has cleared it.
 */
import { type Kysely, sql } from 'kysely'
import { enqueue } from '../../platform/jobs/queue.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { UnitStatus } from '../../platform/schema/columns.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { extendUnitHold, holdAvailable, type UnitName, type WantedUnit } from '../facilities/unit-status.ts'

/**
 * Holds one unit of a type: free, or with a lapsed hold, whose reservation expires. In the caller's transaction.
 * @returns null where there is none
 */
export async function holdUnit(tx: Kysely<Tables>, wanted: WantedUnit): Promise<UnitName | null> {
  const unit = await holdAvailable(tx, wanted)
    .returning((unit) =>
      unit
        .selectFrom('reservations')
        .select('reservation_code')
        .whereRef('reservations.location_code', '=', 'units.location_code')
        .whereRef('reservations.unit_id', '=', 'units.unit_id')
        // Written out, not a parameter: else the index on active reservations is of no use to SQLite.
        .where('reservations.status', '=', sql.lit('active'))
        .as('lapsed'),
    )
    .executeTakeFirst()
  if (!unit) return null
  if (unit.lapsed !== null) await expireHoldOf(tx, wanted.locationCode, unit.unit_id, wanted.now)
  return unit
}

/** Expires the active reservation whose lapsed hold gave its unit to another. */
async function expireHoldOf(tx: Kysely<Tables>, locationCode: string, unitId: number, now: number): Promise<void> {
  const lapsed = await tx
    .updateTable('reservations')
    .set({ status: 'expired' })
    .where('location_code', '=', locationCode)
    .where('unit_id', '=', unitId)
    .where('status', '=', sql.lit('active'))
    .returning(['reservation_code'])
    .execute()
  for (const one of lapsed) await tellExpired(tx, locationCode, one.reservation_code, now)
}

/** Expires the reservations of units that an import has marked rented, and mails their renters. In the caller's transaction. */
export async function releaseHolds(tx: Kysely<Tables>, locationCode: string, now: number): Promise<void> {
  const lost = await tx
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
  for (const one of lost) await tellExpired(tx, locationCode, one.reservation_code, now)
}

/** Extends a live hold; one that has lapsed, or lasts longer, stays as it is. In the caller's transaction. */
export async function extendHold(
  tx: Kysely<Tables>,
  locationCode: string,
  reservationCode: string,
  now: number,
  until: number,
): Promise<void> {
  const kept = await tx
    .updateTable('reservations')
    .set({ hold_until: until })
    .where('location_code', '=', locationCode)
    .where('reservation_code', '=', reservationCode)
    .where('status', '=', 'active')
    .where('hold_until', '>', now)
    .where('hold_until', '<', until)
    .returning('unit_id')
    .executeTakeFirst()
  if (kept) await extendUnitHold(tx, { locationCode, unitId: kept.unit_id, reservationCode }, until)
}

/** The unit has gone to another renter: rolls the transaction back. */
class UnitLost extends Error {}

/**
 * Extends, once, a hold that lapsed while its payment was under way (fault case 2). @param until epoch milliseconds
 * @returns false where it was extended before, is over, or another renter has the unit: charge nothing then
 */
export async function extendHoldOnce(
  services: Services,
  locationCode: string,
  reservationCode: string,
  until: number,
): Promise<boolean> {
  try {
    return await services.db.transaction(async (tx) => {
      const kept = await tx
        .updateTable('reservations')
        .set({ hold_until: until, hold_extended: 1 })
        .where('location_code', '=', locationCode)
        .where('reservation_code', '=', reservationCode)
        .where('status', '=', 'active')
        .where('hold_extended', '=', 0)
        .returning('unit_id')
        .executeTakeFirst()
      if (!kept) return false
      const unit = await extendUnitHold(tx, { locationCode, unitId: kept.unit_id, reservationCode }, until)
      if (!unit) throw new UnitLost()
      return true
    })
  } catch (error) {
    if (error instanceof UnitLost) return false
    throw error
  }
}

/** Marks the prospect record expired and mails the renter, once. */
export async function tellExpired(tx: Kysely<Tables>, locationCode: string, reservationCode: string, now: number) {
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
