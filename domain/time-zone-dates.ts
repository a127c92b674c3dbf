/**
 * Dates and times that need a time zone. The browser must not import this file, because it loads the Temporal library.
 */
import { Temporal } from 'temporal-polyfill'
import type { IsoDate } from './plain-date.ts'

export type Instant = number

const PAYMENT_TIME_ZONE = 'America/Cancun'

function zoned(timeZone: string, instant: Instant): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
}

/** Returns whether the name is a known IANA time zone. */
export function isTimeZone(name: string): boolean {
  // The Temporal library accepts offsets such as '+05:00' too.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    zoned(name, 0)
    return true
  } catch {
    return false
  }
}

/** The last day without a clock change that `todayIn` computed, by time zone. */
const cachedDays = new Map<string, { date: IsoDate; from: Instant; until: Instant }>()

/**
 * Returns the date in a time zone at an instant.
 * @throws RangeError for an unknown time zone
 */
export function todayIn(timeZone: string, instant: Instant): IsoDate {
  const cached = cachedDays.get(timeZone)
  if (cached && cached.from <= instant && instant < cached.until) return cached.date
  const date = zoned(timeZone, instant).toPlainDate().toString()
  const from = startOfDay(timeZone, date)
  const until = endOfDay(timeZone, date)
  // A clock that is set back over midnight makes a date occur twice, so days with a clock change are not cached.
  if (zoned(timeZone, from).offset === zoned(timeZone, until).offset) cachedDays.set(timeZone, { date, from, until })
  return date
}

/**
 * Returns the first instant of a day. In some time zones daylight saving skips midnight.
 * @throws RangeError for an unknown time zone or an invalid date
 */
export function startOfDay(timeZone: string, date: IsoDate): Instant {
  return Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds
}

/**
 * Returns the first instant of the next day, also for days of 23 or 25 hours.
 * @throws RangeError for an unknown time zone or an invalid date
 */
export function endOfDay(timeZone: string, date: IsoDate): Instant {
  const key = `${timeZone} ${date}`
  let end = cachedEnds.get(key)
  if (end === undefined) {
    end = Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds
    if (cachedEnds.size >= MAX_CACHED_ENDS) cachedEnds.clear()
    cachedEnds.set(key, end)
  }
  return end
}

/** Results of `endOfDay`, by time zone and date. */
const cachedEnds = new Map<string, Instant>()
const MAX_CACHED_ENDS = 2000

/** Formats an instant's local time in a time zone, such as '9:40 PM'. */
export function formatInstantIn(timeZone: string, instant: Instant): string {
  const { hour, minute } = zoned(timeZone, instant)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

/** Returns the weekday, 0 for Monday, and the minutes since midnight, local time. */
export function weekMinuteIn(timeZone: string, instant: Instant): { weekday: number; minute: number } {
  const { dayOfWeek, hour, minute } = zoned(timeZone, instant)
  return { weekday: dayOfWeek - 1, minute: hour * 60 + minute }
}

/** Formats an instant for the wire as local time with offset, such as '2026-11-20T12:00:00-05:00'. */
export function wireInstant(timeZone: string, instant: Instant): string {
  return zoned(timeZone, instant).toString({ smallestUnit: 'second', timeZoneName: 'never' })
}

/**
 * Returns the instant of noon of a day, for events of which only the day is known.
 * @throws RangeError for an unknown time zone or an invalid date
 */
export function noonOf(timeZone: string, date: IsoDate): Instant {
  return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone, plainTime: '12:00' }).epochMilliseconds
}

/** Formats the time of a payment in Cancun time, such as '2026-11-20T21:40:05-05:00' (spec 1 §9). */
export const cancunTime = (instant: Instant): string => wireInstant(PAYMENT_TIME_ZONE, instant)
