/** Hours of a gate: the span of each weekday, and whether the gate opens for standard codes at a time. */

/** Gate hours from Monday to Sunday, each a span '05:00' to '21:00'; null where the gate stays shut that day. */
export type GateWeek = readonly (readonly [from: string, to: string] | null)[]

const clockMinutes = (text: string): number | null => {
  const [, hour, minute] = /^(\d\d):([0-5]\d)$/.exec(text) ?? []
  const minutes = Number(hour) * 60 + Number(minute)
  return hour === undefined || minutes > 24 * 60 ? null : minutes
}

/**
 * Returns whether two times are opening hours within one day: the end is after the beginning. '24:00' is the end of the
 * day.
 */
export function isGateSpan([from, to]: readonly [string, string]): boolean {
  const first = clockMinutes(from)
  const last = clockMinutes(to)
  return first !== null && last !== null && first < last
}

/**
 * Returns whether the gate opens for standard codes at this time.
 * @param weekday 0 for Monday
 * @param minute minutes since midnight at the facility
 */
export function isInGateHours(week: GateWeek, weekday: number, minute: number): boolean {
  const span = week[weekday]
  const [from, to] = span ? [clockMinutes(span[0]), clockMinutes(span[1])] : [null, null]
  return from !== null && to !== null && minute >= from && minute < to
}
