import { largestTowns } from '../../../ports/geocoder/load-gazetteer.ts'
import { BORDERS } from '../../ui/state-outlines/state-borders.ts'
import { edgesOf, MAP_HEIGHT, MAP_WIDTH, type MapView } from './map-view.ts'

interface Ring {
  south: number
  north: number
  west: number
  east: number
  /** Longitudes and latitudes in turn, in degrees. */
  points: Float64Array
}

/** Outlines of states as polygon rings, by state code. They are parsed when a map first shows the state. */
const known = new Map<string, Ring[]>()

function ringsOf(code: string): Ring[] {
  const before = known.get(code)
  if (before) return before
  const rings = (BORDERS[code] ?? '').split('z').map((text): Ring => {
    const points = Float64Array.from(text.split(' '), Number)
    const ring = { points, south: 90, north: -90, west: 180, east: -180 }
    for (let index = 0; index < points.length; index += 2) {
      if (index > 0) for (const part of [0, 1]) points[index + part] = points[index + part]! + points[index + part - 2]!
    }
    for (let index = 0; index < points.length; index += 2) {
      const lng = points[index]! / 1000
      const lat = points[index + 1]! / 1000
      points[index] = lng
      points[index + 1] = lat
      ring.west = Math.min(ring.west, lng)
      ring.east = Math.max(ring.east, lng)
      ring.south = Math.min(ring.south, lat)
      ring.north = Math.max(ring.north, lat)
    }
    return ring
  })
  known.set(code, rings)
  return rings
}

type Pair = readonly [x: number, y: number]

/** Clips a ring at a line, by Sutherland and Hodgman. @param inside distance of a point from the line, positive on the kept side */
function clipped(ring: readonly Pair[], inside: (point: Pair) => number): readonly Pair[] {
  if (ring.every((point) => inside(point) >= 0)) return ring
  const kept: Pair[] = []
  let before = ring.at(-1) as Pair
  for (const point of ring) {
    const [a, b] = [inside(before), inside(point)]
    if (a < 0 !== b < 0) {
      const share = a / (a - b)
      kept.push([before[0] + (point[0] - before[0]) * share, before[1] + (point[1] - before[1]) * share])
    }
    if (b >= 0) kept.push(point)
    before = point
  }
  return kept
}

/** Margin beyond the picture's edges at which rings are clipped, so that no border is drawn along an edge. */
const OVER = 3
const sides = [
  ([x]: Pair) => x + OVER,
  ([x]: Pair) => MAP_WIDTH + OVER - x,
  ([, y]: Pair) => y + OVER,
  ([, y]: Pair) => MAP_HEIGHT + OVER - y,
]
/**
 * Minimum distance between points of an outline, and minimum size of an island, in units of the map picture; smaller
 * ones are left out.
 */
const FINE = 0.8
const SPECK = 1.5

/**
 * Returns the points of a state's outline in the picture's units, without points too close to the previous one to be
 * visible.
 */
function thinned({ points }: Ring, { x0, perLng, y0, perLat }: MapView): Pair[] {
  const pairs: Pair[] = []
  let [x, y] = [Number.NEGATIVE_INFINITY, 0]
  for (let index = 0; index < points.length; index += 2) {
    const [nextX, nextY] = [x0 + points[index]! * perLng, y0 - points[index + 1]! * perLat]
    if (Math.abs(nextX - x) + Math.abs(nextY - y) < FINE) continue
    x = nextX
    y = nextY
    pairs.push([x, y])
  }
  return pairs
}

/**
 * Returns a polygon ring as relative SVG path data in tenths of the picture's units; '' if it is outside of the picture
 * or too small to see.
 */
function pathOf(ring: Ring, view: MapView): string {
  const { west, east, south, north } = ring
  if ((east - west) * view.perLng < SPECK && (north - south) * view.perLat < SPECK) return ''
  const seen = sides.reduce<readonly Pair[]>(clipped, thinned(ring, view))
  if (seen.length < 3) return ''
  let path = ''
  let [fromX, fromY] = [0, 0]
  for (const [index, point] of seen.entries()) {
    const [toX, toY] = [Math.round(point[0] * 10), Math.round(point[1] * 10)]
    const [stepX, stepY] = [toX - fromX, toY - fromY]
    path += `${index === 0 ? 'M' : index === 1 ? 'l' : stepX < 0 ? '' : ' '}${stepX}${stepY < 0 ? '' : ' '}${stepY}`
    fromX = toX
    fromY = toY
  }
  return `${path}z`
}

export interface Background {
  /** Visible states; `d` is path data in tenths of the picture's units. */
  lands: { code: string; d: string }[]
  /** Towns in the picture, the most populous first. */
  towns: { name: string; lat: number; lng: number }[]
}

/** Cached backgrounds by view, since the map of a state or city is always the same. */
const drawn = new Map<string, Background>()
const MOST_DRAWN = 200
const MOST_TOWNS = 30

/**
 * Returns what a map shows besides facilities: the outlines of states and the largest towns in view. Cached by view.
 */
export function backgroundOf(view: MapView): Background {
  const key = [view.x0, view.perLng, view.y0, view.perLat].join()
  const before = drawn.get(key)
  if (before) return before
  const edges = edgesOf(view)
  const isSeen = (ring: Ring) =>
    ring.west <= edges.east && ring.east >= edges.west && ring.south <= edges.north && ring.north >= edges.south
  const lands = Object.keys(BORDERS).flatMap((code) => {
    const rings = ringsOf(code).filter(isSeen)
    const d = rings.map((ring) => pathOf(ring, view)).join('')
    return d === '' ? [] : [{ code, d }]
  })
  const made = { lands, towns: largestTowns(edges, MOST_TOWNS) }
  if (drawn.size >= MOST_DRAWN) drawn.clear()
  drawn.set(key, made)
  return made
}
