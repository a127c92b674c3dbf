/** Returns whether the card fee applies: the facility charges it, autopay is declined, and the payment is by card. */
export function cardFeeApplies(facts: { ccFee: boolean; autopay: boolean; method: 'CC' | 'ACH' }): boolean {
  return facts.ccFee && !facts.autopay && facts.method === 'CC'
}
