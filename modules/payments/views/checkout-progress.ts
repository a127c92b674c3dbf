import type { Services } from '../../../platform/operations/services.ts'
import type { Failure } from '../failed-attempts-and-last-failure.ts'
import { loadCheckoutStatus } from '../internal/checkout-status.ts'
import type { Checkout } from '../rules/checkout-terms.ts'

/** How far the payment of a checkout has come. */
export interface CheckoutProgress {
  /** Order of this payer that is posted, or captured and not posted yet: its outcome is shown. Null without one. */
  outcomeOf: string | null
  /** Whether an order for one of the same leases is captured or in review. */
  isUnderWay: boolean
  /** Why the checkout's latest order failed; null if it did not. */
  failure: Failure | null
}

/** Loads whether a checkout is paid, or its leases are being paid. */
export async function loadCheckoutProgress(services: Services, checkout: Checkout): Promise<CheckoutProgress> {
  const { paid, pending, failure } = await loadCheckoutStatus(services, checkout)
  return {
    outcomeOf: paid ?? (pending?.own ? pending.order_id : null),
    isUnderWay: pending !== undefined,
    failure,
  }
}
