import type { Services } from '../../../platform/operations/services.ts'
import { loadCheckoutStatus } from '../internal/checkout-status.ts'
import type { Failure } from '../order-outcome-and-attempts.ts'
import type { Checkout } from '../rules/checkout-terms.ts'

/** Progress of a checkout's payment. */
export interface CheckoutProgress {
  /**
   * Id of the checkout's posted order, else of the payer's own order (`isOwnOrder`) for one of the checkout's leases that
   * is captured or in review; null without one.
   */
  outcomeOf: string | null
  /** Whether an order for one of the same leases is captured or in review. */
  isUnderWay: boolean
  /** Failure of the checkout's latest order; null if it did not fail. */
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
