import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { doorOf, findRoute, isInside, type Oblong, walkingDistances } from './walking-route.ts'

const box = (left: number, top: number, length: number, width: number, rotate = 0): Oblong => ({
  left,
  top,
  length,
  width,
  rotate,
})

/** Yields points about a foot apart along a way. */
function* steps(way: { x: number; y: number }[]) {
  for (let index = 1; index < way.length; index += 1) {
    const a = way[index - 1]!
    const b = way[index]!
    const feet = Math.max(1, Math.ceil(Math.hypot(b.x - a.x, b.y - a.y)))
    for (let foot = 0; foot <= feet; foot += 1)
      yield { x: a.x + ((b.x - a.x) * foot) / feet, y: a.y + ((b.y - a.y) * foot) / feet }
  }
}

describe('the way between two points of a floor', () => {
  test('follows the corridor between two rows', () => {
    const rows = [...Array(10).keys()].flatMap((index) => [
      box(20 + index * 10, 20, 10, 10, 180),
      box(20 + index * 10, 36, 10, 10),
    ])
    const way = findRoute({ x: 5, y: 33 }, { x: 100, y: 33 }, rows)
    expect(way.length).toBeGreaterThanOrEqual(2)
    expect(way.length).toBeLessThanOrEqual(4)
    for (const point of steps(way)) expect(rows.some((row) => isInside(row, point))).toBe(false)
  })

  test('goes around obstacles', () => {
    const wall = box(30, 0, 6, 60)
    const way = findRoute({ x: 10, y: 30 }, { x: 60, y: 30 }, [wall])
    expect(way.length).toBeGreaterThan(2)
    for (const point of [...steps(way)].slice(3)) expect(isInside(wall, point)).toBe(false)
  })

  test('returns the walking distance and no route to an enclosed unit', () => {
    const wall = box(30, 0, 6, 60)
    const [near, behind, closed] = walkingDistances(
      { x: 10, y: 30 },
      [
        { x: 10, y: 40 },
        { x: 60, y: 30 },
        { x: 130, y: 30 },
      ],
      [wall, box(100, 0, 60, 9), box(100, 51, 60, 9), box(100, 0, 9, 60), box(151, 0, 9, 60)],
    )
    expect(near).toBeGreaterThan(6)
    expect(near).toBeLessThan(14)
    expect(behind).toBeGreaterThan(90)
    expect(behind).toBeLessThan(130)
    expect(closed).toBeNull()
    expect(walkingDistances({ x: 0, y: 0 }, [], [])).toEqual([])
  })

  test('returns no route where everything is closed', () => {
    const ring = [box(0, 0, 60, 9), box(0, 51, 60, 9), box(0, 0, 9, 60), box(51, 0, 9, 60)]
    expect(findRoute({ x: -30, y: 30 }, { x: 30, y: 30 }, ring)).toEqual([])
  })

  test('begins at its start and has finite points on any floor', () => {
    const oblong = fc.record({
      left: fc.integer({ min: -200, max: 400 }),
      top: fc.integer({ min: -200, max: 400 }),
      length: fc.integer({ min: 0, max: 60 }),
      width: fc.integer({ min: 0, max: 60 }),
      rotate: fc.integer({ min: -720, max: 720 }),
    })
    fc.assert(
      fc.property(fc.array(oblong, { maxLength: 40 }), (boxes) => {
        const way = findRoute({ x: 0, y: 0 }, { x: 200, y: 150 }, boxes)
        if (way.length > 0) expect(way[0]).toEqual({ x: 0, y: 0 })
        expect(way.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  test('finds a route on a huge floor, and none from a point without coordinates', () => {
    expect(findRoute({ x: 0, y: 0 }, { x: 1e6, y: 1e6 }, []).length).toBeGreaterThan(1)
    expect(findRoute({ x: Number.NaN, y: 0 }, { x: 1, y: 1 }, [])).toEqual([])
  })
})

test.each([
  [0, { x: 15, y: 21.5 }],
  [180, { x: 15, y: 8.5 }],
  [90, { x: 8.5, y: 15 }],
])('places the door of a unit turned by %i degrees', (rotate, door) => {
  const point = doorOf(box(10, 10, 10, 10, rotate))
  expect(point.x).toBeCloseTo(door.x)
  expect(point.y).toBeCloseTo(door.y)
})
