import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { isTextList, parseJson } from '../../../domain/parse-json-and-check-shape.ts'
import { formatUs } from '../../../domain/plain-date.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { LocationsTable } from '../../../platform/schema/tables.ts'
import { reservationWindow } from '../../reservations/rules/first-and-last-reservable-day.ts'
import { isOfficeHours } from '../rules/csv-column-types.ts'
import { facilityPath } from '../rules/facility-path.ts'
import { OFFICE_FACILITY_ID } from '../rules/operator-office-facility-id.ts'

/** Wire shape of a location (spec 1 §3), with further fields that its page needs. */
export const locationSchema = v.object({
  id: v.number(),
  location_code: v.string(),
  name: v.string(),
  address: v.string(),
  city: v.string(),
  state: v.string(),
  zip: v.string(),
  phone: v.string(),
  reservation_email: v.string(),
  lat: v.number(),
  long: v.number(),
  photo: v.string(),
  sboa: v.boolean(),
  sboa_brochure: v.string(),
  /** Number of days, including today, from which a move-in date may be chosen. */
  reservation_window: v.number(),
  /** First day that may be chosen now for a move-in, mm/dd/yyyy, by the location's time zone. */
  earliest_move_in_date: v.string(),
  /** Last day that may be chosen now for a move-in, mm/dd/yyyy, by the location's time zone. */
  latest_move_in_date: v.string(),
  cc_fee: v.boolean(),
  allow_ach: v.boolean(),
  facility_map_enabled: v.boolean(),
  coming_soon: v.boolean(),
  feedback_link: v.string(),
  special_instruction_after_rental: v.string(),
  description: v.string(),
  directions: v.string(),
  time_zone: v.string(),
  office_hours: v.array(v.object({ days: v.string(), hours: v.string() })),
  gate_hours: v.string(),
  features: v.array(v.string()),
  /** Tax on rent as percent with two decimals, '8.90', like the two rates below. */
  rent_tax_rate: v.string(),
  insurance_tax_rate: v.string(),
  fee_tax_rate: v.string(),
  path: v.string(),
})

export type WireLocation = v.InferInput<typeof locationSchema>

/** Converts a facility's row to its wire format. */
export function wireLocation(services: Services, row: Selectable<LocationsTable>): WireLocation {
  const window = reservationWindow(todayIn(row.time_zone, services.clock.now()), row.reservation_window)
  const percent = (rate: number) => (rate / 100).toFixed(2)
  return {
    id: row.facility_id,
    location_code: row.location_code,
    name: row.name,
    address: row.address,
    city: row.city,
    state: row.state,
    zip: row.zip,
    phone: row.phone,
    reservation_email: row.reservation_email,
    lat: row.lat,
    long: row.lng,
    photo: row.photo,
    sboa: row.sboa === 1,
    sboa_brochure: row.sboa_brochure,
    reservation_window: row.reservation_window,
    earliest_move_in_date: formatUs(window.earliest),
    latest_move_in_date: formatUs(window.latest),
    cc_fee: row.cc_fee === 1,
    allow_ach: row.allow_ach === 1,
    facility_map_enabled: row.facility_map_enabled === 1,
    coming_soon: row.coming_soon === 1,
    feedback_link: row.feedback_link,
    special_instruction_after_rental: row.special_instruction_after_rental,
    description: row.description,
    directions: row.directions,
    time_zone: row.time_zone,
    office_hours: parseJson(row.office_hours, isOfficeHours),
    gate_hours: row.gate_hours,
    features: parseJson(row.features, isTextList),
    rent_tax_rate: percent(row.rent_tax_rate),
    insurance_tax_rate: percent(row.insurance_tax_rate),
    fee_tax_rate: percent(row.fee_tax_rate),
    path: facilityPath(row),
  }
}

/** Builds the query of all facilities but retired ones and the operator's office. The caller executes it. */
export const selectUnretiredLocations = (services: Services) =>
  services.db.read
    .selectFrom('locations')
    .selectAll()
    .where('facility_id', '!=', OFFICE_FACILITY_ID)
    .where('retired_on', 'is', null)
    .orderBy('location_code')

export const locationExample: WireLocation = {
  id: 101,
  location_code: 'ATL01',
  name: 'Latchkey Ralston Mill',
  address: '1184 Ralston Mill Road NE',
  city: 'Atlanta',
  state: 'GA',
  zip: '30308',
  phone: '4045550114',
  reservation_email: 'ralston-mill@latchkey.example',
  lat: 33.7718,
  long: -84.3757,
  photo: '',
  sboa: true,
  sboa_brochure: 'tenant-protection.pdf',
  reservation_window: 14,
  earliest_move_in_date: '11/20/2026',
  latest_move_in_date: '12/03/2026',
  cc_fee: false,
  allow_ach: true,
  facility_map_enabled: true,
  coming_soon: false,
  feedback_link: 'https://reviews.example/latchkey-ralston-mill',
  special_instruction_after_rental: 'Bring a disc lock: it fits the hasp of every door here …',
  description: 'A brick cotton warehouse of 1926, rebuilt inside …',
  directions: 'From Ponce de Leon Avenue turn north at the fire station …',
  time_zone: 'America/New_York',
  office_hours: [{ days: 'Mon–Fri', hours: '9 AM to 6 PM' }],
  gate_hours: '5 AM to 9 PM every day',
  features: ['Climate controlled', 'Elevators'],
  rent_tax_rate: '8.90',
  insurance_tax_rate: '4.00',
  fee_tax_rate: '8.90',
  path: '/storage-units/ga/atlanta/1184-ralston-mill-road-ne',
}
