import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Json } from '../../platform/schema/json-and-sealed-types.ts'
import type { FeeTiming, Flag, UnitStatus } from '../../platform/schema/narrowed-column-types.ts'
import { noPerson, type TableCards } from '../../platform/schema/table-privacy-card-type.ts'
import type { PhotoSlot } from './rules/photograph.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    locations: Record<'cc_fee' | 'allow_ach' | 'facility_map_enabled' | 'coming_soon', Flag> & {
      /** Facility number; 1 is the operator's office, which rents out no units. */
      facility_id: number
      /** Slug of the street address in lower case: `675-north-ave-ne`; `city_slug` is that of the city. */
      slug: string
      /** [{days: 'Mon–Fri', hours: '9 AM to 6 PM'}] */
      office_hours: Json
      /** string[] */
      features: Json
      /** Codes of `rules/security-features.ts`. */
      security: Json
      sboa: Flag
      /** Number of days, including today, from which a move-in date may be chosen. */
      reservation_window: number
      /** Tax rate in hundredths of a percent, like the other rates: 890 is 8.90 %. */
      rent_tax_rate: number
    }
    location_contents: {
      /** The operator's HTML, sanitized when read; {review_link} is replaced by feedback_link. */
      website_move_in_completion_screen: string
      /** The fee named '24 Hour Access Fee' per period, or null where there is none. */
      fee_for_24hr_access: Cents | null
    }
    unit_types: {
      rent: Cents
      internet_price_available: Flag
      features: Json
    }
    units: {
      status: UnitStatus
      /**
       * Reservation code of a held unit; 'move-out' from a move-out to its inspection; 'office' while staff keep it out
       * of service; 'retired' where it was available when it was retired, or where an earlier release retired it; null
       * otherwise, also for a unit that an import took out of service.
       */
      held_by: string | null
      /**
       * What was retired: the unit by itself, or its unit type or facility. Null for a unit that is not retired, or that
       * an earlier release retired.
       */
      retired_with: 'unit' | 'unit_type' | 'facility' | null
      /** Position on the facility map, in feet, with `top_coordinate`; null hides the unit. */
      left_coordinate: number | null
    }
    units_out_of_service: {
      /** Expected return to service. Nothing happens automatically on that day. */
      back_on: IsoDate | null
    }
    facility_photos: { slot: PhotoSlot | null }
    unit_photos: {
      /** 'move-out': taken at the inspection of the emptied unit. */
      kind: 'move-out'
    }
    discounts: Record<'displayable' | 'revenue_managed' | 'available', Flag> & {
      unit_type_id: number | null
      /** Type 1: hundredths of a percent (10000 = 100.00 %). Otherwise: fixed price of the first period, in cents. */
      amount: number
    }
    fees: { charged: FeeTiming }
  }
}

const offer = noPerson('What the business offers: no person.')

export const facilitiesCards: TableCards = {
  locations: offer,
  location_contents: offer,
  states: offer,
  unit_types: offer,
  units: offer,
  units_out_of_service: offer,
  facility_photos: offer,
  unit_photos: noPerson('Pictures of empty units: no person.'),
  map_fixtures: offer,
  discounts: offer,
  insurance_schemes: offer,
  fees: offer,
  settings: offer,
}
