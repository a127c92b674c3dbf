/** Days on which autopay tries again after a refused charge. */
import { addDays, type IsoDate } from '../../../domain/plain-date.ts'

/**
 * Days of waiting before each autopay attempt. The first attempt waits from the first day of the unpaid period, a later one
 * from the attempt before it. Attempts that are not late are made on days 1, 3 and 7 of the period.
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
