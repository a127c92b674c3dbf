/** Plain dates as 'YYYY-MM-DD' text, calculated on day numbers, so the browser needs no date library. */

export type IsoDate = string

const months = 'January February March April May June July August September October November December'.split(' ')
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

interface Parts {
  year: number
  month: number
  day: number
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function join(year: number, month: number, day: number): IsoDate | null {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

function parts(date: IsoDate): Parts {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date)
  if (!match || !join(Number(match[1]), Number(match[2]), Number(match[3]))) throw new RangeError(`Not a date: ${date}`)
  return { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) }
}

/**
 * Returns days since 1970-01-01, by Howard Hinnant's algorithm `days_from_civil`: years are taken to begin in March, so
 * that the leap day comes last, and are counted in eras of 400 years, which have 146,097 days.
 */
function dayNumber(date: IsoDate): number {
  const { year, month, day } = parts(date)
  const marchYear = month > 2 ? year : year - 1
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
}

/** Returns the date of a day number: the inverse of `dayNumber`. */
function fromDayNumber(days: number): IsoDate {
  const daysSinceFirstEra = days + 719_468
  const era = Math.floor(daysSinceFirstEra / 146_097)
  const dayOfEra = daysSinceFirstEra - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthsSinceMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = monthsSinceMarch < 10 ? monthsSinceMarch + 3 : monthsSinceMarch - 9
  const day = dayOfYear - Math.floor((153 * monthsSinceMarch + 2) / 5) + 1
  const date = join(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  if (!date) throw new RangeError(`No date for day number ${days}`)
  return date
}

/** Returns whether the text is a real calendar day written YYYY-MM-DD. */
export function isValid(text: unknown): text is IsoDate {
  if (typeof text !== 'string') return false
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  return match !== null && join(Number(match[1]), Number(match[2]), Number(match[3])) !== null
}

/**
 * Returns the date this many days later, or earlier if negative.
 * @throws RangeError for an invalid date, or outside the years 1 to 9999
 */
export function addDays(date: IsoDate, days: number): IsoDate {
  return fromDayNumber(dayNumber(date) + days)
}

/**
 * Returns the days from one date to the other; negative when `to` is earlier.
 * @throws RangeError for an invalid date
 */
export function daysBetween(from: IsoDate, to: IsoDate): number {
  return dayNumber(to) - dayNumber(from)
}

/**
 * Returns the weekday, 0 for Sunday to 6 for Saturday.
 * @throws RangeError for an invalid date
 */
export function weekday(date: IsoDate): number {
  return (((dayNumber(date) + 4) % 7) + 7) % 7
}

/**
 * Formats a date as mm/dd/yyyy: '2026-11-20' → '11/20/2026'.
 * @throws RangeError for an invalid date
 */
export function formatUs(date: IsoDate): string {
  const { year } = parts(date)
  return `${date.slice(5, 7)}/${date.slice(8, 10)}/${String(year).padStart(4, '0')}`
}

/**
 * Formats a date as M/D/YYYY, as lease dates have it (spec 2 §9): '2026-03-05' → '3/5/2026'.
 * @throws RangeError for an invalid date
 */
export function formatUsShort(date: IsoDate): string {
  const { year, month, day } = parts(date)
  return `${month}/${day}/${String(year).padStart(4, '0')}`
}

/** Parses mm/dd/yyyy, m/d/yyyy or YYYY-MM-DD to 'YYYY-MM-DD'; null for any other text or a day that does not exist. */
export function parseUs(text: string): IsoDate | null {
  const trimmed = text.trim()
  if (isValid(trimmed)) return trimmed
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(trimmed)
  return match ? join(Number(match[3]), Number(match[1]), Number(match[2])) : null
}

/**
 * Formats a date as 'Friday, November 20, 2026'.
 * @throws RangeError for an invalid date
 */
export function formatLong(date: IsoDate): string {
  return `${weekdays[weekday(date)]}, ${formatDate(date)}`
}

/**
 * Formats a date as 'Friday, 11/20/2026'.
 * @throws RangeError for an invalid date
 */
export function formatUsDay(date: IsoDate): string {
  return `${weekdays[weekday(date)]}, ${formatUs(date)}`
}

/**
 * Formats a date as 'November 20, 2026'.
 * @throws RangeError for an invalid date
 */
export function formatDate(date: IsoDate): string {
  const { year, month, day } = parts(date)
  return `${months[month - 1]} ${day}, ${year}`
}

/**
 * Formats a date as 'Nov 20'.
 * @throws RangeError for an invalid date
 */
export function formatShort(date: IsoDate): string {
  const { month, day } = parts(date)
  return `${months[month - 1]?.slice(0, 3)} ${day}`
}
