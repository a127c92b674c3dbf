/** Periods of a lease: what status it has by its books and the calendar, and up to when it is paid (CLARIFICATIONS' 30 days). */
import { PERIOD_DAYS } from './charges.ts'
import type { Cents } from './money.ts'
import { addDays, daysBetween, type IsoDate } from './plain-date.ts'

export type OpenLeaseStatus = 'Current' | 'Pre-Paid' | 'Past Due' | 'Auction'

/**
 * The status of a lease that is not closed. A scheduled move-out is a date beside it.
 * @param lease paidThrough is the last day paid for; balance in cents, above 0 is owed
 */
export function leaseStatus(
  lease: { auctionPrepped: boolean; balance: Cents; paidThrough: IsoDate },
  today: IsoDate,
): OpenLeaseStatus {
  if (lease.auctionPrepped) return 'Auction'
  if (lease.balance > 0) return 'Past Due'
  return daysBetween(today, lease.paidThrough) >= PERIOD_DAYS ? 'Pre-Paid' : 'Current'
}

/** What the ledger holds of one period, or of the single charges of one day, in cents. */
export interface Charged {
  /** The period's first day; the day of a single charge. */
  start: IsoDate
  /** The period's last day; null for single charges (a late fee, a card fee). */
  end: IsoDate | null
  cents: Cents
}

/**
 * The last day that is paid for. Payments count for the oldest charge first; so walking back from the newest, as many are
 * unpaid as it takes to make up the balance.
 * @param charged in any order
 * @returns null where no period was ever charged
 */
export function paidThrough(charged: readonly Charged[], balance: Cents): IsoDate | null {
  // Of one day, the single charge came after the period.
  const newest = [...charged].sort((a, b) =>
    a.start === b.start ? (a.end === null ? -1 : 1) : a.start < b.start ? 1 : -1,
  )
  let left = balance
  for (const { end, cents } of newest) {
    if (end !== null && left <= 0) return end
    left -= cents
  }
  const oldest = newest.findLast((one) => one.end !== null)
  return oldest ? addDays(oldest.start, -1) : null
}
