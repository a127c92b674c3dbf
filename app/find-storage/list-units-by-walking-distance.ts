import { compareUnitNumbers } from '../../domain/unit-number-order.ts'
import type { MapUnit } from '../../modules/facilities/rules/floor-map-wire-format.ts'
import { type UnitToChoose, unitCenter } from '../../modules/facilities/rules/nearest-unit-to-another-unit.ts'
import { drawnUnit, floorAt, groundFloorOf, oblongOf } from '../floor-plan/floor-plan-with-way-to-unit.ts'
import { formatFeet } from '../floor-plan/walking-directions.ts'
import { doorOf, findRoute, walkingDistances } from '../floor-plan/walking-route.ts'
import { stillPlan } from '../ui/still-floor-plan.ts'
import { choosePath } from './choose-unit-page-path.ts'

export interface ListedUnit {
  unitId: number
  number: string
  /** 'Drive up to the door', 'Up by elevator'; '' if unknown. */
  way: string
  /** '60 ft from the gate', or from another fixture where the way starts; '' if the distance is unknown. */
  far: string
  href: string
  chosen: boolean
}

interface ListOptions {
  locationCode: string
  unitTypeId: number
  driveUp: boolean
  floor: number
  /** Unit that the visitor chose; null preselects the nearest one. */
  chosen: UnitToChoose | null
  /** Frames the chosen unit and the way to it in place of the whole floor. */
  near: boolean
}

/**
 * Describes how a renter reaches the units: by car or on foot, or to another floor by an elevator or stairs on the
 * plan; '' if unknown.
 */
function describeAccess(
  driveUp: boolean,
  { floor, groundFloor }: { floor: number; groundFloor: number },
  findFixture: (kind: RegExp) => MapUnit | undefined,
): string {
  if (driveUp) return 'Drive up to the door'
  if (floor === groundFloor) return 'Walk in'
  const direction = floor > groundFloor ? 'Up' : 'Down'
  if (findFixture(/^elevator$/i)) return `${direction} by elevator`
  return findFixture(/^stairs$/i) ? `${direction} by stairs` : ''
}

/**
 * Lists the free units of a type on one floor, nearest first, and draws the floor with a link on each of them; without
 * a picture if none of them is on the plan.
 */
export function listFreeUnitsOnFloor(plan: readonly MapUnit[], free: readonly UnitToChoose[], options: ListOptions) {
  const { locationCode, unitTypeId, driveUp, floor, near } = options
  const { units: planUnits, fixtures, findFixture, start, barriers } = floorAt(plan, floor)
  const planUnitById = new Map(planUnits.map((unit) => [unit.unit_id, unit]))
  const units = free.filter((unit) => unit.floor === floor)
  const unitsOnPlan = units.flatMap((unit) => planUnitById.get(unit.unitId) ?? [])
  const doors = unitsOnPlan.map((unit) => doorOf(oblongOf(unit)))
  const from = start && unitCenter(oblongOf(start))
  const distances = from ? walkingDistances(from, doors, barriers.map(oblongOf)) : []
  const feet = new Map(unitsOnPlan.map((unit, index) => [unit.unit_id, distances[index] ?? null]))
  const way = describeAccess(driveUp, { floor, groundFloor: groundFloorOf(plan) }, findFixture)
  const nearestFirst = units.toSorted(
    (a, b) =>
      (feet.get(a.unitId) ?? Infinity) - (feet.get(b.unitId) ?? Infinity) || compareUnitNumbers(a.number, b.number),
  )
  const chosen = options.chosen ?? nearestFirst[0] ?? null
  const listed = nearestFirst.map(({ unitId, number }): ListedUnit => {
    const distance = feet.get(unitId)
    return {
      unitId,
      number,
      way,
      far:
        typeof distance === 'number' && start
          ? `${formatFeet(distance)} from the ${start.category_name.toLowerCase()}`
          : '',
      href: `${choosePath(locationCode, unitTypeId, unitId)}#chosen`,
      chosen: unitId === chosen?.unitId,
    }
  })
  const target = chosen && planUnitById.get(chosen.unitId)
  const route = target && from ? findRoute(from, doorOf(oblongOf(target)), barriers.map(oblongOf)) : []
  const links = new Map(listed.map(({ unitId }) => [unitId, `${choosePath(locationCode, unitTypeId, unitId)}#units`]))
  const picture =
    unitsOnPlan.length > 0 &&
    stillPlan(
      {
        units: planUnits.map((unit) => {
          const href = links.get(unit.unit_id)
          return href === undefined ? drawnUnit(unit) : { ...drawnUnit(unit), href }
        }),
        fixtures: fixtures.map((fixture) => ({ name: fixture.category_name, ...oblongOf(fixture) })),
        way: route.map(({ x, y }) => [x, y]),
      },
      target ? chosen.number : null,
      near,
    )
  return {
    listed,
    chosen: chosen && { unitId: chosen.unitId, number: chosen.number },
    /** Fixture from which distances are measured, such as 'gate'; '' if the plan has none or none of the free units. */
    from: feet.size > 0 && start ? start.category_name.toLowerCase() : '',
    picture: picture || null,
  }
}
