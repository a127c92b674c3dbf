import { hasFields, parseJson } from '../../../domain/parse-json-and-check-shape.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { QUOTE_MS } from '../../pricing/rules/quote-duration.ts'
import { hasTenant } from '../../tenants/rules/account-has-tenant.ts'
import { openStates } from '../payment.ts'
import type { Checkout } from '../rules/checkout-terms.ts'

/** Loads a checkout as it was shown; null where none has this id. Callers must check its payer and tenant. */
export async function loadCheckout(services: Services, checkoutId: string | undefined): Promise<Checkout | null> {
  if (!checkoutId) return null
  const row = await services.db.read
    .selectFrom('quotes')
    .select('charges')
    .where('quote_id', '=', checkoutId)
    .where('draft_id', 'is', null)
    .executeTakeFirst()
  return row ? (parseJson(row.charges, hasFields<{ checkout?: Checkout }>()).checkout ?? null) : null
}

/**
 * Loads the checkout with this id; 'missing' if there is none or its payer is not of kind `payer`, 'foreign' if the
 * caller's sign-in as a tenant or guest payer does not include the checkout's tenant.
 */
export async function loadOwnCheckout(
  services: Services,
  callers: Callers,
  { checkoutId, payer }: Pick<Checkout, 'checkoutId' | 'payer'>,
): Promise<Checkout | 'missing' | 'foreign'> {
  const checkout = await loadCheckout(services, checkoutId)
  if (!checkout || checkout.payer !== payer) return 'missing'
  return hasTenant(payer === 'guest' ? callers.guest : callers.tenant, checkout) ? checkout : 'foreign'
}

/**
 * Returns whether an order was opened from this checkout, or whether order `orderId` has the checkout's kind of payer,
 * lease, card price and autopay, and is open or not older than the checkout. An order for several units has no lease.
 */
export async function isCheckoutAgreed(services: Services, checkout: Checkout, orderId?: string): Promise<boolean> {
  const order = await services.db.read
    .selectFrom('payments')
    .select('order_id')
    .where('payer', '=', checkout.payer)
    .where((eb) =>
      eb.or([
        eb('quote_id', '=', checkout.checkoutId),
        eb.and([
          eb('order_id', '=', orderId ?? ''),
          eb('location_code', '=', checkout.locationCode),
          eb('lease_number', checkout.leaseNumbers ? 'is' : '=', checkout.leaseNumbers ? null : checkout.leaseNumber),
          eb('amount', '=', checkout.price.CC.total),
          eb('autopay', '=', checkout.autopay ? 1 : 0),
          // An old order says nothing about today's checkout.
          eb.or([eb('state', 'in', openStates), eb('created_at', '>=', checkout.expiresAt - QUOTE_MS)]),
        ]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return order !== undefined
}
