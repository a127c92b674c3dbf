import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  LABEL_LETTER_PX,
  labelEms,
  labelText,
  MIN_TARGET_PX,
  type PlacedSpot,
  placeLabels,
  placeTownNames,
} from './place-labels.ts'

const size = { width: 288, height: 230.4 }
const spot = (x: number, y: number, number: number | null = 1): PlacedSpot => ({ x, y, number, facilities: 1 })
const position = {
  x: fc.double({ min: 0, max: size.width, noNaN: true }),
  y: fc.double({ min: 0, max: size.height, noNaN: true }),
}
const place = fc.record(position)
const spots = fc.array(
  fc.record({
    ...position,
    number: fc.option(fc.integer({ min: 1, max: 24 })),
    facilities: fc.integer({ min: 1, max: 500 }),
  }),
  { maxLength: 60 },
)

describe('labels of a map', () => {
  test.each([
    [[spot(0, 0, 4)], '4'],
    [[spot(0, 0, 9), spot(0, 0, 2)], '2, 9'],
    [[5, 4, 1, 7, 6].map((number) => spot(0, 0, number)), '1, 4, 5 +2'],
    [[{ ...spot(0, 0, null), facilities: 12 }], '12'],
    [[{ ...spot(0, 0, null), facilities: 1_200 }, spot(0, 0, null)], '1201'],
  ])('show the numbers of their cards, or how many facilities a city has (%#)', (labelSpots, text) => {
    expect(labelText(labelSpots)).toBe(text)
  })

  test.each(['join', 'drop'] as const)(
    'never lie over each other or what was searched for, or leave the picture, however large it is: %s',
    (crowded) => {
      fc.assert(
        fc.property(spots, place, fc.double({ min: 1, max: 2, noNaN: true }), (mapSpots, here, scale) => {
          const placed = placeLabels(mapSpots, { size, crowded, here })
          const boxes = placed.map(({ x, y, text }) => ({
            x: x * scale,
            y: y * scale,
            width: Math.max(MIN_TARGET_PX, labelEms(text) * LABEL_LETTER_PX),
          }))
          for (const [index, a] of boxes.entries()) {
            expect(a.x - a.width / 2).toBeGreaterThanOrEqual(-0.001)
            expect(a.x + a.width / 2).toBeLessThanOrEqual(size.width * scale + 0.001)
            expect(a.y - MIN_TARGET_PX / 2).toBeGreaterThanOrEqual(-0.001)
            expect(a.y + MIN_TARGET_PX / 2).toBeLessThanOrEqual(size.height * scale + 0.001)
            for (const b of boxes.slice(index + 1))
              expect(
                Math.abs(a.x - b.x) >= (a.width + b.width) / 2 - 0.001 || Math.abs(a.y - b.y) >= MIN_TARGET_PX - 0.001,
              ).toBe(true)
          }
          const hides = ({ x, y, text }: (typeof placed)[number]) =>
            Math.abs(x - here.x) * scale < (labelEms(text) * LABEL_LETTER_PX) / 2 &&
            Math.abs(y - here.y) * scale < MIN_TARGET_PX / 2
          expect(placed.filter(hides)).toEqual([])
          const labeledSpots = placed.flatMap((label) => label.spots)
          expect(new Set(labeledSpots).size).toBe(labeledSpots.length)
          if (crowded === 'join') expect(labeledSpots).toHaveLength(mapSpots.length)
        }),
        { numRuns: 60 },
      )
    },
  )

  test('become one label with the numbers of both spots where they are too close', () => {
    const placed = placeLabels([spot(100, 100, 1), spot(110, 104, 2), spot(250, 200, 3)], { size })
    expect(placed.map(({ text, spots }) => [text, spots])).toEqual([
      ['1, 2', [0, 1]],
      ['3', [2]],
    ])
  })

  test('prefer larger cities and omit those that the map cannot hold', () => {
    const large = { ...spot(112, 100, null), facilities: 40 }
    expect(placeLabels([spot(100, 100), large], { size, crowded: 'drop' }).map((label) => label.spots)).toEqual([[1]])
    const many = Array.from({ length: 4_000 }, (_, index) => spot((index * 37) % 288, (index * 91) % 230))
    expect(placeLabels(many, { size: { width: 1_000, height: 800 }, crowded: 'drop' }).length).toBeLessThanOrEqual(24)
  })

  test('are not covered by town names, which also keep clear of each other and of dots', () => {
    const labels = placeLabels([spot(140, 120)], { size })
    const town = (name: string, x: number, y: number) => ({ name, x, y })
    const placed = placeTownNames(
      [town('Decatur', 140, 121), town('Avondale', 60, 60), town('Avon', 62, 62)],
      labels,
      size,
    )
    expect(placed.map(({ name, at }) => [name, at])).toEqual([
      ['Decatur', 131],
      ['Avondale', 51],
    ])
    // A name must not cover a facility's dot either.
    expect(placeTownNames([town('Avondale', 60, 60)], labels, size, [{ x: 70, y: 50 }])).toEqual([])
  })
})
