import type { Services } from '../../platform/operations/services.ts'
import { type Checkout, paidForByCheckout } from './checkout.ts'
import { isOwnOrder, ordersQuery } from './orders.ts'
import { openStates } from './payment.ts'
import { type Failure, failureOf } from './payment-outcome.ts'

export interface CheckoutStatus {
  open: string[]
  paid: string | null
  /** Order for the same lease that is captured but not posted yet. */
  onItsWay: { order_id: string; own: boolean } | undefined
  /** Why the checkout's latest order failed; null if it did not. */
  failure: Failure | null
}

type CheckoutKey = Pick<Checkout, 'checkoutId' | 'payer' | 'guest' | 'locationCode' | 'leaseNumber' | 'leaseNumbers'>

export async function checkoutStatus(services: Services, checkout: CheckoutKey): Promise<CheckoutStatus> {
  const { checkoutId } = checkout
  const rows = await ordersQuery(services.db.read, paidForByCheckout(checkout))
    .selectAll('payments')
    .where((eb) => eb.or([eb('state', 'in', [...openStates, 'captured', 'review']), eb('quote_id', '=', checkoutId)]))
    .orderBy('created_at', 'desc')
    .execute()
  const tries = rows.filter((row) => row.quote_id === checkoutId)
  const [last] = tries
  const onItsWay = rows.find((row) => row.state === 'captured' || row.state === 'review')
  return {
    open: rows.filter((row) => openStates.includes(row.state) || row.state === 'captured').map((row) => row.order_id),
    paid: tries.find((row) => row.payer === checkout.payer && row.state === 'posted')?.order_id ?? null,
    onItsWay: onItsWay && { order_id: onItsWay.order_id, own: isOwnOrder(onItsWay, checkout) },
    failure: last ? failureOf(last) : null,
  }
}
