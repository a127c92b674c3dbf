import { formatInstantIn, todayIn } from '../../domain/dates.ts'
import { formatShort, formatUs } from '../../domain/plain-date.ts'

/** '11/22/2026 6:12 PM' on a facility's clock, or in UTC where a page is of no facility; '' for null. */
export const officeTime = (instant: number | null, timeZone = 'UTC'): string =>
  instant === null
    ? ''
    : `${formatUs(todayIn(timeZone, instant))} ${formatInstantIn(timeZone, instant)}${timeZone === 'UTC' ? ' UTC' : ''}`

/** 'Nov 22 6:12 PM' on a facility's clock; the year where it is not `today`'s. */
export function shortTime(instant: number, timeZone: string, today: string): string {
  const date = todayIn(timeZone, instant)
  return `${formatShort(date)}${date.slice(0, 4) === today.slice(0, 4) ? '' : `, ${date.slice(0, 4)}`} ${formatInstantIn(timeZone, instant)}`
}
