/** Rules for refunding a posted payment. */

import { type Cents, format } from '../../../domain/money.ts'
import { addDays, daysBetween, formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import type { Instant } from '../../../domain/time-zone-dates.ts'

/** Way of a refund: 'provider' returns the whole payment to its card or account; 'check' is paid by a staff member. */
export const refundWays = ['provider', 'check'] as const
export type RefundWay = (typeof refundWays)[number]

/** Treatment of the refunded charges: owed again, or forgiven by a credit. */
export const refundedChargeTreatments = ['owed', 'forgiven'] as const
export type RefundedChargeTreatment = (typeof refundedChargeTreatments)[number]

/** Default number of days after its posting for which a bank debit is not refunded, since the bank may return it. */
export const BANK_REFUND_DAYS = 10

/** Facts about a payment that decide whether it can be refunded. Amounts are in cents. */
export interface RefundablePayment {
  state: string
  payer: string
  method: 'CC' | 'ACH'
  captured: Cents
  refunded: Cents
  /** Day of posting at the facility. */
  postedOn: IsoDate
  returnedAt: Instant | null
  /** Whether the amounts are a lease's share of a payment for several leases. */
  ofSeveral?: boolean
}

/** Refusal of a refund: a code, and a sentence for the staff member. */
export interface RefundRefusal {
  code: string
  message: string
  /** Form field that the refusal is about. */
  field?: 'cents' | 'way'
}

/** Returns why a payment cannot be refunded this way; null when it can. */
export function refundRefusal(
  payment: RefundablePayment,
  request: { cents: Cents; way: RefundWay },
  today: IsoDate,
  bankRefundDays: number,
): RefundRefusal | null {
  const { state, payer, method, captured, refunded, postedOn, returnedAt } = payment
  if (state !== 'posted' || returnedAt !== null)
    return { code: 'not_posted', message: 'Only a payment that counts on the lease can be refunded.' }
  if (payer === 'auction')
    return { code: 'auction', message: "An auction winner's payment goes back with the sale, not from here." }
  const remaining = captured - refunded
  if (remaining <= 0) return { code: 'nothing_left', message: 'All of this payment has gone back already.' }
  if (request.cents > remaining)
    return { code: 'more_than_left', message: `At most ${format(remaining)} of this payment is left.`, field: 'cents' }
  if (request.way === 'check') return bankWaitRefusal(method, postedOn, today, bankRefundDays)
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
  if (request.cents < captured)
    return {
      code: 'part_of_order',
      message: 'A part goes by check, or as a credit on the lease: the way it came, a payment goes back as a whole.',
      field: 'way',
    }
  return bankWaitRefusal(method, postedOn, today, bankRefundDays)
}

function bankWaitRefusal(method: 'CC' | 'ACH', postedOn: IsoDate, today: IsoDate, days: number): RefundRefusal | null {
  if (method !== 'ACH' || daysBetween(postedOn, today) >= days) return null
  return {
    code: 'too_young',
    message: `The bank may still send this debit back: it can be refunded from ${formatUs(addDays(postedOn, days))}.`,
  }
}
