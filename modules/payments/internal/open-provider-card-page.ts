import type { Services } from '../../../platform/operations/services.ts'
import { CardProviderUnavailable } from '../../../ports/card-provider/card-provider.ts'
import { chargedStates, loadPayment, type Payment } from '../payment.ts'
import { changePaymentState, isChargeInProgress, lockWithOpenOrders, type Order, openOrder } from '../payment-orders.ts'
import { isPayerAtCardForm } from '../rules/card-possibly-charging.ts'

/** Payer's data with which the card page is prefilled. */
export interface Customer {
  name: string
  email: string
  address: string
  city: string
  state: string
  zip: string
}

/** Returns the payer's data for the card page; empty fields for null, a payer whose data the caller may not read. */
export const customerOf = (
  person: (Partial<Omit<Customer, 'name'>> & { first: string; last: string }) | null,
): Customer => ({
  name: person ? `${person.first} ${person.last}` : '',
  email: person?.email ?? '',
  address: person?.address ?? '',
  city: person?.city ?? '',
  state: person?.state ?? '',
  zip: person?.zip ?? '',
})

export type CardPageResult =
  | { ok: true; orderId: string; payPageUrl: string }
  /** The provider is unreachable: nothing was charged, retrying is safe. */
  | { ok: false; why: 'unavailable' }
  /**
   * The order in `orderId` comes first, and its own page shows its state: it may be charging, its payer is at the card
   * form, it is captured, in review or posted, or it is the tenant's and takes precedence over a guest payer's.
   */
  | { ok: false; why: 'checking'; orderId: string }

/**
 * Moves an order to 'presented' before it is charged.
 * @returns the order; null where another process moved it; 'charge_in_progress' where another open order for the same
 *   draft, link or leases may be being charged
 */
export async function markPresented(
  services: Services,
  orderId: string,
  order: Order,
): Promise<Payment | null | 'charge_in_progress'> {
  const now = services.clock.now()
  return services.db.transaction(async (tx) => {
    const openOrders = await lockWithOpenOrders(tx, order, now)
    if (openOrders.some((other) => other.order_id !== orderId && isChargeInProgress(other, now)))
      return 'charge_in_progress'
    return changePaymentState(tx, services, orderId, 'presented')
  })
}

/** Opens the provider's card page for an order, or returns the page of an open order of the same agreement. */
export async function openProviderCardPage(
  services: Services,
  order: Order & { customer: Customer },
): Promise<CardPageResult> {
  const opened = await openOrder(services, order)
  if ('orderInProgress' in opened) return { ok: false, why: 'checking', orderId: opened.orderInProgress.order_id }
  const { row } = opened
  if (isPayerAtCardForm(row, services.clock.now())) return { ok: false, why: 'checking', orderId: row.order_id }
  if (row.state === 'presented' && row.pay_page_url)
    return { ok: true, orderId: row.order_id, payPageUrl: row.pay_page_url }
  try {
    const page = await services.cardProvider.createHostedPage({
      orderId: row.order_id,
      amount: row.amount,
      // Autopay later charges the card by its alias. With an amount of 0, saving the card is the whole purpose.
      createAlias: row.autopay === 1 || row.amount === 0,
      returnUrl: `${services.publicUrl}/card-return/${row.order_id}`,
      customer: order.customer,
    })
    // If a power cut loses this write, the page is opened again and the order still queried.
    await services.db.withoutFsync((db) =>
      changePaymentState(db, services, row.order_id, 'presented', {
        session_token: page.sessionToken,
        pay_page_url: page.payPageUrl,
      }),
    )
    return { ok: true, orderId: row.order_id, payPageUrl: page.payPageUrl }
  } catch (error) {
    if (!(error instanceof CardProviderUnavailable)) throw error
    const fresh = await loadPayment(services, row.order_id)
    if (fresh?.state === 'presented' && fresh.pay_page_url)
      return { ok: true, orderId: fresh.order_id, payPageUrl: fresh.pay_page_url }
    if (fresh && chargedStates.includes(fresh.state)) return { ok: false, why: 'checking', orderId: fresh.order_id }
    services.errors.report(error, { order: row.order_id, step: 'card page' })
    return { ok: false, why: 'unavailable' }
  }
}
