import type { MapUnit } from '../../modules/facilities/map.ts'
import { middleOf } from '../../modules/facilities/rules/nearest-unit.ts'
import type { UnitToChoose } from '../../modules/facilities/units-to-choose.ts'
import { drawnUnit, floorAt, oblongOf } from '../floor-plan/floor-plan.ts'
import { doorOf, feetTo, type Point, wayBetween } from '../floor-plan/map-route.ts'
import { type Floor, floorPicture } from '../ui/floor-picture.ts'
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
  chosen: UnitToChoose | null
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

/** Feet that the frame of a phone shows at once, and a unit at its edge is still seen whole. */
const PHONE = { wide: 56, high: 72 }

/** The middle of as many as a phone shows at once, first come first. */
function middleOfFirst(points: readonly Point[]): Point | null {
  const [first] = points
  if (!first) return null
  let [left, top, right, bottom] = [first.x, first.y, first.x, first.y]
  for (const { x, y } of points) {
    const grown = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)] as const
    if (grown[2] - grown[0] <= PHONE.wide && grown[3] - grown[1] <= PHONE.high) [left, top, right, bottom] = grown
  }
  return { x: (left + right) / 2, y: (top + bottom) / 2 }
}

/** The free units of a type on one floor, nearest first, as a list and as a picture in which each is a link. */
export function freeOnFloor(plan: readonly MapUnit[], free: readonly UnitToChoose[], asked: Asked) {
  const { locationCode, unitTypeId, driveUp, floor, chosen } = asked
  const { here, things, thing, start, barriers } = floorAt(plan, floor)
  const onPlan = new Map(here.map((one) => [one.unit_id, one]))
  const units = free.filter((unit) => unit.floor === floor)
  const placed = units.flatMap((unit) => onPlan.get(unit.unitId) ?? [])
  const doors = placed.map((one) => doorOf(oblongOf(one)))
  const from = start && middleOf(oblongOf(start))
  const walks = from ? feetTo(from, doors, barriers.map(oblongOf)) : []
  const feet = new Map(placed.map((one, at) => [one.unit_id, walks[at] ?? null]))
  const way = wayIn(driveUp, floor === Math.min(...plan.map((one) => one.floor_no)), thing)
  const listed = units
    .toSorted(
      (a, b) =>
        (feet.get(a.unitId) ?? Infinity) - (feet.get(b.unitId) ?? Infinity) ||
        a.number.localeCompare(b.number, 'en-US', { numeric: true }),
    )
    .map(({ unitId, number }): ListedUnit => {
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
  const links = new Map(listed.map((unit) => [unit.unitId, unit.href]))
  const drawn: Floor = {
    units: here.map((one) => {
      const href = links.get(one.unit_id)
      const unit = drawnUnit(one)
      return href === undefined ? { ...unit, quiet: true } : { ...unit, href, kind: 'free' }
    }),
    fixtures: things.map((one) => ({ name: one.category_name, ...oblongOf(one) })),
    way: walked.map(({ x, y }) => [x, y]),
  }
  const seen = chosen && onPlan.has(chosen.unitId) ? [chosen.unitId] : listed.map((unit) => unit.unitId)
  const aim = middleOfFirst(seen.flatMap((id) => onPlan.get(id) ?? []).map((one) => middleOf(oblongOf(one))))
  return { listed, picture: aim && { ...floorPicture(drawn, new Set(chosen ? [chosen.number] : [])), aim } }
}
