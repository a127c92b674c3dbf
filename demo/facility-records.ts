import { cardProcessingFee } from '../domain/texts/payment.ts'
import { slugOf } from '../modules/facilities/rules/facility-slug.ts'
import { OFFICE_FACILITY_ID } from '../modules/facilities/rules/operator-office-facility-id.ts'
import { firstMonthFree } from '../modules/pricing/texts/first-month-free.ts'
import { fee24HourAccess } from '../modules/pricing/texts/full-day-access-fee-name.ts'
import type {
  DiscountsTable,
  FeesTable,
  InsuranceSchemesTable,
  LocationContentsTable,
  LocationsTable,
  MapFixturesTable,
  UnitTypesTable,
} from '../platform/schema/tables.ts'
import type { DemoFacility } from './facilities.ts'
import { brochureFile, insuranceSchemes } from './operator-brand-settings-and-plans.ts'
import type { SitePlan } from './site-plan.ts'
import { type UnitKind, unitKinds } from './unit-kinds.ts'

/** Rows of a facility with its unit types, fees and discounts, without tenants. */
export interface FacilityRecords {
  location: LocationsTable
  contents: LocationContentsTable
  unitTypes: UnitTypesTable[]
  discounts: DiscountsTable[]
  schemes: InsuranceSchemesTable[]
  fees: FeesTable[]
  fixtures: MapFixturesTable[]
}

const access24Fee = 20_00
const cardFee = 2_00
const parkingAdminFee = 15_00
export const lateFee = 20_00
const wholeDollars = (cents: number) => Math.round(cents / 100) * 100
const isParking = (kind: UnitKind) => kind.category.includes('Parking')

/**
 * Returns the discount for new renters by size: first month free for small units, then half off, then one dollar, null
 * for large ones and for parking.
 */
function offerFor(kind: UnitKind): Pick<DiscountsTable, 'description' | 'amount' | 'type'> | null {
  const area = kind.length * kind.breadth
  if (isParking(kind) || area > 200) return null
  if (area <= 50) return { description: firstMonthFree, amount: 100_00, type: 1 }
  if (area <= 150) return { description: '50% Off First Month', amount: 50_00, type: 1 }
  return { description: '$1 First Month', amount: 1_00, type: 2 }
}

/**
 * Discounts that must never be offered, listed before those that may: not displayable, not revenue-managed, not
 * available.
 */
const withheldOffers: Omit<DiscountsTable, 'location_code' | 'discount_id' | 'unit_type_id' | 'retired_on'>[] = [
  { description: 'Manager Special', amount: 25_00, type: 1, displayable: 0, revenue_managed: 1, available: 1 },
  { description: 'Service Member 10% Off', amount: 10_00, type: 1, displayable: 1, revenue_managed: 0, available: 1 },
  { description: 'Summer Send-Off', amount: 50_00, type: 1, displayable: 1, revenue_managed: 1, available: 0 },
]

function feesOf(facility: DemoFacility): Omit<FeesTable, 'location_code' | 'retired_on'>[] {
  if (facility.facilityId === OFFICE_FACILITY_ID) return []
  const fees: Omit<FeesTable, 'location_code' | 'retired_on'>[] = []
  const admin = { description: 'Administration Fee', charged: 'move_in' as const }
  if (facility.units.some(([type]) => isParking(unitKinds[type]))) {
    // Parking is less work than a unit, so this facility's fee depends on the unit type.
    facility.units.forEach(([type], index) => {
      const amount = isParking(unitKinds[type]) ? parkingAdminFee : facility.adminFee
      fees.push({ ...admin, fee_id: 101 + index, unit_type_id: index + 1, amount })
    })
  } else {
    fees.push({ ...admin, fee_id: 1, unit_type_id: null, amount: facility.adminFee })
  }
  if (facility.access24) {
    const description = fee24HourAccess
    fees.push({ fee_id: 2, unit_type_id: null, description, amount: access24Fee, charged: 'on_choice' })
  }
  if (facility.ccFee) {
    const description = cardProcessingFee
    fees.push({ fee_id: 3, unit_type_id: null, description, amount: cardFee, charged: 'card' })
  }
  fees.push({ fee_id: 5, unit_type_id: null, description: 'Late fee', amount: lateFee, charged: 'late' })
  const powered = facility.features.some((feature) => feature.includes('30-amp'))
  facility.units.forEach(([type], index) => {
    if (powered && type === 'PC1235') {
      fees.push({ fee_id: 4, unit_type_id: index + 1, description: 'Shore Power', amount: 15_00, charged: 'period' })
    }
  })
  return fees
}

