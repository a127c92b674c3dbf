import type { Cents } from '../../../domain/money.ts'
import { addDays, type IsoDate } from '../../../domain/plain-date.ts'
import { type PeriodInput, periodCharges, periodsBefore } from '../../pricing/rules/charges.ts'
import { PERIOD_DAYS } from '../../pricing/rules/fixed-billing-period-length.ts'

/** Number of periods in a hundred years. A credit that covers more of them counts as never used up. */
const MAX_CREDIT_PERIODS = 1217

interface PeriodPrice {
  start: IsoDate
  cents: Cents
  /** New price of each period that begins on `from` or later. */
  coming?: { from: IsoDate; cents: Cents } | null
}

/**
 * Returns the price of each of a lease's periods, in cents with tax, from `periodStart` on, and the price after an
 * announced rent change.
 */
export function periodPrices(input: PeriodInput): PeriodPrice {
  const { periodStart: start, total: cents } = periodCharges(input)
  const { coming } = input
  if (!coming) return { start, cents }
  const later = addDays(start, periodsBefore(start, coming.from) * PERIOD_DAYS)
  return { start, cents, coming: { from: coming.from, cents: periodCharges({ ...input, periodStart: later }).total } }
}

/**
 * Returns the next amount due of a lease after its present dues, and its day: a credit covers whole periods, then part of
 * one.
 * @param balance in cents, below 0 is a credit; what is owed already does not count
 * @returns 0 cents if all periods from the returned day on are free, or the credit covers too many to count
 */
export function nextAmountDue({ start, cents, coming }: PeriodPrice, balance: Cents): { on: IsoDate; cents: Cents } {
  const credit = Math.max(-balance, 0)
  const periodsAtPrice = coming ? periodsBefore(start, coming.from) : 0
  // The credit covers all periods at the current price.
  if (coming && periodsAtPrice > 0 && credit >= periodsAtPrice * cents)
    return nextAmountDue(
      { start: addDays(start, periodsAtPrice * PERIOD_DAYS), cents: coming.cents },
      periodsAtPrice * cents - credit,
    )
  const paidPeriods = cents > 0 ? Math.floor(credit / cents) : 0
  if (cents === 0 || paidPeriods > MAX_CREDIT_PERIODS) return { on: start, cents: 0 }
  return { on: addDays(start, paidPeriods * PERIOD_DAYS), cents: cents - (credit % cents) }
}
