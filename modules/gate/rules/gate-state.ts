/** Reasons why a tenant's gate code opens or not, with sentences for the office and the tenant. */

import type { TakenState } from '../../../domain/gate.ts'
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
  /** `taken`: whether the gate has the code as the books say it. */
  | { is: 'opens'; hours: string; anyHour: boolean; lifted: string | null; taken: TakenState }

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
      return `The gate opens${reason.hours ? `, ${reason.hours}` : ''}${reason.lifted ? `; overlock lifted until ${reason.lifted}` : ''}.${takenForOffice[reason.taken]}`
  }
}

const takenForOffice: Record<TakenState, string> = {
  unconnected: '',
  taken: ' The gate has the code.',
  coming: ' The code is being given to the gate.',
  late: ' The gate has not taken the code yet.',
  refused: ' The gate itself refuses this code: give another one.',
}

/** Sentence for a tenant whose code the gate is being given. */
export const beingGiven = 'Being given to the gate.'

/** Returns the sentence for a tenant whose code the gate has not taken. @param phone facility's phone; '' for none */
export const notTakenYet = (phone: string): string =>
  `The gate has not taken your code yet. Call ${phone || 'us'}: we open it.`

export interface GateNow {
  /** Whether the gate opens now; null when that is unknown. */
  opens: boolean | null
  /** Sentence for the tenant: 'Opens now, until 9 PM.' */
  says: string
  /** Today's hours, '5 AM to 9 PM'; '' where the gate opens at any hour, or not at all. */
  today: string
  /** Whether the gate is still getting the code, so that reloading the page may show a change. */
  coming?: true
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
 * @param phone the facility's phone; '' for none
 */
export function gateNow(reason: GateReason, minute: number, phone = ''): GateNow {
  if (reason.is !== 'opens') return { opens: false, says: gateRefusal(reason), today: '' }
  if (reason.taken !== 'taken') return gateUnsure(reason, phone)
  if (reason.anyHour) return { opens: true, says: 'Opens now, at any hour.', today: '' }
  const day = hoursEachDay(reason.hours)
  if (!day) return { opens: null, says: 'The gate takes this code in its hours.', today: reason.hours }
  const today = `${clockTime(day.from)} to ${clockTime(day.to)}`
  if (minute < day.from) return { opens: false, says: `Opens today at ${clockTime(day.from)}.`, today }
  if (minute >= day.to) return { opens: false, says: `Opens tomorrow at ${clockTime(day.from)}.`, today }
  return { opens: true, says: `Opens now, until ${clockTime(day.to)}.`, today }
}

/** Says what is known of a code that no gate has acknowledged. */
function gateUnsure(reason: GateReason & { is: 'opens' }, phone: string): GateNow {
  const day = reason.anyHour ? null : hoursEachDay(reason.hours)
  const today = day ? `${clockTime(day.from)} to ${clockTime(day.to)}` : reason.hours
  if (reason.taken === 'coming') return { opens: null, says: beingGiven, today, coming: true }
  if (reason.taken !== 'unconnected') return { opens: false, says: notTakenYet(phone), today: '' }
  const when = reason.anyHour ? 'at any hour' : 'in its hours'
  return { opens: null, says: `The gate takes this code ${when}.`, today }
}
