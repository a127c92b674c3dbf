/**
 * Computes a lease's periods and standing from its ledger and the calendar. Periods are exactly 30 days (spec 1 §9).
 */

import type { Cents } from '../../../domain/money.ts'
import { addDays, daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import { paymentBlock } from '../../payments/rules/online-payment-blocks.ts'
import { PERIOD_DAYS, type PeriodInput, periodCharges, periodsBefore } from '../../pricing/rules/charges.ts'

export type OpenLeaseStatus = 'Current' | 'Pre-Paid' | 'Past Due' | 'Auction'

/**
 * Returns the status of an open lease.
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

/** Days past paid-through before the unit is overlocked and the gate refuses its code. */
export const OVERLOCK_AFTER_DAYS = 10
export const LATE_FEE_AFTER_DAYS = 10
export const PAST_DUE_MAIL_AFTER_DAYS = 5
/** Days between autopay's attempts: on day 1, 3 and 7 of the first unpaid period. */
export const AUTOPAY_WAIT_DAYS = [0, 2, 4] as const
export const AUTOPAY_TRIES: number = AUTOPAY_WAIT_DAYS.length

export interface Standing {
  status: OpenLeaseStatus
  auctionPrepped: boolean
  overlocked: boolean
  /** Whether autopay will charge what is due; until then being late has no consequences. */
  charging: boolean
}

/**
 * Computes a lease's status, auction flag and overlock. Active military duty clears the flag, since only a court may
 * enforce a lien (case 35).
 * @param lease balance in cents, above 0 is owed; autopayToCome: autopay has an attempt left, so there is no overlock
 * yet
 * @param auctionAfterDays days past paid-through that set the flag; null never sets it
 */
export function standing(
  lease: {
    auctionPrepped: boolean
    activeMilitary: boolean
    balance: Cents
    paidThrough: IsoDate
    autopayToCome: boolean
  },
  today: IsoDate,
  auctionAfterDays: number | null,
): Standing {
  const owes = lease.balance > 0
  const age = daysBetween(lease.paidThrough, today)
  const auctionPrepped =
    owes && !lease.activeMilitary && (lease.auctionPrepped || (auctionAfterDays !== null && age > auctionAfterDays))
  const charging =
    lease.autopayToCome && paymentBlock({ auctionPrepped, paidThrough: lease.paidThrough }, today) === null
  return {
    status: leaseStatus({ auctionPrepped, balance: lease.balance, paidThrough: lease.paidThrough }, today),
    auctionPrepped,
    overlocked: owes && !charging && (auctionPrepped || age > OVERLOCK_AFTER_DAYS),
    charging,
  }
}

/** Returns the first days of the periods to charge, including missed ones; none from the move-out date on. */
export function periodsDue(chargedThrough: IsoDate, date: IsoDate, moveOut: IsoDate | null): IsoDate[] {
  const starts: IsoDate[] = []
  let start = addDays(chargedThrough, 1)
  while (start <= date && (moveOut === null || start < moveOut)) {
    starts.push(start)
    start = addDays(start, PERIOD_DAYS)
  }
  return starts
}

/** Maximum number of periods that a credit covers (a hundred years); beyond it counts as never used up. */
const NEVER_USED_UP = 1217

interface PeriodPrice {
  start: IsoDate
  cents: Cents
  /** New price of each period that begins on `from` or later. */
  coming?: { from: IsoDate; cents: Cents } | null
}

/** Returns the price of a lease's periods from the input's first one on. */
export function periodPrices(input: PeriodInput): PeriodPrice {
  const { periodStart: start, total: cents } = periodCharges(input)
  const { coming } = input
  if (!coming) return { start, cents }
  const later = addDays(start, periodsBefore(start, coming.from) * PERIOD_DAYS)
  return { start, cents, coming: { from: coming.from, cents: periodCharges({ ...input, periodStart: later }).total } }
}

/**
 * Returns the next amount due of a lease without dues, and its day: a credit covers whole periods, then part of one.
 * @param balance in cents, below 0 is a credit
 * @returns 0 cents on the period's first day where a period is free, or the credit is never used up
 */
export function nextDue({ start, cents, coming }: PeriodPrice, balance: Cents): { on: IsoDate; cents: Cents } {
  const credit = Math.max(-balance, 0)
  const before = coming ? periodsBefore(start, coming.from) : 0
  // The credit outlasts the periods at the current price.
  if (coming && before > 0 && credit >= before * cents)
    return nextDue({ start: addDays(start, before * PERIOD_DAYS), cents: coming.cents }, before * cents - credit)
  const paid = cents > 0 ? Math.floor(credit / cents) : 0
  if (cents === 0 || paid > NEVER_USED_UP) return { on: start, cents: 0 }
  return { on: addDays(start, paid * PERIOD_DAYS), cents: cents - (credit % cents) }
}

/**
 * Returns the first days of the unpaid periods that have reached this age in days since the last billing.
 * @param since last day billed before
 */
export function periodsTurning(
  days: number,
  of: { paidThrough: IsoDate; chargedThrough: IsoDate },
  since: IsoDate,
  date: IsoDate,
): IsoDate[] {
  const starts: IsoDate[] = []
  let start = addDays(of.paidThrough, 1)
  for (; start <= of.chargedThrough; start = addDays(start, PERIOD_DAYS)) {
    const turns = addDays(start, days)
    if (turns > date) break
    if (turns > since) starts.push(start)
  }
  return starts
}

export const POLICY_MAIL_DAYS_BEFORE = 30

/**
 * Returns which mail about the tenant's own policy is due; null for none.
 * @param since last day billed before
 */
export function policyMailDue(expires: IsoDate, since: IsoDate, date: IsoDate): 'ending' | 'ended' | null {
  // Compares without computing the day after, which does not exist for 12/31/9999.
  if (expires >= since && expires < date) return 'ended'
  if (expires < date) return null
  const warned = addDays(expires, -POLICY_MAIL_DAYS_BEFORE)
  return warned > since && warned <= date ? 'ending' : null
}

export interface Charged {
  start: IsoDate
  /** Last day of the period; null for single charges (a late fee, a card fee). */
  end: IsoDate | null
  cents: Cents
}

/**
 * Returns the last day paid for, with payments applied to the oldest charge first; null where no period was charged.
 */
export function paidThrough(charged: readonly Charged[], balance: Cents): IsoDate | null {
  // On the same day, a single charge counts as later than the period's.
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

/** Returns the day of autopay's next attempt after the refused ones; null after the last. */
export function nextAutopayDay(periodStart: IsoDate, refused: readonly IsoDate[]): IsoDate | null {
  const wait = AUTOPAY_WAIT_DAYS[refused.length]
  if (wait === undefined) return null
  return addDays([...refused].sort().at(-1) ?? periodStart, wait)
}
