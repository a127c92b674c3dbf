/**
 * What the public pages look up: facilities near a point, by state, by city, by slug, with the lowest price of each.
 * The storage system's office (facility number 1) is never among them.
 */
import type { Selectable } from 'kysely'
import {
  currentContentVersion,
  KeptWithContent,
  recentContentVersion,
  withVersionAlong,
} from '../database/content-version.ts'
import { type BrandRecord, brandFrom } from '../domain/brand.ts'
import { OFFICE_FACILITY_ID } from '../domain/business.ts'
import { boundingBox, NEARBY_MAX, NEARBY_RADIUS_MILES, nearest, type Point } from '../domain/nearby.ts'
import { photoOrigin } from '../domain/photo.ts'
import type { LocationsTable, StatesTable } from '../platform/schema/tables.ts'
import type { House } from '../storage-system/operation.ts'
import { type FacilityQuote, quotesWithVersion, type UnitTypeQuote } from '../storage-system/pricing.ts'

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

/** The content version that a request has just read; what is kept is taken under it. Without it each asks for it anew. */
export interface Current {
  version: number
}

export interface FacilityPage {
  facility: Facility
  /** Whom to call about it (`phoneFor`). */
  phone: string
  /** Others within 25 miles, nearest first; at most 3. */
  around: NearbyFacility[]
}

/** About 10 kB each. */
const keptPages = new KeptWithContent<FacilityPage>(5000)

/**
 * A facility and its neighbours, kept until the operator changes something; null for an unknown address.
 * @param at path segments in any case: state code, city slug, address slug
 */
export async function facilityBySlug(
  house: House,
  at: { state: string; city: string; slug: string },
  current?: Current,
): Promise<FacilityPage | null> {
  const place = { state: at.state.toUpperCase(), city_slug: at.city.toLowerCase(), slug: at.slug.toLowerCase() }
  const read = async (): Promise<FacilityPage | null> => {
    const row = await letting(house)
      .where((eb) => eb.and(place))
      .executeTakeFirst()
    if (!row) return null
    const facility = facilityOf(row)
    const within = await facilitiesWithin(house, facility, 25, 4, current)
    const around = within.filter((one) => one.locationCode !== facility.locationCode).slice(0, 3)
    return { facility, phone: await phoneFor(house, facility), around }
  }
  return keptPages.one(house.db, facilityPath(place), read, current)
}

/**
 * A facility's page with the prices of its units and how many are free at this moment; null for an unknown address. One
 * statement where the rest is kept.
 */
export const quotedFacility = (
  house: House,
  at: { state: string; city: string; slug: string },
): Promise<(FacilityPage & { quote: FacilityQuote }) | null> =>
  withVersionAlong(house.db, async (current) => {
    const page = await facilityBySlug(house, at, current)
    if (!page) return { made: null, version: null }
    const { quotes, version } = await quotesWithVersion(house, [page.facility.locationCode])
    const quote = quotes.get(page.facility.locationCode)
    return { made: quote ? { ...page, quote } : null, version }
  })

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

const keptStates = new KeptWithContent<StateWithFacilities[]>(1)

/** Every state the operator is in, by name, with the number of its facilities; kept until the operator changes something. */
export const statesWithFacilities = async (house: House, current?: Current): Promise<StateWithFacilities[]> =>
  (await keptStates.one(house.db, 'all', () => readStates(house), current)) ?? []

async function readStates(house: House): Promise<StateWithFacilities[]> {
  const rows = await house.db.read
    .selectFrom('states')
    .innerJoin('locations', 'locations.state', 'states.short_name')
    .where('locations.facility_id', '!=', OFFICE_FACILITY_ID)
    .select(['short_name', 'full_name', 'map_img', 'general_contact_number'])
    .select((eb) => eb.fn.countAll<number>().as('facilities'))
    .groupBy(['short_name', 'full_name', 'map_img', 'general_contact_number'])
    .orderBy('full_name')
    .execute()
  return rows.map((row) => stateOf(row, Number(row.facilities)))
}

export interface StatePage {
  state: StateWithFacilities
  cities: { city: string; citySlug: string; facilities: number; path: string }[]
  facilities: Facility[]
}

/** About 2 kB for each facility in it. */
const keptStatePages = new KeptWithContent<StatePage>(5000, (page) => page.facilities.length)

/**
 * A state's facilities by city and name, kept until the operator changes something; null where the operator has none.
 * @param state two letters, any case
 */
export const stateFacilities = (house: House, state: string, current?: Current): Promise<StatePage | null> =>
  keptStatePages.one(house.db, state.toUpperCase(), () => readStatePage(house, state.toUpperCase()), current)

