import { type GazetteerIndex, gazetteerIndex } from './gazetteer-index.ts'
import table from './gazetteer-table.ts'

let index: GazetteerIndex | null = null

/** Returns the gazetteer; unpacks its table at the first call. */
export function loadGazetteer(): GazetteerIndex {
  index ??= gazetteerIndex(table)
  return index
}

/** Returns the most populous towns between these edges (degrees), for labels on a drawn map. */
export function largestTowns(
  edges: { south: number; north: number; west: number; east: number },
  most: number,
): { name: string; lat: number; lng: number }[] {
  const places = loadGazetteer()
  return places.largestBetween(edges, most).map((row) => {
    const { name, lat, lng } = places.city(row)
    return { name, lat, lng }
  })
}
