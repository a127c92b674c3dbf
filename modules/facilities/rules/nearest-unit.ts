export interface UnitPlace {
  unitId: number
  number: string
  floor: number
  /** Its middle on the plan, feet; null where the plan does not show it. */
  middle: { x: number; y: number } | null
}

/** @param box feet, before it is turned about this point */
export const middleOf = (box: { left: number; top: number; length: number; width: number }) => ({
  x: box.left + box.length / 2,
  y: box.top + box.width / 2,
})

const feet = (from: UnitPlace, to: UnitPlace): number =>
  from.middle && to.middle ? Math.hypot(to.middle.x - from.middle.x, to.middle.y - from.middle.y) : Infinity

const byNumber = new Intl.Collator('en-US', { numeric: true })

/** The one nearest to a unit: fewest floors away, then fewest feet; what the plan does not show comes last. */
export function nearestUnit<Unit extends UnitPlace>(from: UnitPlace, units: readonly Unit[]): Unit | null {
  const storeys = (unit: Unit) => Math.abs(unit.floor - from.floor)
  // Two units without a place are equally far.
  const apart = (a: Unit, b: Unit) => (feet(from, a) === feet(from, b) ? 0 : feet(from, a) - feet(from, b))
  const [first] = units
    .filter((unit) => unit.unitId !== from.unitId)
    .sort(
      (a, b) => storeys(a) - storeys(b) || apart(a, b) || byNumber.compare(a.number, b.number) || a.unitId - b.unitId,
    )
  return first ?? null
}
