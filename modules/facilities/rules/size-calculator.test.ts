import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  boxCounts,
  itemsCubicFeet,
  largeItems,
  parseStoredItems,
  recommendSize,
  rooms,
  type StoredItems,
  usableCubicFeet,
} from './size-calculator.ts'
import { storageSizes } from './size-guide-sizes.ts'

const names = [...Object.keys(rooms), ...Object.keys(largeItems)] as (keyof StoredItems)[]
const stored = fc.record(
  {
    ...Object.fromEntries(names.map((name) => [name, fc.integer({ min: 0, max: 6 })])),
    boxes: fc.constantFrom(...boxCounts),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<StoredItems>

const area = ({ width, depth }: { width: number; depth: number }) => width * depth
const totalArea = (items: StoredItems) => {
  const recommendation = recommendSize(items, storageSizes)
  return recommendation ? recommendation.besides * usableCubicFeet(storageSizes.at(-1)!) + area(recommendation.size) : 0
}

describe('The recommended unit size', () => {
  it.each<[string, StoredItems, string]>([
    ['25 boxes', { boxes: 25 }, '5 × 5'],
    ['one room', { bedroom: 1 }, '5 × 10'],
    ['two rooms', { bedroom: 1, living: 1 }, '5 × 15'],
    ['a one-bedroom home', { bedroom: 1, living: 1, kitchen: 1 }, '10 × 10'],
    ['a two-bedroom home', { bedroom: 2, living: 1, kitchen: 1 }, '10 × 15'],
    ['a three-bedroom home', { bedroom: 3, living: 1, kitchen: 1, dining: 1 }, '10 × 20'],
    ['a car', { car: 1 }, '10 × 20'],
    ['a piano', { piano: 1 }, '5 × 10'],
    ['a motorcycle', { motorcycle: 1 }, '5 × 10'],
    ['a house with a yard', { bedroom: 3, living: 1, kitchen: 1, dining: 1, garage: 1, patio: 1 }, '10 × 25'],
    ['a house with its garage', { bedroom: 4, living: 1, kitchen: 1, dining: 1, garage: 1, patio: 1 }, '10 × 30'],
  ])('of %s is the one that the guide names', (_, items, size) => {
    const recommendation = recommendSize(items, storageSizes)
    expect(`${recommendation?.size.width} × ${recommendation?.size.depth}`).toBe(size)
    expect(recommendation?.besides).toBe(0)
  })

  it('holds all chosen items with room to walk, and the next smaller size does not', () => {
    fc.assert(
      fc.property(stored, (items) => {
        const recommendation = recommendSize(items, storageSizes)
        expect(recommendation === null).toBe(itemsCubicFeet(items) === 0)
        if (!recommendation) return
        const full = recommendation.besides * usableCubicFeet(storageSizes.at(-1)!)
        expect(full + usableCubicFeet(recommendation.size)).toBeGreaterThanOrEqual(recommendation.cubicFeet)
        expect(full).toBeLessThan(recommendation.cubicFeet)
        const { smaller } = recommendation
        if (!smaller) return
        expect(area(smaller.size)).toBeLessThan(area(recommendation.size))
        const needsFloor = (items.car ?? 0) + (items.motorcycle ?? 0) + (items.piano ?? 0) > 0
        if (!needsFloor) expect(full + usableCubicFeet(smaller.size)).toBeLessThan(recommendation.cubicFeet)
      }),
    )
  })

  it('never gets smaller when an item is added', () => {
    fc.assert(
      fc.property(stored, fc.constantFrom(...names), (items, name) => {
        expect(totalArea({ ...items, [name]: (items[name] ?? 0) + 1 })).toBeGreaterThanOrEqual(totalArea(items))
      }),
    )
  })

  it('reads chosen items from the query string, and ignores everything else', () => {
    expect(parseStoredItems(new URLSearchParams('bedroom=2&car=9&boxes=25&sofa=0'))).toEqual({
      bedroom: 2,
      car: 6,
      boxes: 25,
    })
    for (const bad of ['-1', '1.5', '1e9', 'x', '10', ' 1', '<b>', ''])
      expect(parseStoredItems(new URLSearchParams({ bedroom: bad, boxes: bad === '10' ? '11' : bad })), bad).toEqual({})
  })
})
