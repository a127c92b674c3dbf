import type { Services } from '../../../platform/operations/services.ts'
import { storeQuote } from '../draft-quote.ts'
import { type DraftFacts, pricingOfFacts } from '../load-draft-facts.ts'
import type { Draft } from '../rules/journey/draft.ts'

/**
 * Stores the draft's price as its page shows it, so that the renter's consent refers to it.
 * @param facts facts that the page has loaded
 * @returns the quote's id; undefined if the facts do not contain the draft's unit type
 */
export async function storeShownPrice(
  services: Services,
  draft: Draft,
  facts: DraftFacts,
): Promise<string | undefined> {
  return (await storeQuote(services, draft, pricingOfFacts(facts)))?.quoteId
}
