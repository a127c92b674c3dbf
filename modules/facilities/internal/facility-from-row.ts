import type { Selectable } from 'kysely'
import { isTextList, parseJson } from '../../../domain/parse-json-and-check-shape.ts'
import type { LocationsTable } from '../../../platform/schema/tables.ts'
import { isOfficeHours } from '../rules/csv-column-types.ts'
import type { Facility } from '../rules/facility.ts'
import { deriveLook, type FacilityLook } from '../rules/facility-front-to-draw.ts'
import { facilityPath } from '../rules/facility-path.ts'

const unknownLook = deriveLook({ walls: null, features: '[]', floors: 1, unitTypes: [] })

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
