import type { Services } from '../../../platform/operations/services.ts'
import type { PriceChange } from '../../pricing/rules/changed-price-of-quote-type.ts'
import { consentToQuote } from '../draft-quote.ts'
import type { Draft } from '../rules/journey/draft.ts'

/** Difference between the price that a form showed and the current one. */
export type ShownPriceComparison =
  /** The facility or the unit type no longer exists. */
  | { gone: true }
  /** `changes`: null for the same price; empty where the draft has no such quote, so that the renter is asked again. */
  | { gone: false; changes: PriceChange[] | null }

/**
 * Compares the price that a form showed with the current one, which is stored as a new quote where it differs or the
 * old quote has expired.
 */
export async function compareShownPrice(
  services: Services,
  draft: Draft,
  quoteId: string,
): Promise<ShownPriceComparison> {
  const consent = await consentToQuote(services, draft, quoteId)
  if (consent.ok) return { gone: false, changes: null }
  switch (consent.why) {
    case 'gone':
      return { gone: true }
    case 'unknown':
      return { gone: false, changes: [] }
    case 'changed':
      return { gone: false, changes: consent.changes }
    case 'expired':
      return { gone: false, changes: null }
  }
}
