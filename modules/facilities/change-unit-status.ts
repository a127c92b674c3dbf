/**
 * Changes units' statuses in the caller's transaction. Each change of a status is one guarded statement, so no two
 * renters get the same unit.
 */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import { skipLocked } from '../../platform/database/open.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import type { Tables, UnitsTable } from '../../platform/schema/tables.ts'
import { AWAITING_INSPECTION, isAvailable, OUT_OF_SERVICE } from './availability.ts'

export type UnitIdentity = Pick<Selectable<UnitsTable>, 'unit_id' | 'unit_number'>

/** A unit to hold for a reservation: a certain one, or any of a type. */
export interface UnitRequest {
  locationCode: string
  unitTypeId: number
  /** Unit to hold; omitted for any of the type. */
  unitId?: number
  reservationCode: string
  /** End of the hold, in epoch milliseconds. */
  until: number
  now: number
  /** Any whole number; varies which unit is picked. */
  salt: number
}

export interface ReservedUnit {
  locationCode: string
  unitId: number
  reservationCode: string
}

/**
 * Builds the statement that holds one available unit of a type and returns its id and number; callers may return more
 * columns.
 */
export const holdAvailableUnit = (tx: Kysely<Tables>, request: UnitRequest) => {
  const { locationCode, unitTypeId, unitId, reservationCode, until, now, salt } = request
  const pick = skipLocked(
    tx,
    tx
      .selectFrom('units')
      .select('unit_id')
      .where('location_code', '=', locationCode)
      .where('unit_type_id', '=', unitTypeId)
      .$call(optionalCondition(unitId, (query, id) => query.where('unit_id', '=', id)))
      .where(isAvailable(now))
      // Free units go before those with a lapsed hold.
      .orderBy(sql`case when status = 'free' then 0 else 1 end`)
      // Rotates the order by the salt, so that concurrent renters start at different units. 101 is arbitrary.
      .orderBy(sql`(unit_id + ${salt}) % 101`)
      .orderBy('unit_id')
      .limit(1),
  )
  return tx
    .updateTable('units')
    .set({ status: 'held', held_by: reservationCode, held_until: until })
    .where('location_code', '=', locationCode)
    .where('unit_id', '=', pick)
    .where(isAvailable(now))
    .returning(['unit_id', 'unit_number'])
}

/**
 * Sets the end of a unit's hold, in epoch milliseconds.
 * @returns whether the reservation still held the unit
 */
export async function setUnitHoldEnd(
  tx: Kysely<Tables>,
  { locationCode, unitId, reservationCode }: ReservedUnit,
  until: number,
): Promise<boolean> {
  const unit = await tx
    .updateTable('units')
    .set({ held_until: until })
    .where('location_code', '=', locationCode)
    .where('unit_id', '=', unitId)
    .where('status', '=', 'held')
    .where('held_by', '=', reservationCode)
    .returning('unit_id')
    .executeTakeFirst()
  return unit !== undefined
}

/** Frees the unit that a reservation holds, if it holds one. */
export async function releaseUnit(tx: Kysely<Tables>, locationCode: string, reservationCode: string): Promise<void> {
  await tx
    .updateTable('units')
    .set({ status: 'free', held_by: null, held_until: null })
    .where('location_code', '=', locationCode)
    .where('held_by', '=', reservationCode)
    .where('status', '=', 'held')
    .execute()
}

/**
 * Marks a unit as rented.
 * @returns undefined where the reservation no longer holds the unit and the unit is not free
 */
export const rentUnit = (
  tx: Kysely<Tables>,
  { locationCode, unitId, reservationCode }: ReservedUnit,
): Promise<UnitIdentity | undefined> =>
  tx
    .updateTable('units')
    .set({ status: 'rented', held_by: null, held_until: null })
    .where('location_code', '=', locationCode)
    .where('unit_id', '=', unitId)
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', 'held'), eb('held_by', '=', reservationCode)]),
        // The hold has ended, but the unit that the reservation names is still free.
        eb('status', '=', 'free'),
      ]),
    )
    .returning(['unit_id', 'unit_number'])
    .executeTakeFirst()

