import { Temporal } from 'temporal-polyfill'
import { formatLong, type IsoDate } from '../../../domain/plain-date.ts'
import { formatInstantIn, type Instant, todayIn } from '../../../domain/time-zone-dates.ts'

/** Formats an instant as 'Friday, November 20, 2026 at 9:40 PM'. */
export const appointmentTime = (timeZone: string, instant: Instant): string =>
  `${formatLong(todayIn(timeZone, instant))} at ${formatInstantIn(timeZone, instant)}`

/** Returns the instant of a local time at a facility; null when daylight saving skips that time on the day. */
export function appointmentStart(timeZone: string, day: IsoDate, hour: number, minute: number): Instant | null {
  const local = Temporal.PlainDate.from(day).toPlainDateTime({ hour, minute })
  const start = local.toZonedDateTime(timeZone)
  return start.toPlainDateTime().equals(local) ? start.epochMilliseconds : null
}
