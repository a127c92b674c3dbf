/**
 * What the public pages look up: facilities near a point, by state, by city, by slug, with the lowest price of each.
 * The storage system's office (facility number 1) is never among them.
 */
import type { Selectable } from 'kysely'
import { OFFICE_FACILITY_ID } from '../../domain/business.ts'
import { ContentCache } from '../../platform/database/content-cache.ts'
import type { House } from '../../platform/operations/services.ts'
import type { StatesTable } from '../../platform/schema/tables.ts'
import { type Facility, facilityOf, facilityPath } from './facility.ts'
import { facilityFacts } from './facts.ts'
import { boundingBox, NEARBY_MAX, NEARBY_RADIUS_MILES, nearest, type Point } from './nearby.ts'

// ── By address ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Where a facility is, for finding it. */
interface Place extends Point {
  locationCode: string
  state: string
  city: string
  citySlug: string
  path: string
}

interface Directory {
  /** By city and name. */
  places: Place[]
  /** Those with facilities, by name. */
  states: StateWithFacilities[]
}

/** Some 200 bytes a facility, so all of them; what else is known of one is in its facts. */
const cachedDirectory = new ContentCache<Directory>(1)

export const directoryOf = async (house: House): Promise<Directory> =>
  (await cachedDirectory.one(house.db, 'all', () => readDirectory(house))) ?? { places: [], states: [] }

async function readDirectory(house: House): Promise<Directory> {
  const [locations, states] = await Promise.all([
    house.db.read
      .selectFrom('locations')
      .select(['location_code', 'state', 'city', 'city_slug', 'slug', 'lat', 'lng'])
      .where('facility_id', '!=', OFFICE_FACILITY_ID)
      .orderBy('city')
      .orderBy('name')
      .execute(),
    house.db.read.selectFrom('states').selectAll().orderBy('full_name').execute(),
  ])
  const facilities = new Map<string, number>()
  for (const { state } of locations) facilities.set(state, (facilities.get(state) ?? 0) + 1)
  return {
    places: locations.map((row) => ({
      locationCode: row.location_code,
      state: row.state,
      city: row.city,
      citySlug: row.city_slug,
      path: facilityPath(row),
      lat: row.lat,
      lng: row.lng,
    })),
    states: states.flatMap((row) => {
      const count = facilities.get(row.short_name)
      return count === undefined ? [] : [stateOf(row, count)]
    }),
  }
}

/** In the codes' order. */
export async function facilitiesByCode(house: House, codes: string[]): Promise<Facility[]> {
  const facts = await facilityFacts(house, codes)
  return codes.flatMap((code) => {
    const known = facts.get(code)
    return known ? [facilityOf(known.location)] : []
  })
}

export interface StateWithFacilities {
  shortName: string
  fullName: string
  mapImage: string
  phone: string
  facilities: number
}

const stateOf = (row: Selectable<StatesTable>, facilities: number): StateWithFacilities => ({
  shortName: row.short_name,
  fullName: row.full_name,
  mapImage: row.map_img,
  phone: row.general_contact_number,
  facilities,
})

/** Every state the operator is in, by name, with the number of its facilities. */
export const statesWithFacilities = async (house: House): Promise<StateWithFacilities[]> =>
  (await directoryOf(house)).states

export interface StateDirectory {
  state: StateWithFacilities
  cities: { city: string; citySlug: string; facilities: number; path: string }[]
  /** By city and name. */
  facilities: { locationCode: string; citySlug: string; path: string }[]
}

/**
 * Where a state's facilities are; null where the operator has none.
 * @param state two letters, any case
 */
export async function stateDirectory(house: House, state: string): Promise<StateDirectory | null> {
  const code = state.toUpperCase()
  const { places, states } = await directoryOf(house)
  const of = states.find((one) => one.shortName === code)
  if (!of) return null
  const facilities = places.filter((one) => one.state === code)
  const cities = new Map<string, StateDirectory['cities'][number]>()
  for (const { city, citySlug } of facilities) {
    const path = `/storage-units/${code.toLowerCase()}/${citySlug}`
    const known = cities.get(citySlug) ?? { city, citySlug, facilities: 0, path }
    known.facilities += 1
    cities.set(citySlug, known)
  }
  return { state: of, cities: [...cities.values()], facilities }
}

export interface StatePage extends StateDirectory {
  facilities: Facility[]
}

/** `stateDirectory` with all that is known of each facility. */
export async function stateFacilities(house: House, state: string): Promise<StatePage | null> {
  const found = await stateDirectory(house, state)
  const codes = found?.facilities.map((one) => one.locationCode) ?? []
  return found && { ...found, facilities: await facilitiesByCode(house, codes) }
}

/** A city's facilities by name; empty where there are none. */
export async function cityFacilities(house: House, state: string, citySlug: string): Promise<Facility[]> {
  const places = (await stateDirectory(house, state))?.facilities ?? []
  const here = places.filter((one) => one.citySlug === citySlug.toLowerCase())
  return facilitiesByCode(
    house,
    here.map((one) => one.locationCode),
  )
}

// ── Near a point ──────────────────────────────────────────────────────────────────────────────────────────────────────

export interface NearbyFacility extends Facility {
  miles: number
}

/**
 * The nearest facilities in the first of the radii that holds one, nearest first.
 * @param radii miles, growing
 */
async function nearestWithin(
  house: House,
  point: Point,
  radii: readonly number[],
  most: number,
): Promise<{ radius: number; facilities: NearbyFacility[] }> {
  const { places } = await directoryOf(house)
  for (const radius of radii) {
    const { south, north, west, east } = boundingBox(point, radius)
    const inBox = places.filter(({ lat, lng }) => lat >= south && lat <= north && lng >= west && lng <= east)
    const found = nearest(point, inBox, { radius, max: most })
    if (found.length === 0) continue
    const miles = new Map(found.map((one) => [one.locationCode, one.miles]))
    const facilities = await facilitiesByCode(house, [...miles.keys()])
    return { radius, facilities: facilities.map((one) => ({ ...one, miles: miles.get(one.locationCode) ?? 0 })) }
  }
  return { radius: radii.at(-1) as number, facilities: [] }
}

/**
 * Facilities within a radius, nearest first.
 * @param radius miles
 */
export const facilitiesWithin = async (
  house: House,
  point: Point,
  radius: number,
  most: number,
): Promise<NearbyFacility[]> => (await nearestWithin(house, point, [radius], most)).facilities

/** The nearby card of the home page: up to 2 facilities within 10 miles (spec 1 §1, §9). */
export const nearbyCard = (house: House, point: Point): Promise<NearbyFacility[]> =>
  facilitiesWithin(house, point, NEARBY_RADIUS_MILES, NEARBY_MAX)

const radii = [25, 50, 100, 250, 500, 3_000]

/**
 * The search's answer: the nearest facilities, in a radius that widens until it holds one.
 * @returns `radius`: the miles it took; the page says so when it is more than `radii[0]` (`widened`)
 */
export async function nearestFacilities(
  house: House,
  point: Point,
  most = 20,
): Promise<{ radius: number; widened: boolean; facilities: NearbyFacility[] }> {
  const found = await nearestWithin(house, point, radii, most)
  return { ...found, widened: found.radius !== radii[0] }
}
