/** Reasons why a tenant's gate code opens or not, with sentences for the office and the tenant. */

import { formatShort, type IsoDate } from '../../../domain/plain-date.ts'
import { clockTime, hoursEachDay } from './gate-hours.ts'

export type GateReason =
  | { is: 'ended' }
  | { is: 'none' }
  | { is: 'inactive' }
  | { is: 'sold' }
  | { is: 'suspended'; until: string }
  /** The code's units are overlocked. `units`: those not lifted; `own`: whether this lease's unit is one of them. */
  | { is: 'overlocked'; units: string[]; own: boolean; paidThrough: IsoDate }
  | { is: 'opens'; hours: string; anyHour: boolean; lifted: string | null }

export const gateOpens = (reason: GateReason): boolean => reason.is === 'opens'

/** Returns the sentence about a gate code for the office. */
export function gateSentence(reason: GateReason): string {
  switch (reason.is) {
    case 'ended':
      return 'The lease has ended: its code opens nothing.'
    case 'none':
      return 'No gate code has been given.'
    case 'inactive':
      return 'The gate refuses the code: it is not active.'
    case 'sold':
      return 'The gate refuses the code: the unit was sold at auction.'
    case 'suspended':
      return `The gate refuses the code: suspended until ${reason.until}.`
    case 'overlocked':
      return reason.own
        ? `The gate refuses the code: overlocked, paid through ${formatShort(reason.paidThrough)}.`
        : `The gate refuses the code: ${reason.units.join(' and ')} of the same code ${reason.units.length === 1 ? 'is' : 'are'} overlocked.`
    case 'opens':
      return `The gate opens${reason.hours ? `, ${reason.hours}` : ''}${reason.lifted ? `; overlock lifted until ${reason.lifted}` : ''}.`
  }
}

export interface GateNow {
  /** Whether the gate opens now; null where the facility's hours are too complex to tell. */
  opens: boolean | null
  /** Sentence for the tenant: 'Opens now, until 9 PM.' */
  says: string
  /** Today's hours, '5 AM to 9 PM'; '' where the gate opens at any hour, or not at all. */
  today: string
}

const list = (units: readonly string[]): string =>
  units.length === 1 ? `unit ${units[0]} is` : `units ${units.join(', ')} are`

/** Returns why the gate refuses a code, in a sentence for the tenant; '' where it opens. */
export function gateRefusal(reason: GateReason): string {
  switch (reason.is) {
    case 'ended':
    case 'sold':
      return 'Not for this unit any more.'
    case 'none':
      return 'No gate code has been given yet. Please call us.'
    case 'inactive':
      return 'Not accepted: the code is not active. Please call us.'
    case 'suspended':
      return 'Not accepted at the moment. Please call us.'
    case 'overlocked':
      return `Not accepted while ${reason.own ? 'the unit is' : list(reason.units)} past due.`
    case 'opens':
      return ''
  }
}

/**
 * Returns whether the gate opens for a code now, with sentences for the tenant.
 * @param minute minutes since midnight at the facility
 */
export function gateNow(reason: GateReason, minute: number): GateNow {
  if (reason.is !== 'opens') return { opens: false, says: gateRefusal(reason), today: '' }
  if (reason.anyHour) return { opens: true, says: 'Opens now, at any hour.', today: '' }
  const day = hoursEachDay(reason.hours)
  if (!day) return { opens: null, says: 'The gate takes this code in its hours.', today: reason.hours }
  const today = `${clockTime(day.from)} to ${clockTime(day.to)}`
  if (minute < day.from) return { opens: false, says: `Opens today at ${clockTime(day.from)}.`, today }
  if (minute >= day.to) return { opens: false, says: `Opens tomorrow at ${clockTime(day.from)}.`, today }
  return { opens: true, says: `Opens now, until ${clockTime(day.to)}.`, today }
}
