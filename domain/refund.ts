/** What of a posted payment may go back, and how. */
import type { Instant } from './dates.ts'
import { type Cents, format } from './money.ts'
import { addDays, daysBetween, formatUs, type IsoDate } from './plain-date.ts'

/** 'provider': the way it came, all of it at once; 'check': by a person. */
export const refundWays = ['provider', 'check'] as const
export type RefundWay = (typeof refundWays)[number]

/** Whether what it had paid is owed again, or forgiven by a credit. */
export const refundAfterwards = ['owed', 'forgiven'] as const
export type RefundAfterwards = (typeof refundAfterwards)[number]

/** A bank may send a debit back for so long; until then it is not refunded. The operator's setting goes before it. */
export const BANK_REFUND_DAYS = 10

export interface RefundablePayment {
  state: string
  payer: string
  method: 'CC' | 'ACH'
  captured: Cents
  refunded: Cents
  /** The facility's day on which it was posted. */
  postedOn: IsoDate
  returnedAt: Instant | null
  /** The share that a lease has of a payment for several. */
  ofSeveral?: boolean
}

export interface RefundRefused {
  code: string
  message: string
  /** The field of the form that it is about. */
  field?: 'cents' | 'way'
}

/** @returns why this cannot be refunded so; null where it can */
export function refundRefusal(
  payment: RefundablePayment,
  asked: { cents: Cents; way: RefundWay },
  today: IsoDate,
  bankRefundDays: number,
): RefundRefused | null {
  const { state, payer, method, captured, refunded, postedOn, returnedAt } = payment
  if (state !== 'posted' || returnedAt !== null)
    return { code: 'not_posted', message: 'Only a payment that counts on the lease can be refunded.' }
  if (payer === 'auction')
    return { code: 'auction', message: "An auction winner's payment goes back with the sale, not from here." }
  const left = captured - refunded
  if (left <= 0) return { code: 'nothing_left', message: 'All of this payment has gone back already.' }
  if (asked.cents > left)
    return { code: 'more_than_left', message: `At most ${format(left)} of this payment is left.`, field: 'cents' }
  if (asked.way === 'check') return bankWait(method, postedOn, today, bankRefundDays)
  if (payment.ofSeveral)
    return {
      code: 'part_of_order',
      message: 'This was paid together with other units: the part of one goes by check, or as a credit on the lease.',
      field: 'way',
    }
  if (refunded > 0)
    return {
      code: 'part_of_order',
      message: 'A part has gone back already: the rest goes by check.',
      field: 'way',
    }
  if (asked.cents < captured)
    return {
      code: 'part_of_order',
      message: 'A part goes by check, or as a credit on the lease: the way it came, a payment goes back as a whole.',
      field: 'way',
    }
  return bankWait(method, postedOn, today, bankRefundDays)
}

function bankWait(method: 'CC' | 'ACH', postedOn: IsoDate, today: IsoDate, days: number): RefundRefused | null {
  if (method !== 'ACH' || daysBetween(postedOn, today) >= days) return null
  return {
    code: 'too_young',
    message: `The bank may still send this debit back: it can be refunded from ${formatUs(addDays(postedOn, days))}.`,
  }
}
