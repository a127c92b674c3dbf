import { addDays, daysBetween, type IsoDate } from '../../../domain/plain-date.ts'

/** Days past paid-through after which an unpaid unit is overlocked and the gate refuses its code. */
export const OVERLOCK_AFTER_DAYS = 10

/** Returns the first day on which an unpaid unit is overlocked and the gate refuses its code. */
export const overlockDay = (paidThrough: IsoDate): IsoDate => addDays(paidThrough, OVERLOCK_AFTER_DAYS + 1)

/**
 * Returns whether a lease is overlocked: it owes, autopay will not charge it, and it is to be auctioned or more than
 * `OVERLOCK_AFTER_DAYS` days past paid-through.
 */
export const isOverlocked = (
  lease: { owes: boolean; charging: boolean; auctionPrepped: boolean; paidThrough: IsoDate },
  today: IsoDate,
): boolean =>
  lease.owes && !lease.charging && (lease.auctionPrepped || daysBetween(lease.paidThrough, today) > OVERLOCK_AFTER_DAYS)
