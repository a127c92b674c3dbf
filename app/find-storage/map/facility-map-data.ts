import type { FacilityWithCard } from '../filter-facilities-by-size.ts'
import { backgroundOf } from './map-background-of-states-and-towns.ts'
import {
  type GeoPoint,
  MAP_HEIGHT,
  MAP_WIDTH,
  type MapView,
  projectToMap,
  scaleOf,
  viewAround,
} from './map-projection.ts'
import { isCoveredByLabel, type Label, labelEms, placeLabels, placeTownNames, type Spot } from './place-labels.ts'

/** A facility, or a city with its facilities, on the map and in the list beside it. */
export interface MapSpot extends Spot, GeoPoint {
  name: string
  /** Distance in miles from the searched place; null without one. */
  miles: number | null
  /** Link to the facility's card, or to the city's page. */
  href: string
  /** Number in the class name of its entry in the list: `m4` for 4. */
  mark: number
}

/**
 * Widths in pixels at which labels are placed: about those of a picture 18 and 26 rem wide. Wider pictures have more
 * room.
 */
const layouts = { narrow: 280, wide: 412 }
/** Maximum number of spots shown as dots on the map; with more it shows no dots, since they would cover it. */
const MAX_DOTS = 200

export interface DrawnLabel {
  x: string
  y: string
  text: string
  /** Width of the label in em. */
  ems: number
  /** Distance of the nearest spot, shown above the door: '1.7 mi', or ''. */
  miles: string
  /** Accessible name; begins with `text`. */
  says: string
  href: string
  /** `mark` of each spot that shares the label. */
  marks: number[]
}

export type FacilityMapData = ReturnType<typeof buildFacilityMap>

const percent = (share: number) => `${Math.round(share * 1000) / 10}%`
const xPercent = (x: number) => percent(x / MAP_WIDTH)
const yPercent = (y: number) => percent(y / MAP_HEIGHT)

/**
 * Converts a list of facilities to markers on its map. Each marker has the number of the facility in the list and links
 * to its card.
 */
export const spotsOfCards = (list: readonly FacilityWithCard<GeoPoint & { miles?: number }>[]): MapSpot[] =>
  list.map(({ card: { name }, facility: { lat, lng, miles } }, index) => ({
    name,
    number: index + 1,
    facilities: 1,
    href: `#at-${index + 1}`,
    mark: index + 1,
    lat,
    lng,
    miles: miles ?? null,
  }))

/** Returns the map of a list of facilities; null for fewer than two. */
export const mapOfCards = (
  list: readonly FacilityWithCard<GeoPoint & { miles?: number }>[],
  options: Parameters<typeof buildFacilityMap>[1],
): FacilityMapData | null => (list.length < 2 ? null : buildFacilityMap(spotsOfCards(list), options))

/**
 * Builds a map of spots with labels, dots and towns. Around `here` it has rings of round distances; without `here` and
 * `view` it has a scale bar.
 * @param options.towns towns to name, the most important first; by default the largest in the picture
 * @param options.view part of the country; by default around the spots and `here`
 * @param options.here searched place, or center of a city
 * @param options.crowded handling of overlapping labels (`LabelOptions`)
 */
export function buildFacilityMap(
  spots: readonly MapSpot[],
  options: {
    name: string
    view?: MapView | null
    here?: (GeoPoint & { label: string }) | null
    /** Code of the state that is drawn on top of the others. */
    state?: string
    towns?: (GeoPoint & { name: string })[]
    crowded?: 'join' | 'drop'
  },
) {
  const here = options.here ?? null
  const view = options.view ?? viewAround(here ? [...spots, here] : spots)
  const background = backgroundOf(view)
  const towns = options.towns ?? background.towns
  const drawnLayouts = Object.entries(layouts).map(([name, width]) =>
    layout(spots, towns, { view, here, crowded: options.crowded }, name, width),
  )
  const [narrow, wide] = drawnLayouts
  const dots = spots.length > MAX_DOTS ? [] : spots.map((spot) => projectToMap(view, spot))
  return {
    name: options.name,
    lands: [...background.lands].sort((a, b) => Number(a.code === options.state) - Number(b.code === options.state)),
    state: options.state,
    rings: here ? ringsAround(view, here) : [],
    ways: here ? dots.map((to) => lineBetween(projectToMap(view, here), to)) : [],
    // If every spot has its own label on the smallest screen, larger screens use the same labels.
    layouts:
      narrow?.labels.length === spots.length && wide ? [{ ...wide, name: 'any', labels: narrow.labels }] : drawnLayouts,
    dots: dots.map(({ x, y }) => ({ x: xPercent(x), y: yPercent(y) })),
    here: here && { label: here.label, ...pointPercent(projectToMap(view, here)) },
    scale: options.view || here ? null : scaleText(view),
  }
}

