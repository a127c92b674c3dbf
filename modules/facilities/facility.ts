import type { Selectable } from 'kysely'
import { isTextList, parseJson } from '../../domain/parse-json.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LocationsTable } from '../../platform/schema/tables.ts'
import { isOfficeHours } from './rules/csv-fields.ts'
import { deriveLook, type FacilityLook } from './rules/facility-appearance.ts'
import { OFFICE_FACILITY_ID } from './rules/office-facility-id.ts'

/** Facility as pages show it: its row with JSON parsed and flags as booleans. Phones are 10 digits. */
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
  /** URL of the photograph; '' where there is none and pages show a drawing instead, which `front` varies. */
  photo: string
  front: number
  /** Features that a drawing of the facility shows; plain defaults where only the row was loaded. */
  look: FacilityLook
  description: string
  directions: string
  officeHours: { days: string; hours: string }[]
  gateHours: string
  features: string[]
  /** Codes of `rules/security-features.ts`. */
  security: string[]
  insuranceOffered: boolean
  /** File name of the insurance brochure, or ''. */
  brochure: string
  /** Number of days, including today, from which a move-in date may be chosen. */
  reservationWindow: number
  cardFee: boolean
  allowAch: boolean
  mapEnabled: boolean
  comingSoon: boolean
  feedbackLink: string
  instructionAfterRental: string
  /** Path of the facility's page: `/storage-units/ga/atlanta/675-north-ave-ne` */
  path: string
}

const unknownLook = deriveLook({ walls: null, features: '[]', storeys: 1, unitTypes: [] })

/** Converts a facility's row to the form that pages show. */
export function toFacility(row: Selectable<LocationsTable>, look: FacilityLook = unknownLook): Facility {
  return {
    look,
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
    officeHours: parseJson(row.office_hours, isOfficeHours),
    gateHours: row.gate_hours,
    features: parseJson(row.features, isTextList),
    security: parseJson(row.security, isTextList),
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

const selectFacilities = (services: Services) =>
  services.db.read.selectFrom('locations').selectAll().where('facility_id', '!=', OFFICE_FACILITY_ID)

/** Loads a facility; null for an unknown code and for the operator's office. */
export async function facilityByCode(services: Services, locationCode: string): Promise<Facility | null> {
  const row = await selectFacilities(services).where('location_code', '=', locationCode).executeTakeFirst()
  return row ? toFacility(row) : null
}

/**
 * Returns all facilities but the operator's office as options of a choice: location code and 'Ponce City, Atlanta GA'.
 */
export async function loadFacilityChoices(services: Services): Promise<{ value: string; label: string }[]> {
  const rows = await selectFacilities(services).orderBy('state').orderBy('city').orderBy('name').execute()
  return rows.map((row) => ({ value: row.location_code, label: `${row.name}, ${row.city} ${row.state}` }))
}
