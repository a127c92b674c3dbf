import type { PaymentState } from '../payment.ts'

declare const ofAnOrder: unique symbol

/** A sentence about whether money was taken. Only `chargeTold` makes one, from an order's state. */
export type ChargeTold = string & { readonly [ofAnOrder]: true }

const told: Record<PaymentState, string> = {
  created: 'We do not know yet whether it went through. Please do not pay a second time.',
  presented: 'We do not know yet whether it went through. Please do not pay a second time.',
  captured: 'The payment went through and is being counted. Please do not pay a second time.',
  posted: 'The payment went through. Its receipt is e-mailed.',
  declined: 'The payment was refused. Nothing was charged.',
  cancelled: 'The payment was not completed. Nothing was charged.',
  expired: 'The payment was not completed. Nothing was charged.',
  review: 'The payment went through, and somebody here looks at it first. Please do not pay a second time.',
  refund_due: 'The payment could not be counted. The whole amount goes back to where it came from.',
  refunded: 'The payment could not be counted. The whole amount has gone back to where it came from.',
  returned: 'The bank returned the payment, so it does not count any more.',
}

/** Says of an order, without names or sums, whether money was taken for it. */
export const chargeTold = ({ state }: { state: PaymentState }): ChargeTold => told[state] as ChargeTold

/** The states of an order that ended without money. */
export type Untaken = 'declined' | 'cancelled' | 'expired'

const untaken: readonly PaymentState[] = ['declined', 'cancelled', 'expired'] satisfies Untaken[]

/** 'Nothing was charged' for an order that ended without money, else null. */
export const nothingCharged = (order: { state: PaymentState }): ChargeTold | null =>
  untaken.includes(order.state) ? ('Nothing was charged' as ChargeTold) : null

/** Begins or ends a sentence about an order that ended without money. */
export const notCharged = (_order: { state: Untaken }): ChargeTold => 'You were not charged' as ChargeTold

/** `paymentRetryFailed` for those who hold no unit: tenants, guests, auction winners, settlements. */
export const duesRetryFailed = (phone: string) =>
  `Unfortunately we have been unable to process your payment. ${notCharged({ state: 'declined' })}, and what is due has not changed. Please try another way to pay, or call ${phone}.`
