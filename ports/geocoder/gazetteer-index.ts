import { brotliDecompressSync } from 'node:zlib'
import { recordOf } from '../../domain/typed-keys.ts'
import { editDistance } from './normalize-and-compare-place-names.ts'

/**
 * Factor from degrees to the whole numbers in which coordinates are stored: ten-thousandths of a degree (about ten
 * meters).
 */
export const UNITS_PER_DEGREE = 1e4

/**
 * The gazetteer's columns: one row for each city, ZIP and foreign place, sorted by key or ZIP. Texts hold one line for
 * each row; `cityStates` holds two letters for each, without line breaks. Coordinates are degrees × `UNITS_PER_DEGREE`.
 */
interface Columns {
  cityKeys: string
  cityNames: string
  cityStates: string
  cityPopulations: ArrayLike<number>
  cityLats: ArrayLike<number>
  cityLngs: ArrayLike<number>
  zips: ArrayLike<number>
  /** City row of each ZIP; -1 for a military post office abroad. */
  zipCities: ArrayLike<number>
  zipLats: ArrayLike<number>
  zipLngs: ArrayLike<number>
  abroadKeys: string
  abroadPopulations: ArrayLike<number>
}

const TEXTS = ['cityKeys', 'cityNames', 'cityStates', 'abroadKeys'] as const
const NUMBERS = [
  'cityPopulations',
  'cityLats',
  'cityLngs',
  'zips',
  'zipCities',
  'zipLats',
  'zipLngs',
  'abroadPopulations',
] as const

/**
 * Packs the columns of the gazetteer into bytes. Each column is its length (4 bytes) and its content; a number is
 * stored as the difference from the number in the previous row.
 */
export function packColumns(columns: Columns): Buffer {
  const parts: Buffer[] = []
  const add = (bytes: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    parts.push(length, bytes)
  }
  for (const name of TEXTS) add(Buffer.from(columns[name], 'utf8'))
  for (const name of NUMBERS) {
    const numbers = columns[name]
    const count = numbers.length
    // The four bytes of each number are stored in separate blocks, which compress better.
    const bytes = Buffer.alloc(count * 4)
    for (let row = 0; row < count; row++) {
      const difference = numbers[row]! - (row > 0 ? numbers[row - 1]! : 0)
      // Zigzag encoding: a small difference, positive or negative, becomes a small positive number.
      const folded = (difference << 1) ^ (difference >> 31)
      for (let part = 0; part < 4; part++) bytes[part * count + row] = (folded >>> (part * 8)) & 0xff
    }
    add(bytes)
  }
  return Buffer.concat(parts)
}

function unpackColumns(packed: Buffer): Columns {
  let offset = 0
  const next = () => {
    const length = packed.readUInt32LE(offset)
    offset += 4 + length
    return packed.subarray(offset - length, offset)
  }
  const texts = recordOf(TEXTS, () => next().toString('utf8'))
  const numbers = recordOf(NUMBERS, () => {
    const bytes = next()
    const count = bytes.length / 4
    const column = new Int32Array(count)
    for (let row = 0, previous = 0; row < count; row++) {
      let folded = 0
      for (let part = 0; part < 4; part++) folded |= bytes[part * count + row]! << (part * 8)
      previous += (folded >>> 1) ^ -(folded & 1)
      column[row] = previous
    }
    return column
  })
  return { ...texts, ...numbers }
}

/** Lookups in the gazetteer. Rows are positions in its tables; -1 means none. */
export interface GazetteerIndex {
  zipRow(zip: number): number
  /** Returns a ZIP's city row (-1 for a military post office abroad) and point in degrees. */
  zip(row: number): { city: number; lat: number; lng: number }
  /** Returns the rows of the US cities with this key (see `placeKey`), most populous first, one per state. */
  cityRows(key: string): number[]
  /** Returns the row of the most populous city, of a state if one is given, whose key begins with `prefix`. */
  largestBeginning(prefix: string, state?: string): number
  /**
   * Returns the rows of the US cities within `edits` edits of `key` that begin with one of its first two letters, the
   * closest first, then the most populous.
   */
  cityRowsAlike(key: string, edits: number): number[]
  city(row: number): { name: string; state: string; population: number; lat: number; lng: number }
  /** Returns the row of the state's most populous city. */
  largestCity(state: string): number
  /** Returns the rows of up to `max` cities between these edges (degrees), most populous first. */
  largestBetween(edges: { south: number; north: number; west: number; east: number }, max: number): number[]
  /** Returns the population of the largest foreign place with this key; 0 if there is none. */
  populationAbroad(key: string): number
}

