import type { Services } from '../../../platform/operations/services.ts'
import type { FacilityFacts, UnitTypeRow } from '../../facilities/facility-facts-for-pricing.ts'
import type { PriceChange } from '../../pricing/rules/changed-price-of-quote-type.ts'
import type { PricedDraft } from '../draft-price.ts'
import { consentToQuote } from '../draft-quote.ts'

/** Returns a stand-in draft for a unit type, so that the desk can quote a price before a renter is known. */
export const deskDraftOf = ({ location }: FacilityFacts, type: UnitTypeRow): PricedDraft => ({
  draftId: `desk:${location.location_code}:${type.unit_type_id}`,
  locationCode: location.location_code,
  unitTypeId: type.unit_type_id,
  reservationCode: null,
  rentNow: false,
  answers: {},
})

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
  const agreed = await consentToQuote(services, deskDraftOf(facts, type), quoteId, { facts, reservation: null })
  if (agreed.ok) return null
  if (!('changes' in agreed)) return []
  const changes = agreed.changes.filter(({ before, now }) => before !== null || now !== null)
  return changes.length > 0 ? changes : null
}
