import type { Cents } from '../../../domain/money.ts'
import { addDays, type IsoDate } from '../../../domain/plain-date.ts'

/** What the winner of an auctioned unit agrees to (spec 2 §9). */
export const AUCTION = {
  cleanOutHours: 72,
  cleaningFee: 12_500 as Cents,
  accessFrom: '5:00 AM',
  accessTo: '9:00 PM',
  moveOutDays: 3,
  vacateReasonId: 1,
} as const

/** Returns the day by which the winner of an auction paid today has to leave the unit. */
export function auctionMoveOutDate(today: IsoDate): IsoDate {
  return addDays(today, AUCTION.moveOutDays)
}

/** Kept with each acknowledgement: a changed text is a new version, and is acknowledged again. */
export const AUCTION_RULES_VERSION = '2026-11'

export const auctionRules: readonly string[] = [
  `You have ${AUCTION.cleanOutHours} hours from your payment to clean out the unit, completely.`,
  `A cleaning fee of $${(AUCTION.cleaningFee / 100).toFixed(2)} is charged if the unit is not left empty and clean.`,
  'No deposit is taken.',
  `You have access from ${AUCTION.accessFrom} to ${AUCTION.accessTo}, every day.`,
]
