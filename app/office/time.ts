import { formatInstantIn, todayIn } from '../../domain/dates.ts'
import { formatUs } from '../../domain/plain-date.ts'

/** '11/22/2026 6:12 PM' on a facility's clock, or in UTC where a page is of no facility; '' for null. */
export const officeTime = (instant: number | null, timeZone = 'UTC'): string =>
  instant === null
    ? ''
    : `${formatUs(todayIn(timeZone, instant))} ${formatInstantIn(timeZone, instant)}${timeZone === 'UTC' ? ' UTC' : ''}`
