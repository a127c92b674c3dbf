import { compareUnitNumbers } from '../../../domain/unit-number-order.ts'

/** A unit's floor and its place on the facility's plan. */
export interface UnitPlace {
  unitId: number
  number: string
  floor: number
  /** Center on the plan, in feet; null where the plan does not show the unit. */
  middle: { x: number; y: number } | null
}

/** A unit that a visitor can choose on the map, if it is free. */
export interface UnitToChoose extends UnitPlace {
  free: boolean
}

/**
 * Returns the center of a unit on the plan.
 * @param box in feet, before the unit is rotated about its center
 */
export const unitCenter = (box: { left: number; top: number; length: number; width: number }) => ({
  x: box.left + box.length / 2,
  y: box.top + box.width / 2,
})

const distanceFeet = (from: UnitPlace, to: UnitPlace): number =>
  from.middle && to.middle ? Math.hypot(to.middle.x - from.middle.x, to.middle.y - from.middle.y) : Infinity

/**
 * Returns the unit nearest to another: fewest floors away; among these fewest feet away, with units that are not on the
 * plan last; then the lowest unit number. null where there is no other unit.
 */
export function nearestUnit<Unit extends UnitPlace>(from: UnitPlace, units: readonly Unit[]): Unit | null {
  const floorDistance = (unit: Unit) => Math.abs(unit.floor - from.floor)
  // Two units that are not on the plan are equally far; the difference of their infinite distances would be NaN.
  const compareDistance = (a: Unit, b: Unit) =>
    distanceFeet(from, a) === distanceFeet(from, b) ? 0 : distanceFeet(from, a) - distanceFeet(from, b)
  const [first] = units
    .filter((unit) => unit.unitId !== from.unitId)
    .sort(
      (a, b) =>
        floorDistance(a) - floorDistance(b) ||
        compareDistance(a, b) ||
        compareUnitNumbers(a.number, b.number) ||
        a.unitId - b.unitId,
    )
  return first ?? null
}
