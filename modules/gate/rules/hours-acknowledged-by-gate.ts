/** Computes the hours that a gate follows: those that its controller has acknowledged. */
import { type IsShape, isListOf, isTextList, parseJson } from '../../../domain/parse-json-and-check-shape.ts'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import type { GateKind } from './gate-access.ts'
import type { GateWeek } from './gate-hours.ts'

/** Stored hours of a gate, as in the table `gates`: the present ones, and those that it acknowledged before. */
interface GateHours {
  week: string
  zone: string
  week_version: number
  applied_version: number
  applied_at: Instant | null
  applied_week: string | null
  applied_zone: string | null
}

interface ConnectedGateHours extends GateHours {
  kind: GateKind
}

const isGateWeek: IsShape<GateWeek> = isListOf(
  (day): day is GateWeek[number] => day === null || (isTextList(day) && day.length === 2),
)

/** Returns the hours that staff have confirmed for a gate, Monday first; null where they have not. */
export const confirmedHoursOf = ({ week }: { week: string }): GateWeek | null =>
  week === '' ? null : parseJson(week, isGateWeek)

/** Returns the hours and the time zone that a gate last acknowledged; both are null where it has acknowledged none. */
export const acknowledgedHours = (gate: GateHours): Pick<GateHours, 'applied_week' | 'applied_zone'> =>
  gate.applied_at !== null && gate.week_version <= gate.applied_version
    ? { applied_week: gate.week, applied_zone: gate.zone }
    : { applied_week: gate.applied_week, applied_zone: gate.applied_zone }

/** Returns whether a gate has acknowledged hours, but not the present ones. */
export function hasAcknowledgedOtherHours(gate: GateHours): boolean {
  const { applied_week, applied_zone } = acknowledgedHours(gate)
  return applied_week !== null && (applied_week !== gate.week || applied_zone !== gate.zone)
}

/**
 * Returns the hours that a connected gate follows, which are the earlier ones until it has acknowledged new ones; null
 * where none is connected, or the hours were not confirmed.
 */
export const connectedWeek = (gate: ConnectedGateHours | undefined): GateWeek | null =>
  gate && gate.kind !== 'none' ? confirmedHoursOf({ week: acknowledgedHours(gate).applied_week ?? gate.week }) : null

/**
 * Returns the time zone by which a connected gate follows its hours, which is the earlier one until it has acknowledged
 * a new one; null where none is connected.
 */
export const connectedZone = (gate: ConnectedGateHours | undefined): string | null =>
  gate && gate.kind !== 'none' ? (acknowledgedHours(gate).applied_zone ?? gate.zone) : null
