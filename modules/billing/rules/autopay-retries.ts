/** Says on which days autopay tries again after a refusal. */
import { addDays, type IsoDate } from '../../../domain/plain-date.ts'

/** Days between autopay's attempts: on day 1, 3 and 7 of the first unpaid period. */
export const AUTOPAY_WAIT_DAYS = [0, 2, 4] as const
/** Maximum number of attempts that autopay makes for one period. */
export const AUTOPAY_ATTEMPTS: number = AUTOPAY_WAIT_DAYS.length

/** Returns the day of autopay's next attempt after the refused ones; null after the last. */
export function nextAutopayDay(periodStart: IsoDate, refused: readonly IsoDate[]): IsoDate | null {
  const wait = AUTOPAY_WAIT_DAYS[refused.length]
  if (wait === undefined) return null
  return addDays([...refused].sort().at(-1) ?? periodStart, wait)
}
