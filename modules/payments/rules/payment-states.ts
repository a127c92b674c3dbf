export const paymentStates = [
  'created',
  'presented',
  'captured',
  'posted',
  'declined',
  'cancelled',
  'expired',
  'refund_due',
  'refunded',
  'returned',
  'review',
] as const

/**
 * State of a payment. captured: not posted yet. review: amount or order id differs from ours and a staff member
 * decides. refund_due: captured, but cannot be posted or was refused in review. returned: posted, then returned by the
 * bank (R01 and others).
 */
export type PaymentState = (typeof paymentStates)[number]

/**
 * Allowed changes of state. Cancelled and expired orders may still be captured, declined or put in review, because the
 * provider's response wins. A decline is final.
 */
export const paymentTransitions: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  created: ['presented', 'captured', 'declined', 'cancelled', 'expired', 'review'],
  presented: ['captured', 'declined', 'cancelled', 'expired', 'review'],
  cancelled: ['captured', 'declined', 'review'],
  expired: ['captured', 'declined', 'review'],
  captured: ['posted', 'refund_due', 'review'],
  review: ['posted', 'refund_due'],
  refund_due: ['refunded'],
  posted: ['returned'],
  declined: [],
  refunded: [],
  returned: [],
}

export function isTransitionAllowed(from: PaymentState, to: PaymentState): boolean {
  return paymentTransitions[from].includes(to)
}

/** Returns the states from which a payment may change to `to` directly, for the WHERE of a guarded update. */
export function statesBefore(to: PaymentState): PaymentState[] {
  return paymentStates.filter((from) => isTransitionAllowed(from, to))
}
