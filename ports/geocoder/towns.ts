import { type GazetteerIndex, gazetteerIndex } from './gazetteer-index.ts'
import table from './gazetteer-table.ts'

let index: GazetteerIndex | null = null

/** The packed table, unfolded at the first call. */
export function knownPlaces(): GazetteerIndex {
  index ??= gazetteerIndex(table)
  return index
}

/** The most populous towns between these edges, degrees: the names on a drawn map. */
export function largestTowns(
  edges: { south: number; north: number; west: number; east: number },
  most: number,
): { name: string; lat: number; lng: number }[] {
  const known = knownPlaces()
  return known.largestBetween(edges, most).map((row) => {
    const { name, lat, lng } = known.city(row)
    return { name, lat, lng }
  })
}
