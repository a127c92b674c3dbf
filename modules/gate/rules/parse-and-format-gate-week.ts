/** Gate hours of a week, as people type them: '5 AM to 9 PM', '24 hours', 'Closed'. */
import { type GateWeek, minuteOf } from './gate-hours.ts'
import { clockTime, gateHoursWithout24, parseGateHours } from './parse-gate-hours.ts'

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** Formats minutes since midnight as a gate's list has them: '05:00'. */
const formatClock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** Parses the typed gate hours of a day, such as '5 AM to 9 PM', 'Closed' or '24 hours'; undefined for other texts. */
export function parseDayHours(text: string): GateWeek[number] | undefined {
  const trimmed = text.trim()
  if (/^closed$/i.test(trimmed)) return null
  if (/^24 ?(?:h|hours)$/i.test(trimmed)) return ['00:00', '24:00']
  const parsed = parseGateHours(trimmed)
  return parsed ? [formatClock(parsed.from), formatClock(parsed.to)] : undefined
}

export function formatDayHours(span: GateWeek[number]): string {
  if (span === null) return 'Closed'
  const from = minuteOf(span[0])
  const to = minuteOf(span[1])
  return from === 0 && to === 24 * 60 ? '24 hours' : `${clockTime(from)} to ${clockTime(to)}`
}

/**
 * Writes the hours of a week, without its closed days: 'Monday to Friday 6 AM to 9 PM, Saturday 8 AM to 6 PM',
 * '6 AM to 9 PM every day', or 'closed every day'.
 */
export function weekHours(week: GateWeek): string {
  const texts = week.map(formatDayHours)
  if (new Set(texts).size === 1) return `${week[0] ? texts[0] : 'closed'} every day`
  const runs: { from: number; to: number }[] = []
  for (const [day, text] of texts.entries()) {
    const last = runs.at(-1)
    if (last && texts[last.to] === text) last.to = day
    else runs.push({ from: day, to: day })
  }
  return runs
    .filter(({ from }) => week[from])
    .map(({ from, to }) => `${weekdays[from]}${to > from ? ` to ${weekdays[to]}` : ''} ${texts[from]}`)
    .join(', ')
}

/**
 * Returns the hours of a gate in words: those that its controller follows, else the facility's own text without its
 * clause about 24-hour access.
 */
export const gateHoursText = (week: GateWeek | null, facilityHours: string): string =>
  week ? weekHours(week) : gateHoursWithout24(facilityHours).replace(/\.$/, '')

/** Proposes the hours of each day from a facility's text; '' where the text does not say one span for every day. */
export function proposedHours(gateHours: string): string {
  const text = gateHoursWithout24(gateHours)
  if (/^(?:24 hours|24\/7|around the clock|at any hour)\b/i.test(text)) return '24 hours'
  const parsed = parseGateHours(text)
  return parsed ? `${clockTime(parsed.from)} to ${clockTime(parsed.to)}` : ''
}

/** Returns whether a facility's text says one span for every day, and the week differs from it on any day. */
export function saysOtherHours(gateHours: string, week: GateWeek): boolean {
  const proposed = proposedHours(gateHours)
  return proposed !== '' && week.some((span) => formatDayHours(span) !== proposed)
}
