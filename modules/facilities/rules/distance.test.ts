import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bearing, boundingBox, distanceMiles, nearest } from './distance.ts'

const atlanta = { lat: 33.7722, lng: -84.3654 }
const savannah = { lat: 32.0809, lng: -81.0912 }

test('computes distances in miles', () => {
  expect(distanceMiles(atlanta, atlanta)).toBe(0)
  const degree = (7917.6 * Math.PI) / 360
  expect(distanceMiles(atlanta, { ...atlanta, lat: atlanta.lat + 1 })).toBeCloseTo(degree, 6)
  expect(distanceMiles({ lat: 60, lng: 0 }, { lat: 60, lng: 0.01 })).toBeCloseTo((degree / 2) * 0.01, 6)
  expect(distanceMiles(atlanta, savannah)).toBe(distanceMiles(savannah, atlanta))
  expect(distanceMiles({ lat: 0, lng: 0 }, { lat: 0, lng: 180 })).toBeCloseTo((7917.6 * Math.PI) / 2, 5)
})

test('names directions by eight compass points', () => {
  expect(bearing(atlanta, savannah)).toBe('south-east')
  expect(bearing(savannah, atlanta)).toBe('north-west')
  // A degree of longitude is half as long at 60° north.
  expect(bearing({ lat: 60, lng: 0 }, { lat: 60.1, lng: 0.2 })).toBe('north-east')
  expect(bearing({ lat: 60, lng: 0 }, { lat: 59, lng: 0.1 })).toBe('south')
})

test('returns up to two facilities within ten miles, nearest first', () => {
  const at = (name: string, north: number) => ({ name, lat: atlanta.lat + north, lng: atlanta.lng })
  const places = [at('far', 0.2), at('third', 0.14), at('first', 0.01), at('second', -0.05)]
  expect(nearest(atlanta, places).map((place) => place.name)).toEqual(['first', 'second'])
  expect(nearest(atlanta, [at('far', 0.2)])).toEqual([])
})

test('computes a box that contains every place within the radius', () => {
  const lat = fc.double({ min: 18, max: 72, noNaN: true })
  const offset = fc.double({ min: -1, max: 1, noNaN: true })
  fc.assert(
    fc.property(lat, fc.double({ min: -165, max: -66, noNaN: true }), offset, offset, (north, east, up, right) => {
      const center = { lat: north, lng: east }
      const place = { lat: north + up, lng: east + right }
      fc.pre(distanceMiles(center, place) <= 10)
      const box = boundingBox(center, 10)
      expect(place.lat >= box.south && place.lat <= box.north && place.lng >= box.west && place.lng <= box.east).toBe(
        true,
      )
    }),
  )
  const box = boundingBox(atlanta, 10)
  expect(distanceMiles(atlanta, { lat: box.north, lng: atlanta.lng })).toBeCloseTo(10, 4)
  expect(boundingBox({ lat: 89.99, lng: 0 }, 10)).toMatchObject({ north: 90, west: -180, east: 180 })
})
