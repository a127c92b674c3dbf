import type { Services } from '../../../platform/operations/services.ts'
import type { FacilityFacts, UnitTypeRow } from '../../facilities/facility-facts-for-pricing.ts'
import type { Charges } from '../../pricing/rules/charges.ts'
import { insertDraftQuote, quoteDraft } from '../draft-quote.ts'
import { deskDraftOf } from '../internal/compare-desk-quote.ts'

/** A price that a staff member reads to a caller, as stored. */
export interface DeskQuote {
  quoteId: string
  /** Rent for each 30 days before taxes, in cents. */
  rent: number
  discount: string
  charges: Charges
  /** What the price assumes, such as 'with $3,000 cover insurance' (the cheapest scheme) and 'autopay on'. */
  assumptions: string[]
}

/**
 * Prices a move-in into a unit type and stores the quote.
 * @returns null where `facts` does not contain the unit type
 */
export async function quoteAtDesk(
  services: Services,
  facts: FacilityFacts,
  type: UnitTypeRow,
): Promise<DeskQuote | null> {
  const rental = deskDraftOf(facts, type)
  const quote = await quoteDraft(services, rental, { facts, reservation: null })
  if (!quote) return null
  const stored = await insertDraftQuote(services, rental, quote)
  return {
    quoteId: stored.quoteId,
    rent: quote.rent,
    discount: quote.discount?.description ?? '',
    charges: stored.charges,
    assumptions: quote.assumptions,
  }
}
