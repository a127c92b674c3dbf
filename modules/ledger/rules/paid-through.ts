import type { Cents } from '../../../domain/money.ts'
import { addDays, type IsoDate } from '../../../domain/plain-date.ts'

/** Sum charged for a period, or for a day's single charges. */
export interface ChargedPeriod {
  start: IsoDate
  /** Last day of the period; null for single charges (a late fee, a card fee). */
  end: IsoDate | null
  cents: Cents
}

/** Sorts charges, oldest first; on one day the period comes before single charges. */
export const oldestFirst = (charges: readonly ChargedPeriod[]): ChargedPeriod[] =>
  [...charges].sort((a, b) => (a.start === b.start ? (a.end === null ? 1 : -1) : a.start < b.start ? -1 : 1))

/**
 * Returns the last day paid for, with payments applied to the oldest charge first; null where no period was charged.
 */
export function computePaidThrough(charged: readonly ChargedPeriod[], balance: Cents): IsoDate | null {
  const newest = oldestFirst(charged).reverse()
  let left = balance
  for (const { end, cents } of newest) {
    if (end !== null && left <= 0) return end
    left -= cents
  }
  const oldest = newest.findLast((charge) => charge.end !== null)
  return oldest ? addDays(oldest.start, -1) : null
}
