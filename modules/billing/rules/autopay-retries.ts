/** Days on which autopay tries again after a refused charge. */
import { addDays, type IsoDate } from '../../../domain/plain-date.ts'

/**
 * Days to each autopay attempt from the one before, to the first from the first day of the unpaid period. Attempts that
 * are not late are on day 1, 3 and 7 of the period.
 */
const AUTOPAY_WAIT_DAYS = [0, 2, 4] as const
/** Maximum number of attempts that autopay makes for one period. */
export const AUTOPAY_ATTEMPTS: number = AUTOPAY_WAIT_DAYS.length

/** Returns the day of autopay's next attempt after those refused on `refusalDays`; null after the last. */
export function nextAutopayDay(periodStart: IsoDate, refusalDays: readonly IsoDate[]): IsoDate | null {
  const wait = AUTOPAY_WAIT_DAYS[refusalDays.length]
  if (wait === undefined) return null
  return addDays([...refusalDays].sort().at(-1) ?? periodStart, wait)
}