const completionScreen = (facility: DemoFacility) =>
  `<h2>Good to have you at ${facility.name}</h2>
<p>Type your code at the gate, wait for the green light, and drive in.</p>
<ul><li>Leave an aisle down the middle, so that you reach what stands at the back.</li><li>Photograph your unit when it is full; insurers like that.</li></ul>
<p>How was it so far? <a href="{review_link}">Tell us and your neighbors</a>.</p>`

/**
 * Builds the rows of a facility and its catalog. Unit types are numbered from 1 in the order of the facility's list.
 */
export function facilityRecords(facility: DemoFacility, plan: SitePlan): FacilityRecords {
  const location_code = facility.code
  return {
    location: locationOf(facility),
    contents: {
      location_code,
      website_move_in_completion_screen: completionScreen(facility),
      fee_for_24hr_access: facility.access24 ? access24Fee : null,
    },
    unitTypes: facility.units.map((unit, index) => unitTypeOf(facility, unit, index + 1)),
    discounts: facility.facilityId === OFFICE_FACILITY_ID ? [] : discountsOf(facility),
    schemes:
      facility.insurance === 'none'
        ? []
        : insuranceSchemes.map((scheme) => ({ location_code, ...scheme, retired_on: null })),
    fees: feesOf(facility).map((fee) => ({ location_code, ...fee, retired_on: null })),
    fixtures: plan.fixtures.map(({ category, floor, left, top, length, width }, index) => ({
      location_code,
      fixture_id: index + 1,
      category_name: category,
      floor_no: floor,
      left_coordinate: left,
      top_coordinate: top,
      length,
      width,
      rotate: 0,
      system_rotation: 0,
    })),
  }
}

function locationOf(facility: DemoFacility): LocationsTable {
  const [rent_tax_rate, insurance_tax_rate, fee_tax_rate] = facility.taxes
  const site = slugOf(facility.name)
  return {
    location_code: facility.code,
    facility_id: facility.facilityId,
    name: facility.name,
    slug: slugOf(facility.address),
    address: facility.address,
    city: facility.city,
    city_slug: slugOf(facility.city),
    state: facility.state,
    zip: facility.zip,
    phone: facility.phone,
    reservation_email: `${site.replace('latchkey-', '')}@latchkey.example`,
    lat: facility.lat,
    lng: facility.lng,
    time_zone: facility.timeZone,
    photo: '',
    front: facility.facilityId,
    walls: facility.walls ?? null,
    changed_at: null,
    description: facility.description,
    directions: facility.directions,
    office_hours: JSON.stringify(facility.officeHours.map(([days, hours]) => ({ days, hours }))),
    gate_hours: facility.gateHours,
    features: JSON.stringify(facility.features),
    security: JSON.stringify(facility.security),
    sboa: facility.insurance === 'none' ? 0 : 1,
    sboa_brochure: facility.insurance === 'brochure' ? brochureFile : '',
    reservation_window: facility.reservationWindow,
    cc_fee: facility.ccFee ? 1 : 0,
    allow_ach: facility.noAch ? 0 : 1,
    facility_map_enabled: facility.noMap ? 0 : 1,
    coming_soon: facility.comingSoon ? 1 : 0,
    feedback_link: `https://reviews.example/${site}`,
    special_instruction_after_rental: facility.afterRental,
    rent_tax_rate,
    insurance_tax_rate,
    fee_tax_rate,
    auction_after_days: 75,
    retired_on: null,
  }
}

function unitTypeOf(
  facility: DemoFacility,
  [code, count]: DemoFacility['units'][number],
  unit_type_id: number,
): UnitTypesTable {
  const kind = unitKinds[code]
  const web = wholeDollars((kind.rate * facility.level) / 100)
  return {
    location_code: facility.code,
    unit_type_id,
    unit_type_code: code,
    category_name: kind.category,
    length: kind.length,
    breadth: kind.breadth,
    rent: wholeDollars(web * 1.15),
    internet_price: web,
    // Types with fewer than ten units, mostly the largest ones, have no web price and are rented at the street rate.
    internet_price_available: count < 10 ? 0 : 1,
    description: kind.description,
    detailed_description: kind.detail,
    features: JSON.stringify(kind.features),
    retired_on: null,
  }
}

function discountsOf({ code: location_code, units }: DemoFacility): DiscountsTable[] {
  const withheld = withheldOffers.map((offer, index) => ({
    ...offer,
    location_code,
    discount_id: index + 1,
    unit_type_id: null,
    retired_on: null,
  }))
  const offered = units.flatMap(([type], index) => {
    const offer = offerFor(unitKinds[type])
    if (!offer) return []
    const flags = { displayable: 1, revenue_managed: 1, available: 1 } as const
    return [{ ...offer, ...flags, location_code, discount_id: 11 + index, unit_type_id: index + 1, retired_on: null }]
  })
  return [...withheld, ...offered]
}
