import { formatShort } from '../../../domain/plain-date.ts'
import { formatInstantIn, type Instant, todayIn } from '../../../domain/time-zone-dates.ts'

/** Formats an instant's local day and time in a time zone: 'Nov 20 12:00 PM'. */
export const formatMoment = (timeZone: string, at: Instant): string =>
  `${formatShort(todayIn(timeZone, at))} ${formatInstantIn(timeZone, at)}`
