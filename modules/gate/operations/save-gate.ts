import * as v from 'valibot'
import { changedSince } from '../../../domain/texts/office-refusals.ts'
import { locationCode, optionalText } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError, wrongFields } from '../../../platform/operations/outcome.ts'
import { lockFacility, setupReason } from '../../facilities/lock-facility-for-setup.ts'
import { nothingChanged } from '../../facilities/texts/setup-and-appointment-errors.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { lockGate } from '../load-and-lock-facility-gate.ts'
import type { GateWeek } from '../rules/gate-hours.ts'
import { confirmedHoursOf } from '../rules/hours-acknowledged-by-gate.ts'
import { formatDayHours, parseDayHours } from '../rules/parse-and-format-gate-week.ts'
import { setGate } from '../set-gate-kind-and-hours.ts'

/** Kinds of connection that Setup offers for a gate, in the words of the audit log. */
const gateKindNames = {
  none: 'no gate connected',
  pull: 'a controller that asks',
} as const

const invalidHours = 'Write hours such as 5 AM to 9 PM, 24 hours, or Closed.'

/** Returns a gate's kind and hours as one line; '' without a gate. A form that shows another line is stale. */
export const gateConnectionMark = (gate: { kind: string; week: string } | undefined): string =>
  gate ? `${gate.kind} ${gate.week}` : ''

/** Sets the connection of a facility's gate and the hours that its controller applies. */
export const SaveGate = officeOperation({
  name: 'SaveGate',
  permission: 'setup.save',
  input: v.object({
    location_code: locationCode(),
    kind: v.picklist(['none', 'pull'], 'Choose what is connected.'),
    /** Hours of each day as typed, Monday first; ignored if `kind` is 'none'. */
    days: v.pipe(v.array(optionalText(40)), v.length(7)),
    /** `gateConnectionMark` of the gate that the form showed. */
    before: optionalText(400),
    reason: setupReason,
  }),
  example: {
    location_code: 'ATL01',
    kind: 'pull',
    days: Array.from({ length: 7 }, () => '5 AM to 9 PM'),
    before: '',
    reason: 'New controller',
  },
  async work(act, { location_code: locationCode, kind, days, before }) {
    const { tx, services } = act
    if (!(await lockFacility(tx, locationCode))) throw new RefusalError(recordNotFound)
    const gate = await lockGate(tx, locationCode)
    if (gateConnectionMark(gate) !== before) throw refusalError(409, 'changed', changedSince)
    const typedWeek = parseWeek(days)
    if (kind === 'pull' && typedWeek.fieldErrors) throw new RefusalError(wrongFields(typedWeek.fieldErrors))
    const week = kind === 'none' ? (gate ? confirmedHoursOf(gate) : null) : typedWeek.week
    if (gateConnectionMark({ kind, week: week === null ? '' : JSON.stringify(week) }) === gateConnectionMark(gate))
      throw refusalError(409, 'nothing', nothingChanged)
    await setGate(tx, services, locationCode, { kind, week })
    const hours = kind === 'none' ? '' : typedWeek.week.map(formatDayHours).join(', ')
    await act.audit({ kind: 'gate.connected', details: { what: gateKindNames[kind], hours } })
    return { kind }
  },
})

/**
 * Parses the hours of a week. A day that cannot be parsed is null in `week`, and has a message in `fieldErrors` under
 * its field's name; `fieldErrors` is null if all days can be parsed.
 */
function parseWeek(days: readonly string[]): { week: GateWeek; fieldErrors: Record<string, string> | null } {
  const parsedDays = days.map(parseDayHours)
  const fieldErrors = parsedDays.flatMap((day, index) => (day === undefined ? [[`days.${index}`, invalidHours]] : []))
  return {
    week: parsedDays.map((day) => day ?? null),
    fieldErrors: fieldErrors.length === 0 ? null : Object.fromEntries(fieldErrors),
  }
}
