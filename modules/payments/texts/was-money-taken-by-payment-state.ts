import type { PaymentState } from '../rules/payment-states.ts'

declare const chargeStatementBrand: unique symbol

declare const recordedBrand: unique symbol

/** Order as read from the database. Only `asRecordedOrder` (modules/payments/payment.ts) creates it. */
export interface RecordedOrder {
  readonly state: PaymentState
  readonly [recordedBrand]: true
}

/**
 * The orders of one rental as read from the database. Only `asRecordedOrders` (modules/payments/payment.ts) creates it.
 */
export interface RecordedOrders {
  readonly orders: readonly RecordedOrder[]
  readonly [recordedBrand]: true
}

/** Sentence about whether money was taken. It is created only from the recorded states of orders. */
export type ChargeStatement = string & { readonly [chargeStatementBrand]: true }

const toStatement = (sentence: string) => sentence as ChargeStatement

const sentences: Record<PaymentState, string> = {
  created: 'We do not know yet whether it went through. Please do not pay a second time.',
  presented: 'We do not know yet whether it went through. Please do not pay a second time.',
  captured: 'The payment went through and is being counted. Please do not pay a second time.',
  posted: 'The payment went through. Its receipt is e-mailed.',
  declined: 'The payment was refused. Nothing was charged.',
  cancelled: 'The payment was not completed. Nothing was charged.',
  expired: 'The payment was not completed. Nothing was charged.',
  review: 'The payment went through, and our staff will check it first. Please do not pay a second time.',
  refund_due: 'The payment could not be counted. The whole amount goes back to where it came from.',
  refunded: 'The payment could not be counted. The whole amount has gone back to where it came from.',
  returned: 'The bank returned the payment, so it does not count any more.',
}

/** Returns a sentence, without names or amounts, about whether money was taken for the order. */
export const chargeStatement = ({ state }: RecordedOrder): ChargeStatement => toStatement(sentences[state])

/** States of an order that ended without a charge, as far as our database knows. */
const unchargedStates: readonly PaymentState[] = ['declined', 'cancelled', 'expired']

/** Returns 'Nothing was charged' for an order that ended without a charge, otherwise null. */
export const nothingCharged = ({ state }: RecordedOrder): ChargeStatement | null =>
  unchargedStates.includes(state) ? toStatement('Nothing was charged') : null

declare const notChargedBrand: unique symbol

/** Beginning of a sentence about an order that ended without a charge. */
export type NotCharged = ChargeStatement & { readonly [notChargedBrand]: true }

/** Returns 'You were not charged' for an order that ended without a charge, otherwise null. */
export const notCharged = ({ state }: RecordedOrder): NotCharged | null =>
  unchargedStates.includes(state) ? ('You were not charged' as NotCharged) : null

/** Statement about the payments of a rental. `free` is true if all of its orders ended without a charge, or it has none. */
export interface RentalOutcome {
  free: boolean
  /** Sentence for the renter: 'You were not charged and owe nothing.', or about the order that may have been paid. */
  chargeStatement: ChargeStatement
}

/** Returns whether all orders of a rental ended without a charge, with the sentence for a renter whose rental has ended. */
export function rentalOutcome({ orders }: RecordedOrders): RentalOutcome {
  const chargingOrder = orders.find((order) => notCharged(order) === null)
  return chargingOrder
    ? { free: false, chargeStatement: chargeStatement(chargingOrder) }
    : { free: true, chargeStatement: toStatement('You were not charged and owe nothing.') }
}

/** Returns 'Nothing has been charged yet.' for a rental in progress; null unless all its orders ended without a charge. */
export const nothingChargedYet = (orders: RecordedOrders): ChargeStatement | null =>
  rentalOutcome(orders).free ? toStatement('Nothing has been charged yet.') : null

/**
 * Returns the variant of `paymentRetryFailed` for payments that are no move-in, so that no hold is at stake: those of
 * tenants, guest payers and auction winners, and settlements.
 */
export const duesRetryFailed = (charged: NotCharged, phone: string) =>
  `Unfortunately we have been unable to process your payment. ${charged}, and what is due has not changed. Please try another way to pay, or call ${phone}.`
