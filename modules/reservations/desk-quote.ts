/** The price that the desk says on the phone, kept as it was shown. */

import type { Services } from '../../platform/operations/services.ts'
import type { FacilityFacts, UnitTypeRow } from '../facilities/facts.ts'
import type { PriceChange } from '../pricing/quotes.ts'
import type { Charges } from '../pricing/rules/charges.ts'
import type { PricedDraft } from './draft-price.ts'
import { consentToQuote, quoteDraft, storeQuote } from './draft-quote.ts'

/** A rental of the type before a renter is known: its quotes are those of the type at the desk. */
const rentalOf = ({ location }: FacilityFacts, type: UnitTypeRow): PricedDraft => ({
  draftId: `desk:${location.location_code}:${type.unit_type_id}`,
  locationCode: location.location_code,
  unitTypeId: type.unit_type_id,
  reservationCode: null,
  rentNow: false,
  answers: {},
})

export interface DeskQuote {
  quoteId: string
  /** Every 30 days, before taxes. */
  rent: number
  discount: string
  charges: Charges
  /** What is taken for granted: the cheapest plan, autopay. */
  assumptions: string[]
}

/** @returns null where there is no price any more */
export async function quoteAtDesk(
  services: Services,
  facts: FacilityFacts,
  type: UnitTypeRow,
): Promise<DeskQuote | null> {
  const known = { facts, reservation: null }
  const rental = rentalOf(facts, type)
  const [quote, stored] = [await quoteDraft(services, rental, known), await storeQuote(services, rental, known)]
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
 * What has changed since a price was shown at the desk; null where it holds, however long ago that was. Empty where it was
 * not shown of this type. The day is chosen in the form, so that it is no change.
 */
export async function changedAtDesk(
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
