import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nearestUnit, type UnitPlace } from './nearest-unit-to-another-unit.ts'

const place = fc.record({
  unitId: fc.integer({ min: 1, max: 60 }),
  number: fc.string({ maxLength: 4 }),
  floor: fc.integer({ min: -1, max: 5 }),
  middle: fc.option(fc.record({ x: fc.integer({ min: 0, max: 300 }), y: fc.integer({ min: 0, max: 300 }) })),
})
const feet = (a: UnitPlace, b: UnitPlace) =>
  a.middle && b.middle ? Math.hypot(a.middle.x - b.middle.x, a.middle.y - b.middle.y) : Infinity

it('the nearest unit is another unit, on the nearest possible floor, and the nearest of that floor on the plan', () => {
  fc.assert(
    fc.property(place, fc.uniqueArray(place, { maxLength: 30, selector: ({ unitId }) => unitId }), (from, units) => {
      const others = units.filter((unit) => unit.unitId !== from.unitId)
      const nearest = nearestUnit(from, units)
      expect(nearest === null).toBe(others.length === 0)
      if (!nearest) return
      expect(others).toContain(nearest)
      const floors = Math.abs(nearest.floor - from.floor)
      for (const other of others) {
        expect(Math.abs(other.floor - from.floor)).toBeGreaterThanOrEqual(floors)
        if (Math.abs(other.floor - from.floor) === floors)
          expect(feet(from, other)).toBeGreaterThanOrEqual(feet(from, nearest))
      }
      expect(nearestUnit(from, units.toReversed())).toEqual(nearest)
    }),
  )
})
