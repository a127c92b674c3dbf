/**
 * Computes which periods of a lease are to be charged or have reached an age. Periods are exactly 30 days (spec 1 §9).
 */
import { addDays, type IsoDate } from '../../../domain/plain-date.ts'
import { PERIOD_DAYS } from '../../pricing/rules/fixed-billing-period-length.ts'

/**
 * Returns the first days of the periods to charge through `date`, including missed ones; none from the move-out date
 * on.
 */
export function periodsDue(chargedThrough: IsoDate, date: IsoDate, moveOut: IsoDate | null): IsoDate[] {
  const starts: IsoDate[] = []
  let start = addDays(chargedThrough, 1)
  while (start <= date && (moveOut === null || start < moveOut)) {
    starts.push(start)
    start = addDays(start, PERIOD_DAYS)
  }
  return starts
}

/**
 * Returns the first days of the unpaid periods that have become `days` days old since the last billing.
 * @param since last day before `date` that was billed
 */
export function periodsReachingAge(
  days: number,
  unpaid: { paidThrough: IsoDate; chargedThrough: IsoDate },
  since: IsoDate,
  date: IsoDate,
): IsoDate[] {
  const starts: IsoDate[] = []
  let start = addDays(unpaid.paidThrough, 1)
  for (; start <= unpaid.chargedThrough; start = addDays(start, PERIOD_DAYS)) {
    const ageDay = addDays(start, days)
    if (ageDay > date) break
    if (ageDay > since) starts.push(start)
  }
  return starts
}
