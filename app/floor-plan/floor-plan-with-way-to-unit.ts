import type { MapUnit } from '../../modules/facilities/rules/floor-map-wire-format.ts'
import { unitCenter } from '../../modules/facilities/rules/nearest-unit-to-another-unit.ts'
import { loadCachedUnitsOnMap } from '../../modules/facilities/views/units-on-location-map.ts'
import type { RequestContext } from '../request/context.ts'
import { type Floor, serializeFloor } from '../ui/floor-plan-svg.ts'
import { describeWalkingPath } from './walking-directions.ts'
import { doorOf, findRoute, type Oblong } from './walking-route.ts'

export type FloorPlan = NonNullable<Awaited<ReturnType<typeof loadFloorPlan>>>

/** Matches the categories of units that are outdoors. */
const outdoorCategory = /parking/i
/** Matches the categories of fixtures that a person can walk through. */
const passableFixture = /^(gate|entrance|exit|door|driveway)$/i
/** Fixtures where a person enters the facility, best first. */
const groundEntries = [/^gate$/i, /^entrance$/i]
/** Fixtures where a person enters a floor, best first: gate or entrance, and on other floors elevator or stairs. */
const entryFixtures = [...groundEntries, /^elevator$/i, /^stairs$/i]

export const oblongOf = (unit: MapUnit): Oblong => ({
  left: unit.left_coordinate,
  top: unit.top_coordinate,
  length: unit.length,
  width: unit.width,
  rotate: unit.rotate + unit.system_rotation,
})

export const drawnUnit = (unit: MapUnit) => ({
  unit_no: unit.unit_no,
  ...oblongOf(unit),
  ...(outdoorCategory.test(unit.category_name) && { outside: true }),
})

/**
 * Splits a facility's map of one floor into units and fixtures.
 * @returns `start` the fixture where a person enters the floor; `barriers` the units and fixtures to walk around
 */
export function floorAt(plan: readonly MapUnit[], floor: number) {
  const units = plan.filter((unit) => !unit.system && unit.floor_no === floor)
  const fixtures = plan.filter((unit) => unit.system && unit.floor_no === floor)
  const findFixture = (kind: RegExp) => fixtures.find((fixture) => kind.test(fixture.category_name))
  const start = entryFixtures.map(findFixture).find(Boolean)
  const barriers = [
    ...units,
    ...fixtures.filter((fixture) => fixture !== start && !passableFixture.test(fixture.category_name)),
  ]
  return { units, fixtures, findFixture, start, barriers }
}

/**
 * Returns the floor of the gate or entrance; without either, the lowest floor from 0 up, or the lowest of all if every
 * floor is below 0.
 */
export function groundFloorOf(plan: readonly MapUnit[]): number {
  const entry = groundEntries
    .map((kind) => plan.find((unit) => unit.system && kind.test(unit.category_name)))
    .find(Boolean)
  if (entry) return entry.floor_no
  const floors = plan.filter((unit) => !unit.system).map((unit) => unit.floor_no)
  const floorsAboveGround = floors.filter((floor) => floor >= 0)
  return Math.min(...(floorsAboveGround.length > 0 ? floorsAboveGround : floors))
}

/** Finds the way on a floor to the tenant's own unit, or to the elevator or stairs when the unit is on another floor. */
function wayTo(
  { findFixture, start, barriers }: ReturnType<typeof floorAt>,
  ownUnits: readonly MapUnit[],
  floor: number,
  groundFloor: number,
): { way: ReturnType<typeof findRoute>; steps: string[] } {
  if (!start) return { way: [], steps: [] }
  const target = ownUnits.find((unit) => unit.floor_no === floor)
  // Only the gate's floor shows the way to a unit on another floor.
  const elevatorOrStairs =
    target || ownUnits.length === 0 || !findFixture(/^gate$/i)
      ? undefined
      : (findFixture(/^elevator$/i) ?? findFixture(/^stairs$/i))
  const end = target ? doorOf(oblongOf(target)) : elevatorOrStairs && unitCenter(oblongOf(elevatorOrStairs))
  const obstacles = barriers.filter((barrier) => barrier !== elevatorOrStairs)
  const way = end ? findRoute(unitCenter(oblongOf(start)), end, obstacles.map(oblongOf)) : []
  const [firstUnit] = ownUnits
  // Without `target` and `elevatorOrStairs` the way is empty, and the sentence is not used.
  const goal = target
    ? { unit: target.unit_no, at: unitCenter(oblongOf(target)) }
    : `Take the ${elevatorOrStairs?.category_name.toLowerCase()} to floor ${firstUnit?.floor_no}.`
  const steps = describeWalkingPath(way, start.category_name, goal)
  if (target === undefined || steps.length === 0 || floor === groundFloor) return { way, steps }
  return { way, steps: [`Go ${floor > groundFloor ? 'up' : 'down'} to floor ${floor}.`, ...steps] }
}

/**
 * Loads the floor plan with the way to a unit of the tenant, or to the elevator or stairs that lead to its floor.
 * @param ownNumbers the tenant's unit numbers
 * @param chosenFloor floor to show; null, or a floor without units, shows the floor that `first` names
 * @param first `first` shows the lowest floor (spec 2 §4), `mine` the floor of the tenant's unit
 * @returns null without a map, or if the map has no units
 */
export async function loadFloorPlan(
  site: RequestContext,
  locationCode: string,
  ownNumbers: string[],
  chosenFloor: number | null,
  first: 'first' | 'mine' = 'first',
) {
  const map = await loadCachedUnitsOnMap(site.services, locationCode)
  const units = map.filter((unit) => !unit.system)
  const floors = [...new Set(units.map((unit) => unit.floor_no))].sort((a, b) => a - b)
  const [lowest] = floors
  if (lowest === undefined) return null
  const ownUnits = units.filter((unit) => ownNumbers.includes(unit.unit_no))
  const preferred = (first === 'mine' ? ownUnits[0]?.floor_no : undefined) ?? lowest
  const shown = chosenFloor !== null && floors.includes(chosenFloor) ? chosenFloor : preferred
  const plan = floorAt(map, shown)
  const { way, steps } = wayTo(plan, ownUnits, shown, groundFloorOf(map))
  const floor: Floor = {
    units: plan.units.map(drawnUnit),
    fixtures: plan.fixtures.map((fixture) => ({ name: fixture.category_name, ...oblongOf(fixture) })),
    way: way.map(({ x, y }) => [x, y]),
  }
  return {
    floors,
    shown,
    /** Walking directions along the drawn way. */
    steps,
    floor: serializeFloor(floor),
    elsewhere: ownUnits
      .filter((unit) => unit.floor_no !== shown)
      .map((unit) => ({ unit: unit.unit_no, floor: unit.floor_no })),
    /** The tenant's unit numbers that are not on the map. */
    unplaced: ownNumbers.filter((number) => !ownUnits.some((unit) => unit.unit_no === number)),
  }
}
