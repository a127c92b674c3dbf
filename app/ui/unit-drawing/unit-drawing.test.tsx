import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { vehicleForSize } from '../../../modules/facilities/rules/choose-parked-vehicle-to-draw.ts'
import { UnitDrawing } from './unit-drawing.tsx'

function corners(path: string): [number, number][] {
  const points: [number, number][] = []
  let x = 0
  let y = 0
  for (const [, letter, rest = ''] of path.matchAll(/([MLlv])([^MLlvz]*)/g)) {
    const numbers = (rest.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number)
    for (let index = 0; index < numbers.length; index += letter === 'v' ? 1 : 2) {
      const [first = 0, second = 0] = numbers.slice(index)
      if (letter === 'v') y += first
      else if (letter === 'l') [x, y] = [x + first, y + second]
      else [x, y] = [first, second]
      points.push([x, y])
    }
  }
  return points
}

it.each([
  ...['10x30', '12x40', '11x29', '10x20', '8x25', '9x18', '8x16'].flatMap((size) =>
    [false, true].map((covered) => ({ size, parking: { covered } })),
  ),
  ...['3x3', '4x8', '5x5', '5x10', '7x11', '10x10', '10x20', '10x30'].map((size) => ({ size, parking: null })),
])('every point of the drawing of $size ($parking), cartons aside, is within its view box', ({ size, parking }) => {
  const [length = 0, breadth = 0] = size.split('x').map(Number)
  const svg = renderToStaticMarkup(
    <UnitDrawing
      length={length}
      breadth={breadth}
      parked={parking && { ...vehicleForSize(length, breadth), ...parking }}
      label=""
    />,
  )
  const [left = 0, top = 0, wide = 0, high = 0] = (/viewBox="([^"]+)"/.exec(svg)?.[1] ?? '').split(' ').map(Number)
  // Cartons are defined at the origin and placed by `use` elements.
  const drawing = svg.replace(/<defs>.*?<\/defs>/s, '')
  const points = [...drawing.matchAll(/ d="([^"]+)"/g)].flatMap(([, path = '']) => corners(path))
  expect(points.length).toBeGreaterThan(20)
  for (const [x, y] of points) {
    expect(x).toBeGreaterThanOrEqual(left)
    expect(x).toBeLessThanOrEqual(left + wide)
    expect(y).toBeGreaterThanOrEqual(top)
    expect(y).toBeLessThanOrEqual(top + high)
  }
})
