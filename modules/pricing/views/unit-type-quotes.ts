import { isTextList, parseJson } from '../../../domain/parse-json-and-check-shape.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { countFreeUnits } from '../../facilities/availability.ts'
import {
  type FacilityFacts,
  isOpenForRent,
  loadFacilityFacts,
  newRenterDiscount,
} from '../../facilities/facility-facts-for-pricing.ts'
import { type SizeBand, sizeBand } from '../../facilities/rules/size-band.ts'
import { sizeLabel } from '../../facilities/rules/size-label.ts'
import { offeredTypes } from '../../facilities/rules/unretired-unit-types.ts'
import { toDiscount } from '../agreed-and-offered-terms.ts'
import { priceMoveIn } from '../move-in-price.ts'
import type { Charges } from '../rules/charges.ts'
import type { Discount } from '../rules/discount.ts'
import { cheapestScheme, priceAssumptions } from '../rules/price-assumptions.ts'
import { newRenterRent } from '../rules/web-price-or-street-rate.ts'

/** A unit type as renters see it, with its price in cents and number of free units. */
export interface UnitTypeQuote {
  unitTypeId: number
  unitTypeCode: string
  categoryName: string
  length: number
  breadth: number
  band: SizeBand
  /** Size label, such as '10 × 15'. */
  size: string
  description: string
  detailedDescription: string
  features: string[]
  free: number
  streetRent: number
  internetPrice: number
  internetPriceAvailable: boolean
  /** Charged rent: the web price if there is one. */
  rent: number
  discount: Discount | null
  charges: Charges
  dueToday: number
  thenPerMonth: number
  /** Assumptions behind the price, shown beside it. */
  assumptions: string[]
}

/** Prices of a facility's unit types today. */
export interface FacilityQuote {
  locationCode: string
  /** Today at the facility, which is the priced move-in date. */
  today: IsoDate
  unitTypes: UnitTypeQuote[]
}

/** Prices each unit type for a move-in today, before any choice. */
function quoteFacility(facts: FacilityFacts, free: ReadonlyMap<number, number> | undefined): FacilityQuote {
  const isOpen = isOpenForRent(facts.location)
  const scheme = cheapestScheme(facts.schemes)
  const unitTypes = offeredTypes(facts).map((type): UnitTypeQuote => {
    const discount = newRenterDiscount(facts, type.unit_type_id)
    const charges = priceMoveIn(facts, type, {
      moveInDate: facts.today,
      discount,
      scheme,
      access24: false,
      cardFee: false,
    })
    const shape = { categoryName: type.category_name, length: type.length, breadth: type.breadth }
    return {
      unitTypeId: type.unit_type_id,
      unitTypeCode: type.unit_type_code,
      ...shape,
      band: sizeBand(shape),
      size: sizeLabel(shape),
      description: type.description,
      detailedDescription: type.detailed_description,
      features: parseJson(type.features, isTextList),
      streetRent: type.rent,
      internetPrice: type.internet_price,
      internetPriceAvailable: type.internet_price_available === 1,
      rent: newRenterRent(type),
      discount: toDiscount(discount),
      charges,
      dueToday: charges.dueToday,
      thenPerMonth: charges.thenPerPeriod,
      assumptions: priceAssumptions(scheme?.scheme_name ?? null),
      free: (isOpen && free?.get(type.unit_type_id)) || 0,
    }
  })
  return { locationCode: facts.location.location_code, today: facts.today, unitTypes }
}

/**
 * Returns prices of several facilities' unit types, by location code. Retired and unknown facilities and the operator's
 * office are left out.
 */
export async function quoteFacilities(
  services: Services,
  locationCodes: string[],
): Promise<Map<string, FacilityQuote>> {
  const [facts, free] = await Promise.all([
    loadFacilityFacts(services, locationCodes),
    countFreeUnits(services, locationCodes),
  ])
  const activeFacilities = [...facts].filter(([, facility]) => facility.location.retired_on === null)
  return new Map(activeFacilities.map(([code, facility]) => [code, quoteFacility(facility, free.get(code))]))
}

/**
 * Returns prices of a facility's unit types, assuming the cheapest insurance offered, autopay, and no 24-hour access.
 * Returns null for an unknown or retired facility and for the operator's office.
 */
export async function quoteUnitTypes(services: Services, locationCode: string): Promise<FacilityQuote | null> {
  return (await quoteFacilities(services, [locationCode])).get(locationCode) ?? null
}
