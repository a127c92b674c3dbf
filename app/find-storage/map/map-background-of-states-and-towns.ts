import { largestTowns } from '../../../ports/geocoder/load-gazetteer.ts'
import { BORDERS } from '../../ui/state-outlines/state-borders.ts'
import { edgesOf, MAP_HEIGHT, MAP_WIDTH, type MapView } from './map-projection.ts'

interface Ring {
  south: number
  north: number
  west: number
  east: number
  /** Longitudes and latitudes in turn, in degrees. */
  points: Float64Array
}

/** Outlines of states as polygon rings, by state code. They are parsed when the first map is drawn. */
const ringsByState = new Map<string, Ring[]>()

function ringsOf(code: string): Ring[] {
  const cached = ringsByState.get(code)
  if (cached) return cached
  const rings = (BORDERS[code] ?? '').split('z').map((text): Ring => {
    const points = Float64Array.from(text.split(' '), Number)
    const ring = { points, south: 90, north: -90, west: 180, east: -180 }
    // Points are stored in thousandths of a degree, each but the first as the step from the previous one.
    for (let index = 0; index < points.length; index += 2) {
      if (index > 0) for (const axis of [0, 1]) points[index + axis] = points[index + axis]! + points[index + axis - 2]!
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
  ringsByState.set(code, rings)
  return rings
}

type Pair = readonly [x: number, y: number]

/**
 * Clips a ring at a line with the Sutherland–Hodgman algorithm.
 * @param distanceInside returns a point's distance from the line, positive on the kept side
 */
function clipRing(ring: readonly Pair[], distanceInside: (point: Pair) => number): readonly Pair[] {
  let previous = ring.at(-1)
  if (!previous || ring.every((point) => distanceInside(point) >= 0)) return ring
  const clippedPoints: Pair[] = []
  for (const point of ring) {
    const a = distanceInside(previous)
    const b = distanceInside(point)
    if (a < 0 !== b < 0) {
      const share = a / (a - b)
      clippedPoints.push([
        previous[0] + (point[0] - previous[0]) * share,
        previous[1] + (point[1] - previous[1]) * share,
      ])
    }
    if (b >= 0) clippedPoints.push(point)
    previous = point
  }
  return clippedPoints
}

/** Margin in picture units beyond the edges at which rings are clipped, so that no border is drawn along an edge. */
const CLIP_MARGIN = 3
const sides = [
  ([x]: Pair) => x + CLIP_MARGIN,
  ([x]: Pair) => MAP_WIDTH + CLIP_MARGIN - x,
  ([, y]: Pair) => y + CLIP_MARGIN,
  ([, y]: Pair) => MAP_HEIGHT + CLIP_MARGIN - y,
]
/** Minimum distance between points of an outline, in units of the map picture; closer points are left out. */
const MIN_POINT_DISTANCE = 0.8
/** Width and height below which an island is left out, in units of the map picture. */
const MIN_ISLAND_SIZE = 1.5

/**
 * Returns the points of a state's outline in the picture's units, without points too close to the previous one to be
 * visible.
 */
function projectRing({ points }: Ring, { x0, perLng, y0, perLat }: MapView): Pair[] {
  const pairs: Pair[] = []
  let x = Number.NEGATIVE_INFINITY
  let y = 0
  for (let index = 0; index < points.length; index += 2) {
    const nextX = x0 + points[index]! * perLng
    const nextY = y0 - points[index + 1]! * perLat
    if (Math.abs(nextX - x) + Math.abs(nextY - y) < MIN_POINT_DISTANCE) continue
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
  if ((east - west) * view.perLng < MIN_ISLAND_SIZE && (north - south) * view.perLat < MIN_ISLAND_SIZE) return ''
  const visible = sides.reduce<readonly Pair[]>(clipRing, projectRing(ring, view))
  if (visible.length < 3) return ''
  let path = ''
  let fromX = 0
  let fromY = 0
  for (const [index, point] of visible.entries()) {
    const toX = Math.round(point[0] * 10)
    const toY = Math.round(point[1] * 10)
    const stepX = toX - fromX
    const stepY = toY - fromY
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

/** Cached backgrounds by view. Emptied when full, since searches have many different views. */
const backgrounds = new Map<string, Background>()
const MAX_BACKGROUNDS = 200
const MAX_TOWNS = 30

/** Returns the background of a map: the outlines of states and the largest towns in view. Cached by view. */
export function backgroundOf(view: MapView): Background {
  const key = [view.x0, view.perLng, view.y0, view.perLat].join()
  const cached = backgrounds.get(key)
  if (cached) return cached
  const edges = edgesOf(view)
  const isInView = (ring: Ring) =>
    ring.west <= edges.east && ring.east >= edges.west && ring.south <= edges.north && ring.north >= edges.south
  const lands = Object.keys(BORDERS).flatMap((code) => {
    const rings = ringsOf(code).filter(isInView)
    const d = rings.map((ring) => pathOf(ring, view)).join('')
    return d === '' ? [] : [{ code, d }]
  })
  const background = { lands, towns: largestTowns(edges, MAX_TOWNS) }
  if (backgrounds.size >= MAX_BACKGROUNDS) backgrounds.clear()
  backgrounds.set(key, background)
  return background
}
