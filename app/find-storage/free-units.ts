import type { MapUnit } from '../../modules/facilities/floor-map-wire-format.ts'
import { unitCenter } from '../../modules/facilities/rules/nearest-unit.ts'
import type { UnitToChoose } from '../../modules/facilities/units-to-choose.ts'
import { drawnUnit, floorAt, oblongOf } from '../floor-plan/floor-plan.ts'
import { doorOf, walkingDistances, wayBetween } from '../floor-plan/walking-route.ts'
import { stillPlan } from '../ui/still-floor-plan.ts'
import { choosePath } from './choose-unit-path.ts'

export interface ListedUnit {
  unitId: number
  number: string
  /** 'Drive up to the door', 'Up by elevator'; '' if unknown. */
  way: string
  /** '60 ft from the gate'; '' if the unit or the gate is not on the plan. */
  far: string
  href: string
  chosen: boolean
}

interface Asked {
  locationCode: string
  unitTypeId: number
  driveUp: boolean
  floor: number
  /** Unit that the visitor chose; null preselects the nearest one. */
  chosen: UnitToChoose | null
  /** Frames the chosen unit and the way to it in place of the whole floor. */
  near: boolean
}

/** Formats a walking distance, rounded to 5 ft, and to 10 ft from 100 ft on. */
const inFeet = (feet: number): string => {
  const step = feet < 100 ? 5 : 10
  return `${Math.max(step, Math.round(feet / step) * step)} ft`
}

/** Describes how a renter reaches the units: by car or on foot, or to another floor by an elevator or stairs on the plan. */
function wayIn(driveUp: boolean, ground: boolean, thing: (kind: RegExp) => MapUnit | undefined): string {
  if (driveUp) return 'Drive up to the door'
  if (ground) return 'Walk in'
  if (thing(/^elevator$/i)) return 'Up by elevator'
  return thing(/^stairs$/i) ? 'Up by stairs' : ''
}

/** Lists the free units of a type on one floor, nearest first, and draws the floor with a link on each of them. */
export function listFreeUnitsOnFloor(plan: readonly MapUnit[], free: readonly UnitToChoose[], asked: Asked) {
  const { locationCode, unitTypeId, driveUp, floor, near } = asked
  const { here, things, thing, start, barriers } = floorAt(plan, floor)
  const onPlan = new Map(here.map((one) => [one.unit_id, one]))
  const units = free.filter((unit) => unit.floor === floor)
  const placed = units.flatMap((unit) => onPlan.get(unit.unitId) ?? [])
  const doors = placed.map((unit) => doorOf(oblongOf(unit)))
  const from = start && unitCenter(oblongOf(start))
  const walks = from ? walkingDistances(from, doors, barriers.map(oblongOf)) : []
  const feet = new Map(placed.map((unit, index) => [unit.unit_id, walks[index] ?? null]))
  const way = wayIn(driveUp, floor === Math.min(...plan.map((one) => one.floor_no)), thing)
  const nearestFirst = units.toSorted(
    (a, b) =>
      (feet.get(a.unitId) ?? Infinity) - (feet.get(b.unitId) ?? Infinity) ||
      a.number.localeCompare(b.number, 'en-US', { numeric: true }),
  )
  const chosen = asked.chosen ?? nearestFirst[0] ?? null
  const listed = nearestFirst.map(({ unitId, number }): ListedUnit => {
    const away = feet.get(unitId)
    return {
      unitId,
      number,
      way,
      far: typeof away === 'number' && start ? `${inFeet(away)} from the ${start.category_name.toLowerCase()}` : '',
      href: `${choosePath(locationCode, unitTypeId, unitId)}#chosen`,
      chosen: unitId === chosen?.unitId,
    }
  })
  const target = chosen && onPlan.get(chosen.unitId)
  const walked = target && from ? wayBetween(from, doorOf(oblongOf(target)), barriers.map(oblongOf)) : []
  const links = new Map(listed.map(({ unitId }) => [unitId, `${choosePath(locationCode, unitTypeId, unitId)}#units`]))
  const picture =
    placed.length > 0 &&
    stillPlan(
      {
        units: here.map((unit) => {
          const href = links.get(unit.unit_id)
          return href === undefined ? drawnUnit(unit) : { ...drawnUnit(unit), href }
        }),
        fixtures: things.map((thing) => ({ name: thing.category_name, ...oblongOf(thing) })),
        way: walked.map(({ x, y }) => [x, y]),
      },
      target ? chosen.number : null,
      near,
    )
  return {
    listed,
    chosen: chosen && { unitId: chosen.unitId, number: chosen.number },
    /** Fixture from which distances are measured, such as 'gate'; '' if the plan has none. */
    from: feet.size > 0 && start ? start.category_name.toLowerCase() : '',
    picture: picture || null,
  }
}
