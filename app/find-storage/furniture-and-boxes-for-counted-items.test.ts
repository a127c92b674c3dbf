import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  boxCounts,
  itemNames,
  recommendSize,
  type SizeRecommendation,
  type StoredItems,
} from '../../modules/facilities/rules/size-calculator.ts'
import { storageSizes } from '../../modules/facilities/rules/size-guide-sizes.ts'
import { describeContents, describeOmitted } from '../ui/unit-drawing/unit-contents.ts'
import { contentsToDraw } from './furniture-and-boxes-for-counted-items.ts'

/** Returns the count of a thing in a description: 'a sofa (2), a fridge, and 14 boxes' has two sofas. */
function countOf(text: string, thing: string): number {
  const [match, count] = new RegExp(`\\b${thing}(?: \\((\\d+)\\))?(?=,| and|$)`).exec(text) ?? []
  return match ? Number(count ?? 1) : 0
}
const boxes = (text: string) => Number(/(\d+) box/.exec(text)?.[1] ?? 0)

/** Number of pieces that must be drawn or named as not drawn, by kind of furniture. */
const pieces: [RegExp, (stored: StoredItems) => number][] = [
  [/bed/, ({ bedroom = 0, bed = 0 }) => bedroom + bed],
  [/dresser/, ({ bedroom = 0, dresser = 0 }) => bedroom + dresser],
  [/sofa/, ({ living = 0, sofa = 0 }) => living + sofa],
  [/fridge/, ({ kitchen = 0, fridge = 0 }) => kitchen + fridge],
  [/table/, ({ dining = 0, study = 0, patio = 0, table = 0 }) => dining + study + patio + table],
  [/washer/, ({ washer = 0 }) => washer],
  [/piano/, ({ piano = 0 }) => piano],
  [/motorcycle/, ({ motorcycle = 0 }) => motorcycle],
  [/car/, ({ car = 0 }) => car],
]
const words: Record<string, string[]> = { bed: ['a queen bed', 'a mattress'] }

const describeDrawing = (stored: StoredItems, { size, rest }: SizeRecommendation<(typeof storageSizes)[number]>) => {
  const contents = contentsToDraw(stored, rest)
  return [
    describeContents(size.width, size.depth, null, contents),
    describeOmitted(size.width, size.depth, contents),
  ] as const
}

test('draws every chosen item or names it as not drawn, in 5,000 random inventories', () => {
  const inventory = fc.record(
    {
      ...Object.fromEntries(itemNames.map((name) => [name, fc.integer({ min: 0, max: 6 })])),
      boxes: fc.constantFrom(...boxCounts),
    },
    { requiredKeys: [] },
  )
  let drawings = 0
  fc.assert(
    fc.property(inventory, (counts) => {
      const stored = counts as StoredItems
      const recommendation = recommendSize(stored, storageSizes)
      if (!recommendation) return
      drawings += 1
      const texts = describeDrawing(stored, recommendation)
      for (const [thing, chosen] of pieces) {
        const names = words[thing.source] ?? [`a ${thing.source}`]
        const count = texts.flatMap((text) => names.map((name) => countOf(text, name))).reduce((a, b) => a + b, 0)
        expect(count, `${thing.source} of ${texts.join(' | ')}`).toBe(chosen(stored))
      }
      const cartons = texts.reduce((sum, text) => sum + boxes(text), 0)
      expect(cartons).toBeGreaterThanOrEqual(Math.max(stored.boxes ?? 0, stored.garage ?? 0))
    }),
    { numRuns: 5_000 },
  )
  expect(drawings).toBeGreaterThan(4_500)
})

test('draws two beds for two bedrooms', () => {
  for (const stored of [{ bedroom: 2 }, { bedroom: 2, living: 1, kitchen: 1 }] as StoredItems[]) {
    const recommendation = recommendSize(stored, storageSizes)
    if (!recommendation) throw new Error('Nothing is stored')
    const [contents] = describeDrawing(stored, recommendation)
    expect(countOf(contents, 'a queen bed') + countOf(contents, 'a mattress'), contents).toBe(2)
  }
})

test('lists the contents with a comma before “and”', () => {
  expect(describeContents(10, 10, null, contentsToDraw({ sofa: 2, fridge: 1, boxes: 10 }, 0))).toBe(
    'a fridge, a sofa, and 10 boxes',
  )
})
