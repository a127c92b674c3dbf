import type { Services } from '../../../platform/operations/services.ts'
import type { PriceChange } from '../../pricing/rules/price-change.ts'
import { consentToQuote } from '../draft-quote.ts'
import type { Draft } from '../rules/journey/draft.ts'

/**
 * Records the renter's consent to the price that a form showed: compares it with the current price, which is stored
 * where it differs.
 * @returns the changes; null when the price is the same; an empty list when the draft has no such quote, so that the
 *   renter is asked again; 'gone' when the unit type no longer exists
 */
export async function consentToShownPrice(
  services: Services,
  draft: Draft,
  quoteId: string,
): Promise<PriceChange[] | null | 'gone'> {
  const consent = await consentToQuote(services, draft, quoteId)
  if (consent.ok) return null
  switch (consent.why) {
    case 'gone':
      return 'gone'
    case 'unknown':
      return []
    case 'changed':
      return consent.changes
    case 'expired':
      return null
  }
}
