/** Why a tenant's gate code opens or does not: the office says it in one sentence. */
import { formatShort, type IsoDate } from './plain-date.ts'

export type GateReason =
  | { is: 'ended' }
  | { is: 'none' }
  | { is: 'inactive' }
  | { is: 'sold' }
  | { is: 'suspended'; until: string }
  /** `units`: of the code, overlocked and not lifted; `own` where this lease's is one of them. */
  | { is: 'overlocked'; units: string[]; own: boolean; paidThrough: IsoDate }
  | { is: 'opens'; hours: string; lifted: string | null }

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
