/** Gate hours of a week, as people type them: '5 AM to 9 PM', '24 hours', 'Closed'. */
import type { GateWeek } from '../../../domain/gate.ts'
import { clockTime, gateHoursWithout24, hoursEachDay } from './gate-hours.ts'

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

const minuteOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

/** Parses the hours of a day; undefined where they are no hours. */
export function dayHours(text: string): GateWeek[number] | undefined {
  const typed = text.trim()
  if (/^closed$/i.test(typed)) return null
  if (/^24 ?(?:h|hours)$/i.test(typed)) return ['00:00', '24:00']
  const found = hoursEachDay(typed)
  return found ? [clock(found.from), clock(found.to)] : undefined
}

export function dayHoursText(span: GateWeek[number]): string {
  if (span === null) return 'Closed'
  const [from, to] = [minuteOf(span[0]), minuteOf(span[1])]
  return from === 0 && to === 24 * 60 ? '24 hours' : `${clockTime(from)} to ${clockTime(to)}`
}

/** Proposes the hours of each day from a facility's text; '' where the text does not say one span for every day. */
export function proposedHours(gateHours: string): string {
  const text = gateHoursWithout24(gateHours)
  if (/^(?:24 hours|24\/7|around the clock|at any hour)\b/i.test(text)) return '24 hours'
  const found = hoursEachDay(text)
  return found ? `${clockTime(found.from)} to ${clockTime(found.to)}` : ''
}
