/**
 * A unit held for a reservation. A hold is live while now < `held_until`; what has run out counts as free from that
 * instant, whether or not the job that clears it has come by. Every change is one guarded statement, so that of any number
 * of renters exactly one gets a unit.
 */
import { type Kysely, type Selectable, sql } from 'kysely'
import { skipLocked } from '../../platform/database/open.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { UnitStatus } from '../../platform/schema/columns.ts'
import type { Tables, UnitsTable } from '../../platform/schema/tables.ts'
import { isAvailable } from '../facilities/availability.ts'

export type HeldUnit = Pick<Selectable<UnitsTable>, 'unit_id' | 'unit_number'>

export interface WantedUnit {
  locationCode: string
  unitTypeId: number
  reservationCode: string
  until: number
  now: number
  /** Any whole number; spreads who gets which unit. */
  salt: number
}

/**
 * Holds one unit of a type: free, or with a hold that has run out, whose reservation expires. In the caller's transaction.
 * @returns null where there is none
 */
export async function holdUnit(tx: Kysely<Tables>, wanted: WantedUnit): Promise<HeldUnit | null> {
  const { locationCode, unitTypeId, reservationCode, until, now, salt } = wanted
  const pick = skipLocked(
    tx,
    tx
      .selectFrom('units')
      .select('unit_id')
      .where('location_code', '=', locationCode)
      .where('unit_type_id', '=', unitTypeId)
      .where(isAvailable(now))
      // Units that nobody had a claim on go first.
      .orderBy(sql`case when status = 'free' then 0 else 1 end`)
      .orderBy(sql`(unit_id + ${salt}) % 101`)
      .orderBy('unit_id')
      .limit(1),
  )
  const unit = await tx
    .updateTable('units')
    .set({ status: 'held', held_by: reservationCode, held_until: until })
    .where('location_code', '=', locationCode)
    .where('unit_id', '=', pick)
    .where(isAvailable(now))
    .returning(['unit_id', 'unit_number'])
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
  if (unit.lapsed !== null) await expireHoldOf(tx, locationCode, unit.unit_id, now)
  return unit
}

/** The active reservation of a unit that went to another once its hold had run out. */
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

/**
 * Units of a facility that were brought in as let had been held for somebody: those holds end, and whoever held is told. In
 * the caller's transaction.
 */
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

/**
 * Keeps a live hold until a later instant; a hold that has run out, or lasts longer anyway, stays as it is. In the caller's
 * transaction.
 */
export async function prolongHold(
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
    .returning('reservation_code')
    .executeTakeFirst()
  if (!kept) return
  await tx
    .updateTable('units')
    .set({ held_until: until })
    .where('location_code', '=', locationCode)
    .where('held_by', '=', reservationCode)
    .where('status', '=', 'held')
    .execute()
}

/** The unit went to somebody else in the meantime: everything in the transaction is to be taken back. */
class UnitLost extends Error {}

/**
 * A hold that ran out while its payment was on its way is kept once more (fault case 2), as long as nobody else has taken
 * the unit. @param until epoch milliseconds
 * @returns false where it was kept once already, is over, or the unit is somebody else's: charge nothing then
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
      const unit = await tx
        .updateTable('units')
        .set({ held_until: until })
        .where('location_code', '=', locationCode)
        .where('unit_id', '=', kept.unit_id)
        .where('status', '=', 'held')
        .where('held_by', '=', reservationCode)
        .returning('unit_id')
        .executeTakeFirst()
      if (!unit) throw new UnitLost()
      return true
    })
  } catch (error) {
    if (error instanceof UnitLost) return false
    throw error
  }
}

/** The prospect record follows, and the renter is told once. */
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