async function readStatePage(house: House, code: string): Promise<StatePage | null> {
  const [row, rows] = await Promise.all([
    house.db.read.selectFrom('states').selectAll().where('short_name', '=', code).executeTakeFirst(),
    letting(house).where('state', '=', code).orderBy('city').orderBy('name').execute(),
  ])
  if (!row || rows.length === 0) return null
  const cities = new Map<string, StatePage['cities'][number]>()
  for (const one of rows) {
    const path = `/storage-units/${code.toLowerCase()}/${one.city_slug}`
    const city = cities.get(one.city_slug) ?? { city: one.city, citySlug: one.city_slug, facilities: 0, path }
    city.facilities += 1
    cities.set(one.city_slug, city)
  }
  return { state: stateOf(row, rows.length), cities: [...cities.values()], facilities: rows.map(facilityOf) }
}

/** A city's facilities by name; empty where there are none. */
export async function cityFacilities(
  house: House,
  state: string,
  citySlug: string,
  current?: Current,
): Promise<Facility[]> {
  const page = await stateFacilities(house, state, current)
  return page?.facilities.filter((one) => one.citySlug === citySlug.toLowerCase()) ?? []
}

// ── Near a point ──────────────────────────────────────────────────────────────────────────────────────────────────────

export interface NearbyFacility extends Facility {
  miles: number
}

interface Place extends Point {
  locationCode: string
}

/** Where every facility is: some 100 bytes each, of 4,000 facilities read in a few milliseconds. */
const keptPlaces = new KeptWithContent<Place[]>(1)
/** About 2 kB each. */
const keptFacilities = new KeptWithContent<Facility>(5000)

const readPlaces = (house: House): Promise<Place[]> =>
  house.db.read
    .selectFrom('locations')
    .where('facility_id', '!=', OFFICE_FACILITY_ID)
    .select(['location_code as locationCode', 'lat', 'lng'])
    .orderBy('location_code')
    .execute()

async function readFacilities(house: House, codes: string[]): Promise<Map<string, Facility>> {
  const rows = await letting(house).where('location_code', 'in', codes).execute()
  return new Map(rows.map((row) => [row.location_code, facilityOf(row)]))
}

/**
 * The nearest facilities in the first of the radii that holds one, nearest first. Both lists are kept until the operator
 * changes something: a search then asks the database for the version alone.
 * @param radii miles, growing
 */
async function nearestWithin(
  house: House,
  point: Point,
  radii: readonly number[],
  most: number,
  known?: Current,
): Promise<{ radius: number; facilities: NearbyFacility[] }> {
  const current = known ?? { version: await currentContentVersion(house.db) }
  const places = (await keptPlaces.one(house.db, 'all', () => readPlaces(house), current)) ?? []
  for (const radius of radii) {
    const { south, north, west, east } = boundingBox(point, radius)
    const inBox = places.filter(({ lat, lng }) => lat >= south && lat <= north && lng >= west && lng <= east)
    const found = nearest(point, inBox, { radius, max: most })
    if (found.length === 0) continue
    const codes = found.map((one) => one.locationCode)
    const facilities = await keptFacilities.several(
      house.db,
      codes,
      (missing) => readFacilities(house, missing),
      current,
    )
    return {
      radius,
      facilities: found.flatMap(({ locationCode, miles }) => {
        const facility = facilities.get(locationCode)
        return facility ? [{ ...facility, miles }] : []
      }),
    }
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
  current?: Current,
): Promise<NearbyFacility[]> => (await nearestWithin(house, point, [radius], most, current)).facilities

/**
 * The nearby card of the home page: up to 2 facilities within 10 miles (spec 1 §1, §9), of the content as it was read
 * last: the site's frame reads its version every second, and a facility that is gone by then has no price on the card.
 */
export const nearbyCard = async (house: House, point: Point): Promise<NearbyFacility[]> =>
  facilitiesWithin(house, point, NEARBY_RADIUS_MILES, NEARBY_MAX, { version: await recentContentVersion(house.db) })

const radii = [25, 50, 100, 250, 500, 3_000]

/**
 * The search's answer: the nearest facilities, in a radius that widens until it holds one.
 * @returns `radius`: the miles it took; the page says so when it is more than `radii[0]` (`widened`)
 */
export async function nearestFacilities(
  house: House,
  point: Point,
  most = 20,
  current?: Current,
): Promise<{ radius: number; widened: boolean; facilities: NearbyFacility[] }> {
  const found = await nearestWithin(house, point, radii, most, current)
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

/**
 * What a page shows of the content, with what its facilities cost from and which have anything free. One statement where
 * the content is kept.
 * @param read the content, by what is kept under the version given, and the facilities to price
 */
export const withFromPrices = <Content>(
  house: House,
  read: (current: Current) => Promise<{ content: Content; priced: readonly Facility[] }>,
): Promise<{ content: Content; prices: FromPrices }> =>
  withVersionAlong(house.db, async (current) => {
    const { content, priced } = await read(current)
    if (priced.length === 0) return { made: { content, prices: new Map() }, version: null }
    const codes = priced.map((one) => one.locationCode)
    const { quotes, version } = await quotesWithVersion(house, codes)
    return { made: { content, prices: new Map(codes.map((code) => [code, cheapestFree(quotes.get(code))])) }, version }
  })

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
