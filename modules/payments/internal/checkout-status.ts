import type { Services } from '../../../platform/operations/services.ts'
import { type Failure, failureOf } from '../order-outcome-and-attempts.ts'
import { capturedStates, inProgressStates, openStates } from '../payment.ts'
import { isOwnOrder, ordersQuery } from '../payment-orders.ts'
import { checkoutSubject } from '../price-checkout.ts'
import type { Checkout } from '../rules/checkout-terms.ts'

export interface CheckoutStatus {
  /** Ids of the open or captured orders for the same leases. */
  open: string[]
  /** Id of the checkout's posted order; null without one. */
  paid: string | null
  /**
   * Order for one of the same leases that is captured or in review, and whether it is the checkout's payer's own
   * (`isOwnOrder`); undefined without one.
   */
  pending: { order_id: string; own: boolean } | undefined
  /** Failure of the checkout's latest order; null if it did not fail. */
  failure: Failure | null
}

type CheckoutRef = Pick<Checkout, 'checkoutId' | 'payer' | 'guest' | 'locationCode' | 'leaseNumber' | 'leaseNumbers'>

/** Loads the state of a checkout from its own orders, and from open, captured and in-review orders of its leases. */
export async function loadCheckoutStatus(services: Services, checkout: CheckoutRef): Promise<CheckoutStatus> {
  const { checkoutId } = checkout
  const rows = await ordersQuery(services.db.read, checkoutSubject(checkout))
    .selectAll('payments')
    .where((eb) => eb.or([eb('state', 'in', inProgressStates), eb('quote_id', '=', checkoutId)]))
    .orderBy('created_at', 'desc')
    .execute()
  const ownOrders = rows.filter((row) => row.quote_id === checkoutId)
  const [last] = ownOrders
  const pendingOrder = rows.find((row) => capturedStates.includes(row.state))
  return {
    open: rows.filter((row) => openStates.includes(row.state) || row.state === 'captured').map((row) => row.order_id),
    paid: ownOrders.find((row) => row.payer === checkout.payer && row.state === 'posted')?.order_id ?? null,
    pending: pendingOrder && { order_id: pendingOrder.order_id, own: isOwnOrder(pendingOrder, checkout) },
    failure: last ? failureOf(last) : null,
  }
}
