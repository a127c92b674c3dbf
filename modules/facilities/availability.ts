import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { Services } from '../../platform/operations/services.ts'
import type { UnitStatus } from '../../platform/schema/columns.ts'
import type { Tables } from '../../platform/schema/tables.ts'

/** Units that may be let now, by location code and unit type. Apart from the facts, since they change with every rental. */
export async function freeUnits(
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

/** How many units of a type may be let at this moment, as the caller's transaction sees it. */
export async function unitsAvailable(
  tx: Kysely<Tables>,
  of: { locationCode: string; unitTypeId: number; now: number },
): Promise<number> {
  const row = await tx
    .selectFrom('units')
    .select((eb) => eb.fn.countAll<number>().as('free'))
    .where('location_code', '=', of.locationCode)
    .where('unit_type_id', '=', of.unitTypeId)
    .where(isAvailable(of.now))
    .executeTakeFirstOrThrow()
  return Number(row.free)
}

/** Stands for a reservation's code in a unit that is out of use until the property manager has been there (spec 2 §9). */
export const AWAITING_INSPECTION = 'move-out'
/** The same for a unit that the office has taken out of service. */
export const OUT_OF_SERVICE = 'office'
/** The same for a unit that is let no more. */
export const RETIRED = 'retired'

/**
 * Free at `now`, or its hold has lapsed. Without statistics on the expression PostgreSQL's generic plan costs what a
 * custom one does, so it is kept; the state's own condition is for the index.
 */
export const isAvailable = (now: number) => (eb: ExpressionBuilder<Tables, 'units'>) =>
  eb.and([
    eb('status', 'in', [sql.lit<UnitStatus>('free'), sql.lit<UnitStatus>('held')]),
    eb(sql<number>`case when status = 'free' then 0 else held_until end`, '<=', now),
  ])

/** The same of a unit that has been read. */
export const isFree = (unit: { status: UnitStatus; held_until: number | null }, now: number) =>
  unit.status === 'free' || (unit.status === 'held' && unit.held_until !== null && unit.held_until <= now)
