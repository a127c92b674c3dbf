import { OUTLINES } from '../../ui/state-outlines/outlines.ts'

export interface GeoPoint {
  lat: number
  lng: number
}

/** Linear projection from degrees to a map picture of 200 × 160 units: x = x0 + lng · perLng, y = y0 − lat · perLat. */
export interface MapView {
  x0: number
  perLng: number
  y0: number
  perLat: number
}

export const MAP_WIDTH = 200
export const MAP_HEIGHT = 160
const MILES_PER_DEGREE = 69.1
/** Minimum width of a map in miles, so that it includes towns nearby. */
const MIN_WIDTH_MILES = 14
/** Margin at the left and at the right in which no facility lies, as a share of the picture's width. */
const SIDE_MARGIN = 0.14
/** Margin at the top and at the bottom in which no facility lies, as a share of the picture's height. */
const VERTICAL_MARGIN = 0.16

const round = (n: number) => Math.round(n * 100) / 100

export const projectToMap = ({ x0, perLng, y0, perLat }: MapView, { lat, lng }: GeoPoint) => ({
  x: round(x0 + lng * perLng),
  y: round(y0 - lat * perLat),
})

/** Returns the view of a whole state; null for a state without an outline. */
export function viewOfState(state: string): MapView | null {
  const outline = OUTLINES[state.toUpperCase()]
  if (!outline) return null
  const [x0, perLng, y0, perLat] = outline
  return { x0, perLng, y0, perLat }
}

/**
 * Returns a view of all points with a margin around them.
 * @param points one or more
 */
export function viewAround(points: readonly GeoPoint[]): MapView {
  const lats = points.map(({ lat }) => lat)
  const lngs = points.map(({ lng }) => lng)
  const middle = { lat: (Math.min(...lats) + Math.max(...lats)) / 2, lng: (Math.min(...lngs) + Math.max(...lngs)) / 2 }
  const lngScale = Math.cos((middle.lat * Math.PI) / 180)
  const lngSpan = (Math.max(...lngs) - Math.min(...lngs)) * lngScale
  const latSpan = Math.max(...lats) - Math.min(...lats)
  const perLat = Math.min(
    (MAP_WIDTH * (1 - 2 * SIDE_MARGIN)) / lngSpan,
    (MAP_HEIGHT * (1 - 2 * VERTICAL_MARGIN)) / latSpan,
    (MAP_WIDTH * MILES_PER_DEGREE) / MIN_WIDTH_MILES,
  )
  const perLng = perLat * lngScale
  return { perLng, perLat, x0: MAP_WIDTH / 2 - middle.lng * perLng, y0: MAP_HEIGHT / 2 + middle.lat * perLat }
}

/** Returns the picture's edges in degrees. */
export const edgesOf = ({ x0, perLng, y0, perLat }: MapView) => ({
  south: (y0 - MAP_HEIGHT) / perLat,
  north: y0 / perLat,
  west: -x0 / perLng,
  east: (MAP_WIDTH - x0) / perLng,
})

/**
 * Returns the scale bar: the longest round distance of at most a third of the picture's width, and the share of the
 * width that this distance takes up.
 */
export function scaleOf({ perLat }: MapView): { miles: number; share: number } {
  const widthMiles = (MAP_WIDTH / perLat) * MILES_PER_DEGREE
  const miles = [200, 100, 50, 20, 10, 5, 2].find((distance) => distance <= widthMiles / 3) ?? 1
  return { miles, share: miles / widthMiles }
}
