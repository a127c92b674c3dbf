/** Units, unit types and facilities to retire. They stay on record. No unit of them may be rented or held. */
import type { Kysely, Selectable } from 'kysely'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import { compareUnitNumbers } from '../../../domain/unit-number-order.ts'
import { engineOf } from '../../../platform/database/engine-differences.ts'
import type { Tables, UnitsTable } from '../../../platform/schema/tables.ts'
import { isFree } from '../availability.ts'

export const retirableKinds = ['unit', 'unit_type', 'facility'] as const
export type RetirableKind = (typeof retirableKinds)[number]

/** A unit, a unit type, or the whole facility (`id` 0). */
export interface Retirable {
  kind: RetirableKind
  id: number
}

export type RetirableUnit = Pick<
  Selectable<UnitsTable>,
  'unit_id' | 'unit_number' | 'unit_type_id' | 'status' | 'held_by' | 'held_until' | 'retired_on' | 'retired_with'
>

/**
 * Loads the unit, the units of a unit type, or all units of a facility, whichever is to be retired, ordered by unit
 * number. Locks them in a PostgreSQL transaction.
 */
export const loadRetirableUnits = async (
  db: Kysely<Tables>,
  locationCode: string,
  { kind, id }: Retirable,
): Promise<RetirableUnit[]> => {
  const units = await db
    .selectFrom('units')
    .select(['unit_id', 'unit_number', 'unit_type_id', 'status', 'held_by', 'held_until', 'retired_on', 'retired_with'])
    .where('location_code', '=', locationCode)
    .$if(kind === 'unit', (query) => query.where('unit_id', '=', id))
    .$if(kind === 'unit_type', (query) => query.where('unit_type_id', '=', id))
    .$if(db.isTransaction && engineOf(db) === 'postgres', (query) => query.forUpdate())
    .orderBy('unit_id')
    .execute()
  return units.sort((a, b) => compareUnitNumbers(a.unit_number, b.unit_number))
}

/** Returns whether a unit is rented, or held at `now`. */
export const isRentedOrHeld = (unit: RetirableUnit, now: Instant): boolean =>
  unit.status !== 'off' && !isFree(unit, now)
