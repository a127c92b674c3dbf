/** Retires units, unit types and facilities. They stay on record; none that is rented or held can be retired. */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { engineOf } from '../../platform/database/engine.ts'
import type { UnitStatus } from '../../platform/schema/columns.ts'
import type { Tables, UnitsTable } from '../../platform/schema/tables.ts'
import { OUT_OF_SERVICE, RETIRED } from './availability.ts'

export const retirableKinds = ['unit', 'unit_type', 'facility'] as const
export type RetirableKind = (typeof retirableKinds)[number]

/** A unit, a unit type, or the whole facility (`id` 0). */
export interface Retirable {
  kind: RetirableKind
  id: number
}

export type UnitOf = Pick<
  Selectable<UnitsTable>,
  'unit_id' | 'unit_number' | 'unit_type_id' | 'status' | 'held_by' | 'held_until' | 'retired_on'
>

/**
 * Loads the unit, the units of a unit type, or all units of a facility, whichever is to be retired, ordered by unit
 * number. Locks them in a PostgreSQL transaction.
 */
export const loadRetirableUnits = (
  db: Kysely<Tables>,
  locationCode: string,
  { kind, id }: Retirable,
): Promise<UnitOf[]> =>
  db
    .selectFrom('units')
    .select(['unit_id', 'unit_number', 'unit_type_id', 'status', 'held_by', 'held_until', 'retired_on'])
    .where('location_code', '=', locationCode)
    .$if(kind === 'unit', (query) => query.where('unit_id', '=', id))
    .$if(kind === 'unit_type', (query) => query.where('unit_type_id', '=', id))
    .$if(db.isTransaction && engineOf(db) === 'postgres', (query) => query.forUpdate())
    .orderBy('unit_number')
    .execute()

/** Returns whether a unit is rented, or held by a reservation. */
export const isRentedOrHeld = (unit: UnitOf, now: Instant): boolean =>
  unit.status === 'rented' || (unit.status === 'held' && (unit.held_until ?? 0) > now)

/** Marks units as retired in the caller's transaction. None of them may be rented or held. */
export async function retireUnits(
  tx: Kysely<Tables>,
  locationCode: string,
  units: UnitOf[],
  on: IsoDate,
): Promise<void> {
  const ids = units.filter((unit) => unit.retired_on === null).map((unit) => unit.unit_id)
  if (ids.length === 0) return
  await tx
    .updateTable('units')
    .set({ status: 'off', held_by: RETIRED, held_until: null, retired_on: on })
    .where('location_code', '=', locationCode)
    .where('unit_id', 'in', ids)
    .execute()
}

/**
 * Returns retired units to rental in the caller's transaction. A unit that was out of service when it was retired is
 * out of service again.
 */
export async function restoreUnits(tx: Kysely<Tables>, locationCode: string, units: UnitOf[]): Promise<void> {
  const ids = units.map((unit) => unit.unit_id)
  if (ids.length === 0) return
  const outOfService = tx
    .selectFrom('units_out_of_service')
    .select('unit_id')
    .where('location_code', '=', locationCode)
    .where('unit_id', 'in', ids)
  await tx
    .updateTable('units')
    .set({ status: 'free', held_by: null, retired_on: null })
    .where('location_code', '=', locationCode)
    .where('unit_id', 'in', ids)
    .where('status', '=', sql.lit<UnitStatus>('off'))
    .where('unit_id', 'not in', outOfService)
    .execute()
  await tx
    .updateTable('units')
    .set({ held_by: OUT_OF_SERVICE, retired_on: null })
    .where('location_code', '=', locationCode)
    .where('unit_id', 'in', ids)
    .where('held_by', '=', RETIRED)
    .execute()
}

/** Marks a unit type or facility as retired, or restores it with null; `retireUnits` marks units. */
export async function markRetired(
  tx: Kysely<Tables>,
  locationCode: string,
  { kind, id }: Retirable,
  on: IsoDate | null,
): Promise<void> {
  if (kind === 'unit_type')
    await tx
      .updateTable('unit_types')
      .set({ retired_on: on })
      .where('location_code', '=', locationCode)
      .where('unit_type_id', '=', id)
      .execute()
  if (kind === 'facility')
    await tx.updateTable('locations').set({ retired_on: on }).where('location_code', '=', locationCode).execute()
}
