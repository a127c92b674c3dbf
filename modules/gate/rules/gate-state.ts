/** Why a tenant's gate code opens or does not, in a sentence for the office and in one for the tenant. */

import { formatShort, type IsoDate } from '../../../domain/plain-date.ts'
import { clockTime, hoursEachDay } from './gate-hours.ts'

export type GateReason =
  | { is: 'ended' }
  | { is: 'none' }
  | { is: 'inactive' }
  | { is: 'sold' }
  | { is: 'suspended'; until: string }
  /** `units`: of the code, overlocked and not lifted; `own` where this lease's is one of them. */
  | { is: 'overlocked'; units: string[]; own: boolean; paidThrough: IsoDate }
  | { is: 'opens'; hours: string; anyHour: boolean; lifted: string | null }

export const gateOpens = (reason: GateReason): boolean => reason.is === 'opens'

/** @param hours the facility's own words, such as '6 AM to 10 PM' */
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
  /** null: the facility's hours say more than from when to when each day, so the page cannot know. */
  opens: boolean | null
  /** 'Opens now, until 9 PM.' */
  says: string
  /** Hours of today, '5 AM to 9 PM'; '' where it opens at any hour, or not at all. */
  today: string
}

const list = (units: readonly string[]): string =>
  units.length === 1 ? `unit ${units[0]} is` : `units ${units.join(', ')} are`

/** What the gate refuses the code for, as its tenant reads it; '' where it takes it. */
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

/** @param minute of the day, at the facility */
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
