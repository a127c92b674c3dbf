/**
 * What the public pages look up: facilities near a point, by state, by city, by slug, with the lowest price of each.
 * The storage system's office (facility number 1) is never among them.
 */
import type { Selectable } from 'kysely'
import { ContentCache } from '../database/content-cache.ts'
import { type BrandRecord, brandFrom } from '../domain/brand.ts'
import { OFFICE_FACILITY_ID } from '../domain/business.ts'
import { boundingBox, NEARBY_MAX, NEARBY_RADIUS_MILES, nearest, type Point } from '../domain/nearby.ts'
import { photoOrigin } from '../domain/photo.ts'
import type { LocationsTable, StatesTable } from '../platform/schema/tables.ts'
import type { House } from '../storage-system/operation.ts'
import {
  type FacilityQuote,
  facilityFacts,
  quoteFacilities,
  quoteUnitTypes,
  type UnitTypeQuote,
} from '../storage-system/pricing.ts'

/** A facility as pages show it: the row with its JSON read and its flags as booleans. Phones are 10 digits. */
export interface Facility {
  locationCode: string
  facilityId: number
  name: string
  slug: string
  address: string
  city: string
  citySlug: string
  state: string
  zip: string
  phone: string
  reservationEmail: string
  lat: number
  lng: number
  timeZone: string
  /** '' where there is none; `front` then seeds the drawn one. */
  photo: string
  front: number
  description: string
  directions: string
  officeHours: { days: string; hours: string }[]
  gateHours: string
  features: string[]
  insuranceOffered: boolean
  /** File name of the brochure, or ''. */
  brochure: string
  /** Days, today included, in which a move-in date may be chosen. */
  reservationWindow: number
  cardFee: boolean
  allowAch: boolean
  mapEnabled: boolean
  comingSoon: boolean
  feedbackLink: string
  instructionAfterRental: string
  /** `/storage-units/ga/atlanta/675-north-ave-ne` */
  path: string
}

export function facilityOf(row: Selectable<LocationsTable>): Facility {
  return {
    locationCode: row.location_code,
    facilityId: row.facility_id,
    name: row.name,
    slug: row.slug,
    address: row.address,
    city: row.city,
    citySlug: row.city_slug,
    state: row.state,
    zip: row.zip,
    phone: row.phone,
    reservationEmail: row.reservation_email,
    lat: row.lat,
    lng: row.lng,
    timeZone: row.time_zone,
    photo: row.photo,
    front: row.front,
    description: row.description,
    directions: row.directions,
    officeHours: JSON.parse(row.office_hours),
    gateHours: row.gate_hours,
    features: JSON.parse(row.features),
    insuranceOffered: row.sboa === 1,
    brochure: row.sboa_brochure,
    reservationWindow: row.reservation_window,
    cardFee: row.cc_fee === 1,
    allowAch: row.allow_ach === 1,
    mapEnabled: row.facility_map_enabled === 1,
    comingSoon: row.coming_soon === 1,
    feedbackLink: row.feedback_link,
    instructionAfterRental: row.special_instruction_after_rental,
    path: facilityPath(row),
  }
}

export const facilityPath = (place: { state: string; city_slug: string; slug: string }): string =>
  `/storage-units/${place.state.toLowerCase()}/${place.city_slug}/${place.slug}`

const letting = (house: House) =>
  house.db.read.selectFrom('locations').selectAll().where('facility_id', '!=', OFFICE_FACILITY_ID)

export async function facilityByCode(house: House, locationCode: string): Promise<Facility | null> {
  const row = await letting(house).where('location_code', '=', locationCode).executeTakeFirst()
  return row ? facilityOf(row) : null
}

/** Every facility that lets, for a choice: code and 'Ponce City, Atlanta GA'. */
export async function lettingFacilities(house: House): Promise<{ value: string; label: string }[]> {
  const rows = await letting(house).orderBy('state').orderBy('city').orderBy('name').execute()
  return rows.map((row) => ({ value: row.location_code, label: `${row.name}, ${row.city} ${row.state}` }))
}

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

