/** Reasons why a gate code opens or not, with sentences for the office and the tenant, and the text of a gate visit. */

import { formatShort, type IsoDate } from '../../../domain/plain-date.ts'
import { type Instant, weekMinuteIn } from '../../../domain/time-zone-dates.ts'
import type { GateSyncState } from './gate-access.ts'
import { type GateWeek, minuteOf } from './gate-hours.ts'
import { formatDayHours, parseDayHours, weekdays } from './parse-and-format-gate-week.ts'
import { clockTime } from './parse-gate-hours.ts'

/**
 * Why a gate opens or does not open to a tenant's code. `stillOpens`: the gate has not yet acknowledged that one of the
 * tenant's codes is closed, so that code may still open it.
 */
export type GateReason = { stillOpens?: true } & ClosedOrOpen

type ClosedOrOpen =
  | { is: 'ended' }
  | { is: 'none' }
  | { is: 'inactive' }
  | { is: 'sold' }
  | { is: 'suspended'; until: string }
  /** `units`: units of the code with an overlock that is not lifted; `own`: whether this lease's unit is one of them. */
  | { is: 'overlocked'; units: string[]; own: boolean; paidThrough: IsoDate }
  /**
   * `week` and `zone`: hours that a connected gate follows, and their time zone; `taken`: whether the gate has the code
   * as our records require.
   */
  | {
      is: 'opens'
      hours: string
      week: GateWeek | null
      zone: string | null
      anyHour: boolean
      lifted: string | null
      taken: GateSyncState
    }

type OpenReason = GateReason & { is: 'opens' }

export const gateOpens = (reason: GateReason): boolean => reason.is === 'opens'

/** Sentence for the office when the gate has not yet acknowledged that a code is closed. */
export const closingNotTaken = 'The gate has not taken this yet: the code may still open it.'
/**
 * Sentence for the office when a tenant's code opens by our records, but the gate has not yet acknowledged that an
 * earlier one is closed.
 */
export const earlierCodeOpens = 'It has not taken yet that an earlier code is closed.'

/** Returns the sentence for the office that says what the gate does with a tenant's code, and why. */
export function gateSentence(reason: GateReason): string {
  const closing = reason.is === 'opens' ? earlierCodeOpens : closingNotTaken
  return `${accessSentence(reason)}${reason.stillOpens ? ` ${closing}` : ''}`
}

function accessSentence(reason: GateReason): string {
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

/** Sentences for the office about whether the gate has a code that should open, by state. All but '' begin with a space. */
export const takenForOffice: Record<GateSyncState, string> = {
  unconnected: '',
  taken: ' The gate has the code.',
  coming: ' The code is being given to the gate.',
  late: ' The gate has not taken the code yet.',
  refused: ' The gate itself refuses this code: give another one.',
}

/** Sentence for a tenant whose code is on its way to the gate. */
const codeBeingSent = 'Being given to the gate.'

/** Returns the sentence for a tenant whose code the gate has not taken. @param phone facility's phone; '' for none */
const codeNotAccepted = (phone: string): string =>
  `The gate has not taken your code yet. Call ${phone || 'us'}: we open it.`

/**
 * Returns the sentence of a mail about a code that the gate has not taken yet; '' where the gate has taken the code or
 * no gate is connected.
 * @param phone facility's phone; '' for none
 */
export function notTakenMailText(taken: GateSyncState, phone: string): string {
  if (taken === 'coming') return 'Your code is being given to the gate: try it in a minute.'
  return taken === 'late' || taken === 'refused' ? codeNotAccepted(phone) : ''
}

export interface CurrentGateAccess {
  /** Whether the gate opens now; null when that is unknown. */
  opens: boolean | null
  /** Sentence for the tenant: 'Opens now, until 9 PM.' */
  says: string
  /**
   * Today's hours: '5 AM to 9 PM', 'Closed' or the facility's own text. For a code with 24-hour access 'at any hour', but
   * '' once the gate has the code. '' where our records do not let the code open, or the gate is late with it or refuses
   * it.
   */
  today: string
  /** Whether the gate is still getting the code, so that reloading the page may show a change. */
  coming?: true
}

const opensAtAnyHour = 'Opens now, at any hour.'

const takesCode = (when: 'at any hour' | 'in its hours'): string => `The gate takes this code ${when}.`

/** Returns units as a subject with its verb: 'unit 3 is', 'units 3, 4 are'. */
const unitsWithVerb = (units: readonly string[]): string =>
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
      return `Not accepted while ${reason.own ? 'the unit is' : unitsWithVerb(reason.units)} past due.`
    case 'opens':
      return ''
  }
}

