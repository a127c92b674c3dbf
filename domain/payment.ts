/**
 * Seconds within which a repeated payment counts as the one whose response was lost (spec 2 §4, §9), in Cancun time.
 */
export const ALREADY_PROCESSED_SECONDS = 35
/** Returns whether the card fee applies: the facility charges it, autopay is declined, and the payment is by card. */
export function cardFeeApplies(facts: { ccFee: boolean; autopay: boolean; method: 'CC' | 'ACH' }): boolean {
  return facts.ccFee && !facts.autopay && facts.method === 'CC'
}
