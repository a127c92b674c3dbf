import { addDays, type IsoDate } from '../../../domain/plain-date.ts'

/**
 * Terms that the winner of an auctioned unit accepts (spec 2 §9). The fee is in cents. The link (`insertAuctionLink`)
 * has the price and no deadline; hours and days count from the payment.
 */
export const AUCTION = {
  cleanOutHours: 72,
  cleaningFee: 12_500,
  accessFrom: '5:00 AM',
  accessTo: '9:00 PM',
  moveOutDays: 3,
} as const

/** Returns the day by which the winner of an auction paid today must vacate the unit. */
export function auctionMoveOutDate(today: IsoDate): IsoDate {
  return addDays(today, AUCTION.moveOutDays)
}

/**
 * Version of the auction rules, stored with each acknowledgement. Changed rules need a new version and a new
 * acknowledgement.
 */
export const AUCTION_RULES_VERSION = '2026-11'

export const auctionRules: readonly string[] = [
  `You have ${AUCTION.cleanOutHours} hours from your payment to clean out the unit, completely.`,
  `A cleaning fee of $${(AUCTION.cleaningFee / 100).toFixed(2)} is charged if the unit is not left empty and clean.`,
  'No deposit is taken.',
  `You have access from ${AUCTION.accessFrom} to ${AUCTION.accessTo}, every day.`,
]
