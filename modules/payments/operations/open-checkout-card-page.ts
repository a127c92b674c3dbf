import type { Callers } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type CheckoutOpened, openCheckout } from '../open/open-checkout.ts'
import { loadPayment } from '../payment.ts'
import { isPayerAtCardForm } from '../rules/card-possibly-charging.ts'
import type { Checkout } from '../rules/checkout-terms.ts'
import { isOwnPayment } from '../rules/payment-visibility.ts'
import { loadCheckoutProgress } from '../views/checkout-progress.ts'

export type CheckoutCardPage =
  | Exclude<CheckoutOpened, { why: 'paid' | 'checking' }>
  /** The page shows another checkout than the session has. */
  | { ok: false; why: 'other_tab' }
  /** The payer's own order is posted, captured or in review, or may be charging: its outcome is shown. */
  | { ok: false; why: 'outcome'; orderId: string }
  /** An order for the leases is captured or in review, is posted, or must be settled first. */
  | { ok: false; why: 'leases_being_paid' | 'order_posted' | 'order_open' }

/**
 * Opens the card page for the session's own checkout.
 * @param shownId id of the checkout on the submitted page; undefined where the payer has agreed to the session's
 */
export async function openCheckoutCardPage(
  services: Services,
  checkout: Checkout,
  callers: Callers,
  shownId?: string,
): Promise<CheckoutCardPage> {
  if (shownId !== undefined && shownId !== checkout.checkoutId) return { ok: false, why: 'other_tab' }
  const { address, agent } = callers
  const opened = await openCheckout(services, checkout, { address, agent })
  if (opened.ok) return opened
  switch (opened.why) {
    case 'paid':
      return { ok: false, why: 'outcome', orderId: opened.orderId }
    case 'checking':
      return refusalByOpenOrder(services, checkout, callers, opened.orderId)
    default:
      return opened
  }
}

/**
 * Returns the refusal of a checkout that another order delays; `why` is 'outcome' if the payer's own order is posted,
 * captured or in review, or may be charging.
 * @param orderId order that must be settled first
 */
async function refusalByOpenOrder(
  services: Services,
  checkout: Checkout,
  callers: Callers,
  orderId: string,
): Promise<CheckoutCardPage> {
  const { outcomeOf, isUnderWay } = await loadCheckoutProgress(services, checkout)
  if (outcomeOf) return { ok: false, why: 'outcome', orderId: outcomeOf }
  if (isUnderWay) return { ok: false, why: 'leases_being_paid' }
  const order = await loadPayment(services, orderId)
  const isOwn = order?.payer === checkout.payer && isOwnPayment(callers, order)
  if (isOwn && isPayerAtCardForm(order, services.clock.now())) return { ok: false, why: 'outcome', orderId }
  return { ok: false, why: order?.state === 'posted' ? 'order_posted' : 'order_open' }
}