/** Weekday, 0 for Monday, and minutes since midnight in the time zone that the gate follows. */
interface LocalMoment {
  weekday: number
  minute: number
}

/**
 * Returns whether the gate opens for a code now, with sentences for the tenant.
 * @param phone the facility's phone; '' for none
 */
export function currentGateAccess(reason: GateReason, at: LocalMoment, phone = ''): CurrentGateAccess {
  if (reason.is !== 'opens') return { opens: false, says: gateRefusal(reason), today: '' }
  const week = reason.anyHour ? null : weekFor(reason)
  const today = week ? formatDayHours(week[at.weekday] ?? null) : reason.anyHour ? '' : reason.hours
  if (reason.taken !== 'taken') return unconfirmedAccess(reason, today, phone)
  if (reason.anyHour) return { opens: true, says: opensAtAnyHour, today }
  if (!week) return { opens: null, says: takesCode('in its hours'), today }
  return { ...accessByHours(week, at), today }
}

/**
 * Returns whether the gate opens for a code at an instant, as `currentGateAccess` does. A connected gate follows the
 * time zone that it has acknowledged, which may differ from the facility's.
 * @param timeZone the facility's time zone
 */
export function gateAccessAt(reason: GateReason, timeZone: string, now: Instant, phone: string): CurrentGateAccess {
  const zone = reason.is === 'opens' ? reason.zone : null
  return currentGateAccess(reason, weekMinuteIn(zone ?? timeZone, now), phone)
}

/** Returns the hours of each day, Monday first: `week`, else the hours parsed from `hours`; null without either. */
function weekFor({ week, hours }: OpenReason): GateWeek | null {
  const day = parseDayHours(hours)
  return week ?? (day ? Array.from({ length: 7 }, () => day) : null)
}

/** Returns whether the gate opens for standard codes at a moment, with the sentence for the tenant. */
function accessByHours(week: GateWeek, { weekday, minute }: LocalMoment): { opens: boolean; says: string } {
  const today = week[weekday]
  const tomorrow = week[(weekday + 1) % 7]
  const [from, to] = today ? [minuteOf(today[0]), minuteOf(today[1])] : [null, null]
  if (from !== null && minute < from) return { opens: false, says: `Opens today at ${clockTime(from)}.` }
  if (to === null || minute >= to) return { opens: false, says: nextOpening(week, weekday) }
  if (week.every((span) => formatDayHours(span) === '24 hours')) return { opens: true, says: opensAtAnyHour }
  if (to < 24 * 60) return { opens: true, says: `Opens now, until ${clockTime(to)}.` }
  return { opens: true, says: `Opens now, ${tomorrow?.[0] === '00:00' ? 'past' : 'until'} midnight.` }
}

function nextOpening(week: GateWeek, weekday: number): string {
  const days = [1, 2, 3, 4, 5, 6, 7].find((ahead) => week[(weekday + ahead) % 7])
  const day = (weekday + (days ?? 0)) % 7
  const span = week[day]
  if (!span) return 'Closed every day.'
  return `Opens ${days === 1 ? 'tomorrow' : weekdays[day]} at ${clockTime(minuteOf(span[0]))}.`
}

/** Returns what the tenant's page says about a code that should open, but that no gate has acknowledged. */
function unconfirmedAccess({ taken, anyHour, hours }: OpenReason, today: string, phone: string): CurrentGateAccess {
  const hoursText = anyHour ? hours : today
  if (taken === 'coming') return { opens: null, says: codeBeingSent, today: hoursText, coming: true }
  if (taken !== 'unconnected') return { opens: false, says: codeNotAccepted(phone), today: '' }
  return {
    opens: null,
    says: takesCode(anyHour ? 'at any hour' : 'in its hours'),
    today: hoursText,
  }
}

/** A time when a tenant typed their code at the gate. */
export interface GateVisit {
  at: Instant
  /** Whether the gate refused the code. */
  refused: boolean
}

/** Returns the text of a visit: 'Nov 20 11:30 AM, refused'. @param moment time of the visit, in words */
export const gateVisitText = ({ refused }: GateVisit, moment: string): string =>
  `${moment}${refused ? ', refused' : ''}`
