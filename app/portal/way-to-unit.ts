import { loadFloorPlan } from '../floor-plan/floor-plan-with-way-to-unit.ts'
import type { RequestContext } from '../request/context.ts'
import { parseFloor } from '../ui/floor-plan-svg.ts'
import { stillPlan } from '../ui/still-floor-plan.ts'

export type WayToUnit = NonNullable<Awaited<ReturnType<typeof loadWayToUnit>>>

/**
 * Loads the way to a unit: a picture of the unit with the way from the gate, entrance, elevator or stairs, and the
 * directions as a text, '' where the unit's floor has none of these.
 * @returns null where the facility has no map, or the map does not show the unit
 */
export async function loadWayToUnit(site: RequestContext, locationCode: string, unitNumber: string) {
  const plan = await loadFloorPlan(site, locationCode, [unitNumber], null, 'mine')
  if (!plan) return null
  const floor = parseFloor(plan.floor)
  if (!floor.units.some((unit) => unit.unit_no === unitNumber)) return null
  return { picture: stillPlan(floor, unitNumber, true), steps: plan.steps.join(' ').replaceAll(' ft', '\u00a0ft') }
}
