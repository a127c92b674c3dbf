import { formatShort } from '../../domain/plain-date.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { closingNotTaken, earlierCodeOpens, takenForOffice } from '../../modules/gate/rules/gate-reason-texts.ts'
import type { GateState } from '../../modules/gate/rules/tenant-gate-state-types.ts'

/**
 * Returns the last day of an override by the facility's calendar: 'Nov 27'.
 * @param until end of the override in epoch milliseconds, exclusive
 */
export const formatOverrideLastDay = (timeZone: string, until: number): string =>
  formatShort(todayIn(timeZone, until - 1))

const overlockedText = (units: string[]) =>
  units.length === 1 ? `unit ${units[0]} is overlocked` : `units ${units.join(', ')} are overlocked`

/**
 * Explains why the gate opens to the tenant's codes or not, and whether it has yet to close a code.
 * @param state null without an open lease, not counting units sold at auction
 */
export function gateSentence(state: GateState | null, facility: { time_zone: string; gateHours: string }): string {
  const closing = state?.opens ? earlierCodeOpens : closingNotTaken
  return `${accessSentence(state, facility)}${state?.stillOpens ? ` ${closing}` : ''}`
}

/**
 * Explains why the gate opens to the tenant's codes or not: in one sentence without an open lease, without a live code
 * or during a suspension, otherwise code by code. A code that opens may have a second sentence, on whether the gate has
 * the code.
 */
function accessSentence(
  state: GateState | null,
  { time_zone, gateHours }: { time_zone: string; gateHours: string },
): string {
  if (!state) return 'No gate code: no open lease.'
  if (state.codes.length === 0) return 'The gate refuses: no code is live.'
  if (state.suspended)
    return `The gate refuses: suspended through ${formatOverrideLastDay(time_zone, state.suspended.until)} (${state.suspended.reason}).`
  const [only, ...more] = state.codes
  const conditionsOf = (code: GateState['codes'][number]) => {
    const lifted = state.units.flatMap(({ unitNumber, overlocked, lifted: override }) =>
      overlocked && override && code.units.includes(unitNumber)
        ? [`the overlock of ${unitNumber} is lifted through ${formatOverrideLastDay(time_zone, override.until)}`]
        : [],
    )
    const hours = code.hours === '24-hour' ? 'at any hour' : `in gate hours, ${gateHours}`
    return `${hours}${lifted.length > 0 ? `; ${lifted.join(', ')}` : ''}`
  }
  if (only && more.length === 0)
    return only.opens
      ? `The gate opens ${conditionsOf(only)}.${takenForOffice[only.taken]}`
      : `The gate refuses: ${overlockedText(only.overlocked)}.`
  return state.codes
    .map((gateCode) => {
      const code = `the code of ${gateCode.units.join(', ')}`
      return gateCode.opens
        ? `The gate opens for ${code} ${conditionsOf(gateCode)}.${takenForOffice[gateCode.taken]}`
        : `The gate refuses ${code}: ${overlockedText(gateCode.overlocked)}.`
    })
    .join(' ')
}