/** Returns circles of round distances around a point, in tenths of the picture's units. */
function ringsAround(view: MapView, here: GeoPoint) {
  const { miles, share } = scaleOf(view)
  const { x, y } = projectToMap(view, here)
  return [1, 2].map((times) => ({
    miles: miles * times,
    cx: x * 10,
    cy: y * 10,
    r: Math.round(share * MAP_WIDTH * times * 10),
  }))
}

/**
 * Returns the ends of the line from the searched place to a facility, as percentages of the picture's width and height.
 */
const lineBetween = (from: { x: number; y: number }, to: { x: number; y: number }) => ({
  x1: xPercent(from.x),
  y1: yPercent(from.y),
  x2: xPercent(to.x),
  y2: yPercent(to.y),
})

const pointPercent = ({ x, y }: { x: number; y: number }) => ({ x: xPercent(x), y: yPercent(y) })

/** Returns the scale bar's label and right end. The bar starts at 3 % of the picture's width (`MapBackground`). */
function scaleText(view: MapView) {
  const { miles, share } = scaleOf(view)
  return { text: miles === 1 ? '1 mile' : `${miles} miles`, to: percent(0.03 + share) }
}

function layout(
  spots: readonly MapSpot[],
  towns: readonly (GeoPoint & { name: string })[],
  { view, here, crowded }: { view: MapView; here: GeoPoint | null; crowded: 'join' | 'drop' | undefined },
  name: string,
  width: number,
) {
  const size = { width, height: (width * MAP_HEIGHT) / MAP_WIDTH }
  const scale = width / MAP_WIDTH
  const toPixels = (point: GeoPoint) => {
    const { x, y } = projectToMap(view, point)
    return { x: x * scale, y: y * scale }
  }
  const labels = placeLabels(
    spots.map((spot) => ({ ...spot, ...toPixels(spot) })),
    { size, crowded, here: here && toPixels(here) },
  )
  const rings = here ? ringLabels(view, toPixels(here), size, labels) : []
  const townNames = placeTownNames(
    towns.map((town) => ({ name: town.name, ...toPixels(town) })),
    [...labels, ...rings.map((ring) => ({ ...ring, spots: [] }))],
    size,
    spots.length > MAX_DOTS ? [] : spots.map(toPixels),
  )
  return {
    name,
    labels: labels.map((label) => drawnLabel(label, spots, size)),
    rings: rings.map(({ x, y, text }) => ({ text, x: percent(x / size.width), y: percent(y / size.height) })),
    towns: townNames.map(({ name, x, y, at }) => ({
      name,
      x: percent(x / size.width),
      y: percent(y / size.height),
      at: percent(at / size.height),
      // A town's dot under a label is left out.
      dotted: !labels.some((label) => isCoveredByLabel(label, { x, y })),
    })),
  }
}

/**
 * Returns the distance labels of the map's rings, each at the bottom or the top of its ring: within the picture, and
 * where no spot's label covers it. A ring without such a place gets no label.
 */
function ringLabels(
  view: MapView,
  center: { x: number; y: number },
  size: { width: number; height: number },
  labels: Label[],
) {
  const { miles, share } = scaleOf(view)
  return [1, 2].flatMap((times) => {
    const r = share * size.width * times
    const places = [
      { x: center.x, y: center.y + r },
      { x: center.x, y: center.y - r },
    ]
    const freePlace = places.find(
      (place) => place.y > 10 && place.y < size.height - 10 && !labels.some((label) => isCoveredByLabel(label, place)),
    )
    return freePlace ? [{ ...freePlace, text: `${miles * times} mi` }] : []
  })
}

function drawnLabel(label: Label, spots: readonly MapSpot[], size: { width: number; height: number }): DrawnLabel {
  const labelSpots = label.spots.flatMap((index) => spots[index] ?? [])
  const names = labelSpots
    .slice(0, 4)
    .map(({ name }) => name)
    .join(', ')
  const [nearest] = labelSpots.flatMap(({ miles }) => miles ?? []).sort((a, b) => a - b)
  return {
    x: percent(label.x / size.width),
    y: percent(label.y / size.height),
    text: label.text,
    miles: nearest === undefined ? '' : `${nearest < 100 ? Math.round(nearest * 10) / 10 : Math.round(nearest)} mi`,
    ems: labelEms(label.text),
    says: `${label.text}, ${names}${labelSpots.length > 4 ? ' and others' : ''}`,
    href: labelSpots[0]?.href ?? '',
    marks: labelSpots.map(({ mark }) => mark),
  }
}
