/**
 * Caches the facilities that public pages look up by state, by city, near a point and by typed text. Leaves out the
 * operator's office (facility number 1); of retired facilities, only their paths and times of change are used.
 */
import type { Selectable } from 'kysely'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import { ContentCache } from '../../../platform/database/content-cache.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { LocationsTable, StatesTable } from '../../../platform/schema/tables.ts'
import { loadFacilityFacts } from '../facility-facts-for-pricing.ts'
import { toFacility } from '../internal/facility-from-row.ts'
import { type FacilityNames, matchFacilitiesByName, normalizedNamesOf } from '../internal/match-facilities-by-name.ts'
import { boundingBox, distanceMiles, nearest, type Point } from '../rules/distance.ts'
import type { Facility } from '../rules/facility.ts'
import { facilityPath } from '../rules/facility-path.ts'
import { OFFICE_FACILITY_ID } from '../rules/operator-office-facility-id.ts'
import { NEARBY_CARD_MAX, NEARBY_CARD_MILES, wideningRadii } from '../rules/search-radius.ts'

interface Place extends Point {
  locationCode: string
  name: string
  searchNames: FacilityNames
  state: string
  city: string
  citySlug: string
  path: string
  /** When the facility's page last changed; null where unknown. */
  changedAt: Instant | null
}

interface Directory {
  places: Place[]
  /** Paths of retired facilities. */
  closed: ReadonlySet<string>
  /** When a state's or city's page last changed, by path: its facilities' newest change or retirement. */
  changes: ReadonlyMap<string, Instant>
  states: StateWithFacilities[]
}

/** Cache of the directory: one entry with all facilities. Other data of a facility is in its facts (`FacilityFacts`). */
const cachedDirectory = new ContentCache<Directory>(1)

/** Returns the cached directory of all facilities, loaded when missing. */
export const loadDirectory = async (services: Services): Promise<Directory> =>
  (await cachedDirectory.one(services.db, 'all', () => readDirectory(services))) ?? {
    places: [],
    closed: new Set(),
    changes: new Map(),
    states: [],
  }

async function readDirectory(services: Services): Promise<Directory> {
  const [all, states] = await Promise.all([
    services.db.read
      .selectFrom('locations')
      .select(['location_code', 'name', 'address', 'zip', 'description', 'directions', 'state', 'city', 'city_slug'])
      .select(['slug', 'lat', 'lng', 'retired_on', 'changed_at'])
      .where('facility_id', '!=', OFFICE_FACILITY_ID)
      .orderBy('city')
      .orderBy('name')
      .execute(),
    services.db.read.selectFrom('states').selectAll().orderBy('full_name').execute(),
  ])
  const locations = all.filter((row) => row.retired_on === null)
  const countByState = new Map<string, number>()
  for (const { state } of locations) countByState.set(state, (countByState.get(state) ?? 0) + 1)
  return {
    places: locations.map((row) => ({
      locationCode: row.location_code,
      name: row.name,
      searchNames: normalizedNamesOf(row),
      state: row.state,
      city: row.city,
      citySlug: row.city_slug,
      path: facilityPath(row),
      lat: row.lat,
      lng: row.lng,
      changedAt: row.changed_at,
    })),
    closed: new Set(all.filter((row) => row.retired_on !== null).map(facilityPath)),
    changes: changesOf(all),
    states: states.flatMap((row) => {
      const count = countByState.get(row.short_name)
      return count === undefined ? [] : [stateOf(row, count)]
    }),
  }
}

const statePath = (code: string) => `/storage-units/${code.toLowerCase()}`
const cityPath = (code: string, citySlug: string) => `${statePath(code)}/${citySlug}`

function changesOf(
  facilities: Pick<Selectable<LocationsTable>, 'state' | 'city_slug' | 'changed_at'>[],
): Map<string, Instant> {
  const changes = new Map<string, Instant>()
  for (const { state, city_slug, changed_at } of facilities) {
    if (changed_at === null) continue
    for (const path of [statePath(state), cityPath(state, city_slug)])
      changes.set(path, Math.max(changes.get(path) ?? 0, changed_at))
  }
  return changes
}

/** Loads facilities by location code, in the order of the codes. Unknown codes and the operator's office are left out. */
export async function loadFacilitiesByCode(services: Services, codes: string[]): Promise<Facility[]> {
  const facts = await loadFacilityFacts(services, codes)
  return codes.flatMap((code) => {
    const entry = facts.get(code)
    return entry ? [toFacility(entry.location, entry.look)] : []
  })
}

/** A state in which the operator has facilities, with their number. */
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

/** Returns every state in which the operator has facilities, sorted by name, with their number. */
export const loadStatesWithFacilities = async (services: Services): Promise<StateWithFacilities[]> =>
  (await loadDirectory(services)).states

/** A state's cities and facilities, for its page and the sitemap. */
export interface StateDirectory {
  state: StateWithFacilities
  path: string
  changedAt: Instant | null
  cities: { city: string; citySlug: string; facilities: number; path: string; changedAt: Instant | null }[]
  /** The state's facilities, sorted by city and name. */
  facilities: ({ locationCode: string; citySlug: string; path: string; changedAt: Instant | null } & Point)[]
}

