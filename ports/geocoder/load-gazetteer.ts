import { type GazetteerIndex, gazetteerIndex } from './gazetteer-index.ts'
import { readGazetteerTable } from './gazetteer-table.ts'
import { placeKey } from './normalize-and-compare-place-names.ts'

let index: GazetteerIndex | null = null

/** Returns the gazetteer; unpacks its table at the first call. */
export function loadGazetteer(): GazetteerIndex {
  index ??= gazetteerIndex(readGazetteerTable())
  return index
}

/**
 * Returns the most populous towns in an area, as labels for a drawn map.
 * @param edges latitudes and longitudes of the area's edges, in degrees
 * @param max maximum number of towns
 */
export function largestTowns(
  edges: { south: number; north: number; west: number; east: number },
  max: number,
): { name: string; lat: number; lng: number }[] {
  const places = loadGazetteer()
  return places.largestBetween(edges, max).map((row) => {
    const { name, lat, lng } = places.city(row)
    return { name, lat, lng }
  })
}

/** Returns the center of a town; null for one that the gazetteer does not have. @param state 'GA' */
export function townCenter(name: string, state: string): { lat: number; lng: number } | null {
  const places = loadGazetteer()
  const town = places
    .cityRows(placeKey(name))
    .map((row) => places.city(row))
    .find((city) => city.state === state)
  return town ? { lat: town.lat, lng: town.lng } : null
}
