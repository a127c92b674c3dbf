import { expect, test } from 'vitest'
import { states } from '../../../domain/states.ts'
import { backgroundOf } from './map-background-of-states-and-towns.ts'
import { projectToMap, scaleOf, viewAround, viewOfState } from './map-projection.ts'

const numbersOf = (d: string) => d.match(/-?\d+/g)?.map(Number) ?? []

test('places a facility correctly: Atlanta in the north-west of Georgia', () => {
  const view = viewOfState('ga')
  expect(view).not.toBeNull()
  const { x, y } = projectToMap(view!, { lat: 33.77, lng: -84.37 })
  expect([Math.round(x / 40), Math.round(y / 40)]).toEqual([2, 1])
})

test('draws every state in few characters', () => {
  for (const [code] of states) {
    const { lands } = backgroundOf(viewOfState(code)!)
    expect(lands.map((land) => land.code)).toContain(code)
    expect(lands.reduce((sum, { d }) => sum + d.length, 0)).toBeLessThan(9_000)
  }
})

test('draws a single town with its surrounding towns, the shore and a scale', () => {
  const tampa = { lat: 27.9506, lng: -82.4572 }
  const view = viewAround([tampa])
  expect(projectToMap(view, tampa)).toEqual({ x: 100, y: 80 })
  const { lands, towns } = backgroundOf(view)
  expect(lands.map(({ code }) => code)).toEqual(['FL'])
  // Florida is clipped to the visible part.
  expect(numbersOf(lands[0]!.d).length).toBeLessThan(120)
  expect(towns[0]?.name).toBe('Tampa')
  expect(scaleOf(view)).toMatchObject({ miles: 2 })
})

test('keeps every point well within the map', () => {
  const points = [
    { lat: 33.7, lng: -84.6 },
    { lat: 34.2, lng: -83.9 },
    { lat: 33.9, lng: -84.3 },
  ]
  const view = viewAround(points)
  for (const { x, y } of points.map((point) => projectToMap(view, point))) {
    expect(Math.min(x, 200 - x)).toBeGreaterThan(20)
    expect(Math.min(y, 160 - y)).toBeGreaterThan(20)
  }
})