/**
 * Returns a state's cities and facilities; null where the operator has none there.
 * @param state two letters, any case
 */
export async function loadStateDirectory(services: Services, state: string): Promise<StateDirectory | null> {
  const code = state.toUpperCase()
  const { places, states, changes } = await loadDirectory(services)
  const stateEntry = states.find((entry) => entry.shortName === code)
  if (!stateEntry) return null
  const facilities = places.filter((place) => place.state === code)
  const cities = new Map<string, StateDirectory['cities'][number]>()
  for (const { city, citySlug } of facilities) {
    const path = cityPath(code, citySlug)
    const changedAt = changes.get(path) ?? null
    const entry = cities.get(citySlug) ?? { city, citySlug, facilities: 0, path, changedAt }
    entry.facilities += 1
    cities.set(citySlug, entry)
  }
  const path = statePath(code)
  return { state: stateEntry, path, changedAt: changes.get(path) ?? null, cities: [...cities.values()], facilities }
}

/** A state's cities, and all data of its facilities. */
export interface StatePage extends Omit<StateDirectory, 'facilities'> {
  facilities: Facility[]
}

/** Returns a state's cities and its facilities in full; null where the operator has none there. */
export async function loadStateFacilities(services: Services, state: string): Promise<StatePage | null> {
  const directory = await loadStateDirectory(services, state)
  const codes = directory?.facilities.map((facility) => facility.locationCode) ?? []
  return directory && { ...directory, facilities: await loadFacilitiesByCode(services, codes) }
}

/** Returns a city's facilities, sorted by name; empty where there are none. */
export async function loadCityFacilities(services: Services, state: string, citySlug: string): Promise<Facility[]> {
  const places = (await loadStateDirectory(services, state))?.facilities ?? []
  const inCity = places.filter((place) => place.citySlug === citySlug.toLowerCase())
  return loadFacilitiesByCode(
    services,
    inCity.map((place) => place.locationCode),
  )
}

/** Returns the places inside a box around the circle of `miles`, as a cheap selection before distances are computed. */
function inBox<Located extends Point>(places: readonly Located[], point: Point, miles: number): Located[] {
  const { south, north, west, east } = boundingBox(point, miles)
  return places.filter(({ lat, lng }) => lat >= south && lat <= north && lng >= west && lng <= east)
}

/** A facility with its distance in miles from a given point. */
export interface NearbyFacility extends Facility {
  miles: number
}

/**
 * Returns the nearest facilities within the smallest radius that has any, nearest first.
 * @param radii miles, ascending
 * @returns `radius`: the largest one where none has any facility
 */
async function nearestWithin(
  services: Services,
  point: Point,
  radii: readonly number[],
  maximum: number,
): Promise<{ radius: number; facilities: NearbyFacility[] }> {
  const { places } = await loadDirectory(services)
  for (const radius of radii) {
    const nearestPlaces = nearest(point, inBox(places, point, radius), { radius, max: maximum })
    if (nearestPlaces.length === 0) continue
    const miles = new Map(nearestPlaces.map((place) => [place.locationCode, place.miles]))
    const facilities = await loadFacilitiesByCode(services, [...miles.keys()])
    return {
      radius,
      facilities: facilities.map((facility) => ({ ...facility, miles: miles.get(facility.locationCode) ?? 0 })),
    }
  }
  return { radius: Math.max(...radii), facilities: [] }
}

/**
 * Returns facilities within a radius, nearest first.
 * @param radius miles
 */
export const loadFacilitiesWithin = async (
  services: Services,
  point: Point,
  radius: number,
  maximum: number,
): Promise<NearbyFacility[]> => (await nearestWithin(services, point, [radius], maximum)).facilities

/** Returns the facilities on the home page's nearby card (spec 1 §1, §9). */
export const loadNearbyFacilities = (services: Services, point: Point): Promise<NearbyFacility[]> =>
  loadFacilitiesWithin(services, point, NEARBY_CARD_MILES, NEARBY_CARD_MAX)

/**
 * Returns the nearest facilities for the search, in a radius that widens until it has any.
 * @returns `radius` in miles
 */
export const loadNearestFacilities = (
  services: Services,
  point: Point,
  maximum = 20,
): Promise<{ radius: number; facilities: NearbyFacility[] }> => nearestWithin(services, point, wideningRadii, maximum)

/** Splits points by whether a facility is within `miles` of them, each part in the order of `points`. */
export async function splitByNearness<Located extends Point>(
  services: Services,
  points: readonly Located[],
  miles: number,
): Promise<{ near: Located[]; far: Located[] }> {
  const { places } = await loadDirectory(services)
  const isNear = (point: Located) => inBox(places, point, miles).some((place) => distanceMiles(point, place) <= miles)
  const { true: near = [], false: far = [] } = Object.groupBy(points, (point) => `${isNear(point)}`)
  return { near, far }
}

/** Returns facilities that match a typed name, street or landmark (`matchFacilitiesByName`). */
export async function searchFacilitiesByName(
  services: Services,
  text: string,
): Promise<({ name: string; by: 'name' | 'street' } & Point)[]> {
  const matches = matchFacilitiesByName((await loadDirectory(services)).places, text)
  return matches.map(({ facility: { name, lat, lng }, by }) => ({ name, lat, lng, by }))
}
