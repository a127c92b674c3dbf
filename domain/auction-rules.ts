import { AUCTION } from './business.ts'

/** Kept with each acknowledgement: a changed text is a new version, and is acknowledged again. */
export const AUCTION_RULES_VERSION = '2026-11'

export const auctionRules: readonly string[] = [
  `You have ${AUCTION.cleanOutHours} hours from your payment to clean out the unit, completely.`,
  `A cleaning fee of $${(AUCTION.cleaningFee / 100).toFixed(2)} is charged if the unit is not left empty and clean.`,
  'No deposit is taken.',
  `You have access from ${AUCTION.accessFrom} to ${AUCTION.accessTo}, every day.`,
]