/** Returns the first row of sorted texts that is not below `key` (binary search). */
function rowFrom(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] ?? '') < key) low = middle + 1
    else high = middle
  }
  return low
}

/** Unpacks the gazetteer. @param table output of `packColumns`, brotli-compressed, base64 */
export function gazetteerIndex(table: string): GazetteerIndex {
  const columns = unpackColumns(brotliDecompressSync(Buffer.from(table, 'base64')))
  const { cityStates, cityPopulations, cityLats, cityLngs, zips, zipCities, zipLats, zipLngs } = columns
  const keys = columns.cityKeys.split('\n')
  const names = columns.cityNames.split('\n')
  const abroad = columns.abroadKeys.split('\n')
  const { abroadPopulations } = columns
  const stateOf = (row: number) => cityStates.slice(row * 2, row * 2 + 2)

  const zipRows = new Map(Array.from(zips, (zip, row) => [zip, row]))
  const largest = new Map<string, number>()
  for (let row = 0; row < keys.length; row++) {
    const best = largest.get(stateOf(row))
    if (best === undefined || cityPopulations[row]! > cityPopulations[best]!) largest.set(stateOf(row), row)
  }

  return {
    zipRow: (zip) => zipRows.get(zip) ?? -1,
    zip: (row) => ({
      city: zipCities[row]!,
      lat: zipLats[row]! / UNITS_PER_DEGREE,
      lng: zipLngs[row]! / UNITS_PER_DEGREE,
    }),
    cityRows(key) {
      const rows: number[] = []
      for (let row = rowFrom(keys, key); keys[row] === key; row++) rows.push(row)
      return rows
    },
    cityRowsAlike(key, edits) {
      const rows: { row: number; distance: number }[] = []
      for (const letter of new Set(key.slice(0, 2)))
        for (let row = rowFrom(keys, letter); keys[row]?.startsWith(letter); row++) {
          const name = keys[row]!
          if (Math.abs(name.length - key.length) > edits) continue
          const distance = editDistance(name, key)
          if (distance <= edits) rows.push({ row, distance })
        }
      rows.sort((a, b) => a.distance - b.distance || cityPopulations[b.row]! - cityPopulations[a.row]!)
      return rows.map(({ row }) => row)
    },
    largestBeginning(prefix, state) {
      let best = -1
      for (let row = rowFrom(keys, prefix); keys[row]?.startsWith(prefix); row++)
        if (
          (state === undefined || stateOf(row) === state) &&
          (best < 0 || cityPopulations[row]! > cityPopulations[best]!)
        )
          best = row
      return best
    },
    city: (row) => ({
      name: names[row] ?? '',
      state: stateOf(row),
      population: cityPopulations[row]!,
      lat: cityLats[row]! / UNITS_PER_DEGREE,
      lng: cityLngs[row]! / UNITS_PER_DEGREE,
    }),
    largestCity: (state) => largest.get(state) ?? -1,
    largestBetween({ south, north, west, east }, max) {
      const rows: number[] = []
      for (let row = 0; row < cityLats.length; row++) {
        const lat = cityLats[row]! / UNITS_PER_DEGREE
        const lng = cityLngs[row]! / UNITS_PER_DEGREE
        if (lat > south && lat < north && lng > west && lng < east) rows.push(row)
      }
      return rows.sort((a, b) => cityPopulations[b]! - cityPopulations[a]!).slice(0, max)
    },
    populationAbroad(key) {
      const row = rowFrom(abroad, key)
      return abroad[row] === key ? abroadPopulations[row]! : 0
    },
  }
}
