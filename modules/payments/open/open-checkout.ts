import type { Selectable } from 'kysely'
import { paymentAlreadyProcessed, paymentUnderWay } from '../../../domain/texts/payment.ts'
import { type Refusal, refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { QuotesTable, TenantsTable } from '../../../platform/schema/tables.ts'
import type { PriceChange } from '../../pricing/rules/changed-price-of-quote-type.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import { loadCheckoutStatus } from '../internal/checkout-status.ts'
import { customerOf, openProviderCardPage } from '../internal/open-provider-card-page.ts'
import type { UnitsPlan } from '../internal/payers/post-several-units-payment.ts'
import { partsWithCardFee } from '../internal/price-multi-unit-payment.ts'
import type { LeasePlan } from '../payers/post-lease-payment.ts'
import type { Order } from '../payment-orders.ts'
import type { PlanParts } from '../payment-shares-by-lease.ts'
import { checkoutSubject, consentToCheckout } from '../price-checkout.ts'
import type { Checkout, LeasePart } from '../rules/checkout-terms.ts'
import { settleOrders } from '../settle-payment.ts'

export type CheckoutOpened = { ok: true; orderId: string; payPageUrl: string; amount: number } | CheckoutRefused

export type CheckoutRefused =
  | { ok: false; why: 'unavailable' }
  | { ok: false; why: 'paid'; orderId: string }
  /** An order for one of the leases must be settled first (`CardPageResult`), or is captured or in review. */
  | { ok: false; why: 'checking'; orderId: string }
  /**
   * The checkout cannot be paid online. `message` is the specified sentence, such as for a lease that is prepared for
   * auction, over 70 days past due, or paid already.
   */
  | { ok: false; why: 'blocked'; message: string }
  | { ok: false; why: 'price_changed'; changes: PriceChange[]; now: Checkout }

/** Submission of a checkout: the browser's IP address and user agent, and the quote if the same request priced it. */
export interface CheckoutSubmission {
  address: string
  agent: string
  /** Quote by `priceCheckout`, stored with the order. Its price is checked again if an earlier order was posted. */
  quote?: QuotesTable
}

/** Returns the refusal of a checkout that is paid, in progress or blocked from online payment. */
export const checkoutRefusal = (
  refused: Exclude<CheckoutRefused, { why: 'unavailable' } | { why: 'price_changed' }>,
): Refusal => {
  if (refused.why === 'blocked') return refuse(409, 'not_payable', refused.message)
  return refuse(409, refused.why, refused.why === 'paid' ? paymentAlreadyProcessed : paymentUnderWay)
}

/** Settles the open and captured orders of the checkout's leases, so that no second order opens beside captured money. */
async function settleEarlierOrders(
  services: Services,
  checkout: Checkout,
): Promise<{ ok: true; posted: boolean } | CheckoutRefused> {
  let status = await loadCheckoutStatus(services, checkout)
  const { posted, unreachable } = await settleOrders(services, status.open)
  // An earlier order may be paid, so no second page opens before the provider responds.
  if (unreachable) return { ok: false, why: 'unavailable' }
  if (status.open.length > 0) status = await loadCheckoutStatus(services, checkout)
  if (status.paid) return { ok: false, why: 'paid', orderId: status.paid }
  if (status.pending) return { ok: false, why: 'checking', orderId: status.pending.order_id }
  return { ok: true, posted: posted !== null }
}

const planParts = ({ pays, autopay }: Checkout, parts: LeasePart[]): PlanParts =>
  pays === 'dues' && !autopay ? { parts } : { partsWithTerms: parts }

/**
 * Builds the order of a checkout, after settling earlier orders and checking that the checkout is not paid and no order
 * for its leases is captured or in review. Also checks that the price is as agreed, unless this request priced it and no
 * earlier order has been posted since.
 * @returns the order and its tenant; `tenant` is null for a guest payer
 */
export async function checkoutOrder(
  services: Services,
  checkout: Checkout,
  method: 'CC' | 'ACH',
  submission: CheckoutSubmission,
): Promise<{ ok: true; order: Order; tenant: Selectable<TenantsTable> | null } | CheckoutRefused> {
  const earlier = await settleEarlierOrders(services, checkout)
  if (!earlier.ok) return earlier
  let price = checkout.price[method]
  // An earlier order that has just been posted changes the amount due.
  if (!submission.quote || earlier.posted) {
    const consent = await consentToCheckout(services, checkout, method)
    if (!consent.ok) return consent
    price = consent.price
  }
  // A guest payer has proved nothing, so the card page is not prefilled with the tenant's data.
  const tenant =
    checkout.payer !== 'guest' ? await loadTenant(services.db.read, checkout.locationCode, checkout.tenantId) : null
  const plan: LeasePlan | UnitsPlan = {
    pays: checkout.pays,
    periods: checkout.periods,
    unitNumber: checkout.unitNumber,
    unitId: checkout.unitId,
    price,
    ...(checkout.units && planParts(checkout, partsWithCardFee(checkout.units, price))),
    // Amounts of 0 are all alike; the checkout id tells one choice of card or account from another.
    ...(checkout.pays === 'autopay' && { chosen: checkout.checkoutId }),
  }
  return {
    ok: true,
    tenant: tenant ?? null,
    order: {
      payer: checkout.payer,
      guest: checkout.guest,
      locationCode: checkout.locationCode,
      subject: checkoutSubject(checkout),
      tenantId: checkout.tenantId,
      leaseNumber: checkout.leaseNumbers ? null : checkout.leaseNumber,
      amount: price.total,
      autopay: checkout.autopay,
      quoteId: checkout.checkoutId,
      ...(submission.quote && { quote: submission.quote }),
      plan: JSON.stringify(plan),
      method,
      authorisation: checkout.autopay
        ? {
            text: checkout.autopayConsent,
            at: services.clock.now(),
            address: submission.address,
            agent: submission.agent.slice(0, 300),
          }
        : null,
    },
  }
}

/**
 * Opens an order for a checkout at the card provider, after checking that it may be paid.
 * @returns the order and the address of its card page, or why it cannot be paid
 */
export async function openCheckout(
  services: Services,
  checkout: Checkout,
  submission: CheckoutSubmission,
): Promise<CheckoutOpened> {
  const orderResult = await checkoutOrder(services, checkout, 'CC', submission)
  if (!orderResult.ok) return orderResult
  const presented = await openProviderCardPage(services, {
    ...orderResult.order,
    customer: customerOf(orderResult.tenant),
  })
  return presented.ok ? { ...presented, amount: orderResult.order.amount } : presented
}
