import { describe, expect, it } from 'vitest'
import { facilities } from './facilities.ts'
import { type PlannedUnit, sitePlan } from './site-plan.ts'
import { unitKinds } from './unit-kinds.ts'

const unitsOnMap = (units: PlannedUnit[]) =>
  units.flatMap((unit) =>
    unit.left === null || unit.top === null ? [] : [{ ...unit, left: unit.left, top: unit.top }],
  )

describe('Site plan', () => {
  it('has as many units of each type as the facility lists, each with its own number', () => {
    for (const facility of facilities) {
      const { units } = sitePlan(facility)
      for (const [type, count] of facility.units) {
        expect(units.filter((unit) => unit.type === type).length, `${facility.code} ${type}`).toBe(count)
      }
      expect(new Set(units.map((unit) => unit.number)).size).toBe(units.length)
    }
  })

  it('gives every unit its own area, as large as its type says', () => {
    for (const facility of facilities) {
      const units = unitsOnMap(sitePlan(facility).units)
      for (const unit of units) {
        expect([unit.length, unit.width]).toEqual([unitKinds[unit.type].length, unitKinds[unit.type].breadth])
      }
      const overlapping = units.flatMap((a, index) =>
        units
          .slice(index + 1)
          .filter(
            (b) =>
              a.floor === b.floor &&
              a.left < b.left + b.length &&
              b.left < a.left + a.length &&
              a.top < b.top + b.width &&
              b.top < a.top + a.width,
          )
          .map((b) => `${facility.code} ${a.number} and ${b.number}`),
      )
      expect(overlapping).toEqual([])
    }
  })

  it('places no fixture over a unit, and a gate and a rental center on the first floor', () => {
    for (const facility of facilities.filter((facility) => !facility.noMap)) {
      const { units, fixtures } = sitePlan(facility)
      const onFirst = fixtures.filter((fixture) => fixture.floor === 1).map((fixture) => fixture.category)
      expect(onFirst).toEqual(expect.arrayContaining(['Gate', 'Rental Center']))
      for (const fixture of fixtures) {
        const covered = unitsOnMap(units).filter(
          (unit) =>
            unit.floor === fixture.floor &&
            unit.left < fixture.left + fixture.length &&
            fixture.left < unit.left + unit.length &&
            unit.top < fixture.top + fixture.width &&
            fixture.top < unit.top + unit.width,
        )
        expect(covered, `${facility.code} ${fixture.category}`).toEqual([])
      }
      // The last two units of a facility are not on its map, as after an extension.
      expect(units.length - unitsOnMap(units).length).toBe(2)
    }
  })

  it('numbers units by floor, by row or with a leading zero, as the facility does', () => {
    const numbers = (code: string) =>
      sitePlan(facilities.find((facility) => facility.code === code)!).units.map((unit) => unit.number)
    expect(numbers('ATL01').every((number) => /^[1-4]\d\d$/.test(number))).toBe(true)
    expect(numbers('SAV01').every((number) => /^0\d{3}$/.test(number))).toBe(true)
    expect(numbers('BHM01').every((number) => /^[A-Z]-\d\d$/.test(number))).toBe(true)
  })

  it('places nothing for a facility without a map', () => {
    const plan = sitePlan(facilities.find((facility) => facility.noMap && facility.units.length > 1)!)
    expect(unitsOnMap(plan.units)).toEqual([])
    expect(plan.fixtures).toEqual([])
  })
})
