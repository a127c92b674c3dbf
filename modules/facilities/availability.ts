import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { Services } from '../../platform/operations/services.ts'
import type { UnitStatus } from '../../platform/schema/narrowed-column-types.ts'
import type { Tables } from '../../platform/schema/tables.ts'

/**
 * Returns the number of available units by location code and unit type. Not part of the cached `FacilityFacts`, since
 * the number changes with every rental.
 */
export async function countFreeUnits(
  services: Services,
  locationCodes: string[],
): Promise<Map<string, Map<number, number>>> {
  const free = new Map<string, Map<number, number>>()
  if (locationCodes.length === 0) return free
  const rows = await services.db.read
    .selectFrom('units')
    .select(['location_code', 'unit_type_id'])
    .select((eb) => eb.fn.countAll<number>().as('free'))
    .where('location_code', 'in', locationCodes)
    .where(isAvailable(services.clock.now()))
    .groupBy(['location_code', 'unit_type_id'])
    .execute()
  for (const row of rows) {
    const types = free.get(row.location_code) ?? new Map<number, number>()
    free.set(row.location_code, types.set(row.unit_type_id, Number(row.free)))
  }
  return free
}

/** Returns the number of available units of a type, as the caller's transaction sees it. */
export async function countAvailableUnits(
  tx: Kysely<Tables>,
  unitType: { locationCode: string; unitTypeId: number; now: number },
): Promise<number> {
  const row = await tx
    .selectFrom('units')
    .select((eb) => eb.fn.countAll<number>().as('free'))
    .where('location_code', '=', unitType.locationCode)
    .where('unit_type_id', '=', unitType.unitTypeId)
    .where(isAvailable(unitType.now))
    .executeTakeFirstOrThrow()
  return Number(row.free)
}

/** Value of `held_by` for a unit that awaits the property manager's inspection (spec 2 §9). */
export const AWAITING_INSPECTION = 'move-out'
/** Value of `held_by` for a unit that a staff member took out of service. */
export const OUT_OF_SERVICE = 'office'
/** Value of `held_by` for a unit that was available when it was retired. Each retired unit has a `retired_on`. */
export const RETIRED = 'retired'

/**
 * Returns the condition that a unit is free at `now` or its hold has lapsed. The condition on the status is for the
 * index `units_to_let`.
 */
export const isAvailable = (now: number) => (eb: ExpressionBuilder<Tables, 'units'>) =>
  eb.and([
    eb('status', 'in', [sql.lit<UnitStatus>('free'), sql.lit<UnitStatus>('held')]),
    eb(sql<number>`case when status = 'free' then 0 else held_until end`, '<=', now),
  ])

/** Returns whether a loaded unit is free at `now` or its hold has lapsed. */
export const isFree = (unit: { status: UnitStatus; held_until: number | null }, now: number) =>
  unit.status === 'free' || (unit.status === 'held' && unit.held_until !== null && unit.held_until <= now)
