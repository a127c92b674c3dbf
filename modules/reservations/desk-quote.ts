/** Price quotes that a staff member reads to a caller on the phone, stored as shown. */

import type { Services } from '../../platform/operations/services.ts'
import type { FacilityFacts, UnitTypeRow } from '../facilities/facility-price-facts.ts'
import type { Charges } from '../pricing/rules/charges.ts'
import type { PriceChange } from '../pricing/rules/price-change.ts'
import type { PricedDraft } from './draft-price.ts'
import { consentToQuote, quoteDraft, storeQuote } from './draft-quote.ts'

/** Returns a stand-in draft for a unit type, so that the desk can quote a price before a renter is known. */
const rentalOf = ({ location }: FacilityFacts, type: UnitTypeRow): PricedDraft => ({
  draftId: `desk:${location.location_code}:${type.unit_type_id}`,
  locationCode: location.location_code,
  unitTypeId: type.unit_type_id,
  reservationCode: null,
  rentNow: false,
  answers: {},
})

/** A price that a staff member reads to a caller, as stored. */
export interface DeskQuote {
  quoteId: string
  /** Rent for each 30 days before taxes, in cents. */
  rent: number
  discount: string
  charges: Charges
  /** Sentences on what the price assumes: the cheapest insurance scheme, autopay. */
  assumptions: string[]
}

/**
 * Prices a move-in into a unit type and stores the quote.
 * @returns null where the facility or unit type no longer exists
 */
export async function quoteAtDesk(
  services: Services,
  facts: FacilityFacts,
  type: UnitTypeRow,
): Promise<DeskQuote | null> {
  const pricing = { facts, reservation: null }
  const rental = rentalOf(facts, type)
  const [quote, stored] = [await quoteDraft(services, rental, pricing), await storeQuote(services, rental, pricing)]
  if (!quote || !stored) return null
  return {
    quoteId: stored.quoteId,
    rent: quote.rent,
    discount: quote.discount?.description ?? '',
    charges: stored.charges,
    assumptions: quote.assumptions,
  }
}

/**
 * Returns how the price differs from a desk quote; null where it is unchanged, even if the quote has expired. The list
 * is empty where the quote is unknown or not of this unit type. A changed start day is ignored, since the form chooses
 * it.
 */
export async function findDeskPriceChanges(
  services: Services,
  facts: FacilityFacts,
  type: UnitTypeRow,
  quoteId: string,
): Promise<PriceChange[] | null> {
  const agreed = await consentToQuote(services, rentalOf(facts, type), quoteId, { facts, reservation: null })
  if (agreed.ok) return null
  if (!('changes' in agreed)) return []
  const changes = agreed.changes.filter(({ before, now }) => before !== null || now !== null)
  return changes.length > 0 ? changes : null
}
