import { formatUs } from '../domain/plain-date.ts'
import { endOfDay, formatInstantIn, type Instant, todayIn } from '../domain/time-zone-dates.ts'

/**
 * Formats the end of a unit's hold: 'the end of today', 'the end of 11/22/2026', '6:12 PM today', or '6:12 PM on
 * 11/22/2026'.
 */
export function formatHoldEnd(timeZone: string, heldUntil: Instant, now: Instant): string {
  const today = todayIn(timeZone, now)
  // A hold that ends at midnight ends with the day before; '12:00 AM' would be misread.
  const lastDay = todayIn(timeZone, heldUntil - 1)
  if (heldUntil === endOfDay(timeZone, lastDay)) return `the end of ${lastDay === today ? 'today' : formatUs(lastDay)}`
  const date = todayIn(timeZone, heldUntil)
  return `${formatInstantIn(timeZone, heldUntil)}${date === today ? ' today' : ` on ${formatUs(date)}`}`
}
