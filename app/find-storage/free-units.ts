import type { MapUnit } from '../../modules/facilities/floor-map.ts'
import { unitCenter } from '../../modules/facilities/rules/nearest-unit.ts'
import type { UnitToChoose } from '../../modules/facilities/units-to-choose.ts'
import { drawnUnit, floorAt, oblongOf } from '../floor-plan/floor-plan.ts'
import { doorOf, walkingDistances, wayBetween } from '../floor-plan/map-route.ts'
import { stillPlan } from '../ui/still-floor-plan.ts'
import { choosePath } from './choose-path.ts'

export interface ListedUnit {
  unitId: number
  number: string
  /** 'Drive up to the door', 'Up by elevator'; '' where the plan does not say. */
  way: string
  /** '60 ft from the gate'; '' where the plan does not show it. */
  far: string
  href: string
  chosen: boolean
}

interface Asked {
  locationCode: string
  unitTypeId: number
  driveUp: boolean
  floor: number
  /** The visitor's choice; without one it is the nearest. */
  chosen: UnitToChoose | null
  /** Frames the chosen unit and the way to it in place of the whole floor. */
  near: boolean
}

/** Rounded to what one can pace: 5 ft, from 100 on 10. */
const inFeet = (feet: number): string => {
  const step = feet < 100 ? 5 : 10
  return `${Math.max(step, Math.round(feet / step) * step)} ft`
}

/** One comes onto the ground floor on foot or by car, onto another by what the plan shows there. */
function wayIn(driveUp: boolean, ground: boolean, thing: (kind: RegExp) => MapUnit | undefined): string {
  if (driveUp) return 'Drive up to the door'
  if (ground) return 'Walk in'
  if (thing(/^elevator$/i)) return 'Up by elevator'
  return thing(/^stairs$/i) ? 'Up by stairs' : ''
}

/** The free units of a type on one floor, nearest first, as a list and as a picture in which each is a link. */
export function listFreeUnitsOnFloor(plan: readonly MapUnit[], free: readonly UnitToChoose[], asked: Asked) {
  const { locationCode, unitTypeId, driveUp, floor, near } = asked
  const { here, things, thing, start, barriers } = floorAt(plan, floor)
  const onPlan = new Map(here.map((one) => [one.unit_id, one]))
  const units = free.filter((unit) => unit.floor === floor)
  const placed = units.flatMap((unit) => onPlan.get(unit.unitId) ?? [])
  const doors = placed.map((one) => doorOf(oblongOf(one)))
  const from = start && unitCenter(oblongOf(start))
  const walks = from ? walkingDistances(from, doors, barriers.map(oblongOf)) : []
  const feet = new Map(placed.map((one, at) => [one.unit_id, walks[at] ?? null]))
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
        units: here.map((one) => {
          const href = links.get(one.unit_id)
          return href === undefined ? drawnUnit(one) : { ...drawnUnit(one), href }
        }),
        fixtures: things.map((one) => ({ name: one.category_name, ...oblongOf(one) })),
        way: walked.map(({ x, y }) => [x, y]),
      },
      target ? chosen.number : null,
      near,
    )
  return {
    listed,
    chosen: chosen && { unitId: chosen.unitId, number: chosen.number },
    /** What the distances are measured from, such as 'gate'; '' where the plan has none. */
    from: feet.size > 0 && start ? start.category_name.toLowerCase() : '',
    picture: picture || null,
  }
}
