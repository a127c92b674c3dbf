import { expect, it } from 'vitest'
import { AUCTION_RULES_VERSION, auctionRules } from './auction-rules-for-winner.ts'

// Winners acknowledged this text under this version, so text and version change together.
it('the auction rules of this version have this text', () => {
  expect({ version: AUCTION_RULES_VERSION, rules: auctionRules }).toEqual({
    version: '2026-11',
    rules: [
      'You have 72 hours from your payment to clean out the unit, completely.',
      'A cleaning fee of $125.00 is charged if the unit is not left empty and clean.',
      'No deposit is taken.',
      'You have access from 5:00 AM to 9:00 PM, every day.',
    ],
  })
})
