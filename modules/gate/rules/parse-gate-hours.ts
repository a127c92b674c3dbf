/** Gate hours as a facility's own text says them: '5 AM to 9 PM every day'. */

/** Pattern of a clause that mentions 24-hour access. */
const aroundTheClock = String.raw`[^;,.()]*(?:\b24[ -]?(?:hours?|h)\b|\b24\/7\b|around the clock|at any hour)[^;,.()]*`
/** Such a clause with its parentheses, or with the punctuation mark before it. */
const aroundTheClockClause = new RegExp(String.raw`\s*\(${aroundTheClock}\)|\s*[;,.]${aroundTheClock}(?=[;,.]|$)`, 'gi')

/**
 * Returns the gate hours without clauses about 24-hour access: '5 AM to 9 PM every day'. A clause is removed only in
 * parentheses, or after a semicolon, comma or period, so one that begins the text stays.
 */
export const gateHoursWithout24 = (gateHours: string): string => gateHours.replace(aroundTheClockClause, '').trim()

/** Pattern of a time of day, such as '9:30 PM', with hour, minutes and A or P as groups. */
const timeOfDay = String.raw`(\d{1,2})(?::([0-5]\d))? ?([AP])\.?M\.?`
const everyDay = new RegExp(
  String.raw`^(?:every day,? ?)?${timeOfDay} (?:to|until|-|–) ${timeOfDay}(?:,? (?:every day|daily))?\.?$`,
  'i',
)

const minutes = (hour: string, minute: string | undefined, amOrPm: string): number =>
  (Number(hour) % 12) * 60 + Number(minute ?? 0) + (amOrPm.toUpperCase() === 'P' ? 12 * 60 : 0)

/**
 * Parses gate hours into minutes since midnight; null where the text is not one span that is the same each day and ends
 * by midnight, which is 24 * 60.
 */
export function parseGateHours(gateHours: string): { from: number; to: number } | null {
  const match = everyDay.exec(gateHours.trim().replace(/\bmidnight\b/gi, '12 AM'))
  if (!match) return null
  const [, hour = '', minute, amOrPm = '', lastHour = '', lastMinute, lastAmOrPm = ''] = match
  if (Number(hour) > 12 || Number(lastHour) > 12) return null
  const from = minutes(hour, minute, amOrPm)
  const to = minutes(lastHour, lastMinute, lastAmOrPm) || 24 * 60
  return from < to ? { from, to } : null
}

/** Formats minutes since midnight: '5 AM', '9:30 PM', '12 AM' for 0 and 24 * 60. */
export function clockTime(minutesOfDay: number): string {
  const hour = Math.floor(minutesOfDay / 60)
  const minute = minutesOfDay % 60
  return `${hour % 12 || 12}${minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`} ${hour % 24 < 12 ? 'AM' : 'PM'}`
}
