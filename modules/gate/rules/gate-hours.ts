/** Hours of a gate: the span of each weekday, and whether the gate opens for standard codes at a time. */

/**
 * Gate hours from Monday to Sunday, each a span '05:00' to '21:00', at most until '24:00'; null for a day without hours for
 * standard codes.
 */
export type GateWeek = readonly (readonly [from: string, to: string] | null)[]

/** Returns the minutes since midnight of a time such as '05:00'. */
export const minuteOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

/**
 * Returns whether the gate opens for standard codes at this time.
 * @param weekday 0 for Monday
 * @param minute minutes since midnight at the facility
 */
export function isInGateHours(week: GateWeek, weekday: number, minute: number): boolean {
  const span = week[weekday]
  return span != null && minute >= minuteOf(span[0]) && minute < minuteOf(span[1])
}