const directoryOf = async (house: House): Promise<Directory> =>
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
async function facilitiesByCode(house: House, codes: string[]): Promise<Facility[]> {
  const facts = await facilityFacts(house, codes)
  return codes.flatMap((code) => {
    const known = facts.get(code)
    return known ? [facilityOf(known.location)] : []
  })
}

export interface FacilityPage {
  facility: Facility
  /** Whom to call about it (`phoneFor`). */
  phone: string
  /** Others within 25 miles, nearest first; at most 3. */
  around: NearbyFacility[]
}

/**
 * A facility and its neighbours; null for an unknown address.
 * @param at path segments in any case: state code, city slug, address slug
 */
export async function facilityBySlug(
  house: House,
  at: { state: string; city: string; slug: string },
): Promise<FacilityPage | null> {
  const path = facilityPath({ state: at.state, city_slug: at.city.toLowerCase(), slug: at.slug.toLowerCase() })
  const place = (await directoryOf(house)).places.find((one) => one.path === path)
  const [facility] = place ? await facilitiesByCode(house, [place.locationCode]) : []
  if (!facility) return null
  const within = await facilitiesWithin(house, facility, 25, 4)
  const around = within.filter((one) => one.locationCode !== facility.locationCode).slice(0, 3)
  return { facility, phone: await phoneFor(house, facility), around }
}

/** A facility's page with the prices of its units and how many are free now; null for an unknown address. */
export async function quotedFacility(
  house: House,
  at: { state: string; city: string; slug: string },
): Promise<(FacilityPage & { quote: FacilityQuote }) | null> {
  const page = await facilityBySlug(house, at)
  const quote = page && (await quoteUnitTypes(house, page.facility.locationCode))
  return quote ? { ...page, quote } : null
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

/** The cheapest unit type that is free, by what then comes per month, everything in; null where nothing is. */
function cheapestFree(quote: FacilityQuote | undefined): UnitTypeQuote | null {
  let cheapest: UnitTypeQuote | null = null
  for (const one of quote?.unitTypes ?? [])
    if (one.free > 0 && (!cheapest || one.thenPerMonth < cheapest.thenPerMonth)) cheapest = one
  return cheapest
}

/** Of each facility its cheapest unit type that is free at this moment; null where nothing is. */
export type FromPrices = ReadonlyMap<string, UnitTypeQuote | null>

export async function fromPrices(house: House, facilities: readonly Facility[]): Promise<FromPrices> {
  const codes = facilities.map((one) => one.locationCode)
  const quotes = await quoteFacilities(house, codes)
  return new Map(codes.map((code) => [code, cheapestFree(quotes.get(code))]))
}

// ── The operator's own record, and whom to call ───────────────────────────────────────────────────────────────────────

/** What the operator has not set is Latchkey's own. */
export async function brandOf(house: House): Promise<BrandRecord> {
  const row = await house.db.read.selectFrom('settings').select('value').where('name', '=', 'brand').executeTakeFirst()
  return brandFrom(row?.value ?? '{}')
}

/** Whose pictures the facilities' pages show besides our own; for the content policy. */
export async function photoOriginsOf(house: Pick<House, 'db'>): Promise<string[]> {
  const rows = await house.db.read
    .selectFrom('locations')
    .select('photo')
    .distinct()
    .where('photo', '!=', '')
    .where('photo', 'not like', '/%')
    .execute()
  return [...new Set(rows.map((row) => photoOrigin(row.photo)).filter((origin) => origin !== null))].sort()
}

/** `{phone}` of the messages: the facility's, else its state's, else the operator's. 10 digits, '' when none is known. */
export async function phoneFor(house: House, location: { phone: string; state: string } | null): Promise<string> {
  if (location?.phone) return location.phone
  if (location?.state) {
    const state = await house.db.read
      .selectFrom('states')
      .select('general_contact_number')
      .where('short_name', '=', location.state)
      .executeTakeFirst()
    if (state?.general_contact_number) return state.general_contact_number
  }
  return (await brandOf(house)).phone
}