/** Takes a rented unit out of use until it has been inspected (spec 2 §9). */
export async function vacateUnit(tx: Kysely<Tables>, locationCode: string, unitId: number): Promise<void> {
  await tx
    .updateTable('units')
    .set({ status: 'off', held_by: AWAITING_INSPECTION, held_until: null })
    .where('location_code', '=', locationCode)
    .where('unit_id', '=', unitId)
    .where('status', '=', 'rented')
    .execute()
}

/**
 * Frees a unit after its inspection.
 * @returns undefined where it awaits no inspection or is retired
 */
export const reopenUnit = (
  tx: Kysely<Tables>,
  locationCode: string,
  unitId: number,
): Promise<UnitIdentity | undefined> =>
  tx
    .updateTable('units')
    .set({ status: 'free', held_by: null })
    .where('location_code', '=', locationCode)
    .where('unit_id', '=', unitId)
    .where('status', '=', 'off')
    .where('held_by', '=', AWAITING_INSPECTION)
    .where('retired_on', 'is', null)
    .returning(['unit_id', 'unit_number'])
    .executeTakeFirst()

/** A unit that a staff member takes out of service, with the reason. */
export interface OutOfService {
  locationCode: string
  unitId: number
  reason: string
  /** Day on which the unit is expected back; null if unknown. */
  backOn: IsoDate | null
  staffId: string
  now: number
}

/**
 * Takes an available unit, or one awaiting inspection (`awaitsInspection`), out of service. The caller must expire the
 * reservation of a lapsed hold.
 * @returns undefined where the unit is not in the given state
 */
export async function takeOutOfService(
  tx: Kysely<Tables>,
  { locationCode, unitId, reason, backOn, staffId, now }: OutOfService,
  { awaitsInspection }: { awaitsInspection: boolean },
): Promise<UnitIdentity | undefined> {
  const unit = await tx
    .updateTable('units')
    .set({ status: 'off', held_by: OUT_OF_SERVICE, held_until: null })
    .where('location_code', '=', locationCode)
    .where('unit_id', '=', unitId)
    .where((eb) =>
      awaitsInspection
        ? eb.and([eb('status', '=', 'off'), eb('held_by', '=', AWAITING_INSPECTION), eb('retired_on', 'is', null)])
        : isAvailable(now)(eb),
    )
    .returning(['unit_id', 'unit_number'])
    .executeTakeFirst()
  if (!unit) return undefined
  const details = { reason, back_on: backOn, staff_id: staffId, since_at: now }
  await tx
    .insertInto('units_out_of_service')
    .values({ location_code: locationCode, unit_id: unitId, ...details })
    .onConflict((conflict) => conflict.columns(['location_code', 'unit_id']).doUpdateSet(details))
    .execute()
  return unit
}

/**
 * Returns a unit to service that the office or an import had taken out.
 * @returns undefined where it was not out of service or is retired
 */
export async function returnToService(
  tx: Kysely<Tables>,
  key: { locationCode: string; unitId: number },
): Promise<UnitIdentity | undefined> {
  const unit = await tx
    .updateTable('units')
    .set({ status: 'free', held_by: null, held_until: null })
    .where('location_code', '=', key.locationCode)
    .where('unit_id', '=', key.unitId)
    .where('status', '=', 'off')
    .where('retired_on', 'is', null)
    .where((eb) => eb.or([eb('held_by', 'is', null), eb('held_by', '!=', AWAITING_INSPECTION)]))
    .returning(['unit_id', 'unit_number'])
    .executeTakeFirst()
  if (unit)
    await tx
      .deleteFrom('units_out_of_service')
      .where('location_code', '=', key.locationCode)
      .where('unit_id', '=', key.unitId)
      .execute()
  return unit
}
