import { redirect } from 'react-router'
import type { PayerKind } from '../../domain/payer-kinds.ts'
import { settleOrderAfterCardPage } from '../../modules/payments/operations/settle-order-after-card-page.ts'
import { settleOrderOfLostSession } from '../../modules/payments/operations/settle-order-of-lost-session.ts'
import type { PaymentMethod } from '../../modules/payments/rules/checkout-terms.ts'
import { isOwnPayment } from '../../modules/payments/rules/payment-visibility.ts'
import type { ChargeStatement } from '../../modules/payments/texts/was-money-taken-by-payment-state.ts'
import {
  loadCancelledOrderStatement,
  loadOrderOnReturn,
  type OrderOnReturn,
} from '../../modules/payments/views/order-on-card-page-return.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { MessageCode } from '../request/alert-texts-by-code.ts'
import { type RequestContext, redirectWithAlert } from '../request/context.ts'
import type { CheckedPayment } from './parts/lost-session-outcome.tsx'
import type { PaymentOutcome } from './parts/unposted-payment-outcome.tsx'
import { type PagePayer, pagesOf, paysByLink } from './payer-page-addresses.ts'

export interface CardReturn {
  site: RequestContext
  payer: PagePayer
  method: string
  /** Alert to show the visitor, and path to redirect to, when the order is unknown or not the session's own. */
  refused: { say: MessageCode; path: string }
  /** Link away from the page of an order that is being checked, reviewed or refunded. */
  back: { to: string; label: string }
  /** Returns the path of the page to show after the order was posted. */
  done(order: OrderOnReturn, leaseNumber: number | null): string | Promise<string>
}

/**
 * Settles the session's own order. Only the order number is taken from the address.
 * @returns the outcome of an order that is being checked, reviewed or refunded
 * @throws a redirect when the order is posted, declined, canceled or unknown, or is not the session's own
 */
export async function settleReturn(cardReturn: CardReturn, request: Request): Promise<PaymentOutcome> {
  const { site, payer, refused } = cardReturn
  const { services, session } = site
  const orderId = new URL(request.url).searchParams.get('order') ?? session.ids.orderId ?? ''
  const order = orderId === '' ? undefined : await loadOrderOnReturn(services, orderId)
  if (!order || order.payer !== payer || !isOwnPayment(await site.callers(), order)) {
    recordForeignOrder(services, orderId, order)
    return redirectWithAlert(site, refused.say, refused.path)
  }
  if (session.ids.orderId !== orderId) session.set({ orderId })
  const settled = await settleOrderAfterCardPage(services, order)
  switch (settled.state) {
    case 'posted':
      throw redirect(await cardReturn.done(order, settled.leaseNumber))
    case 'declined':
      // Another window may have started another checkout; the failure must show beside the price of the refused order.
      if (!paysByLink(payer)) session.set({ checkout: order.quote_id ?? undefined })
      throw redirect(
        settled.retriesUsedUp || order.method === 'ACH' ? cardReturn.method : `${pagesOf(payer).card}?retry=true`,
      )
    case 'cancelled':
      throw afterCancelled(site, order, cardReturn.method)
    case 'unknown':
      return redirectWithAlert(site, refused.say, refused.path)
    default:
      return {
        brand: site.brand.name,
        state: settled.state,
        orderId: settled.outcome.orderId,
        amount: settled.outcome.amount,
        phone: settled.outcome.phone,
        refundNotice: settled.outcome.refundNotice,
        hasForm: settled.outcome.hasForm,
      }
  }
}

const nextLinks: Record<PayerKind, CheckedPayment['nextLink']> = {
  move_in: { label: 'Find your reservation', href: '/find-reservation' },
  tenant: { label: 'Log in', href: '/login' },
  units: { label: 'Log in', href: '/login' },
  autopay: { label: 'Log in', href: '/login' },
  guest: { label: 'Find your units again', href: '/guest/find-email' },
  auction: { label: 'Home page', href: '/' },
  settlement: { label: 'Home page', href: '/' },
}

/**
 * Returns whether the browser has a session of any payer. Another payer's session counts, so that the order is refused.
 * When the payer's own sign-in has ended, the browser's other sessions do not count.
 */
async function hasSession({ session, callers }: RequestContext, { payer }: OrderOnReturn): Promise<boolean> {
  const { tenant, guest, rental, auction, settlement } = await callers()
  const { token, guestToken } = session.ids
  if (payer === 'guest' && guestToken && !guest) return false
  if ((payer === 'tenant' || payer === 'units') && token && !tenant) return false
  return [tenant, guest, rental, auction, settlement].some(Boolean)
}

/**
 * Settles the order in the address when the browser has lost its session, since the money may have been taken.
 * @returns null when there is a session or no such order
 */
export async function returnWithoutSession(site: RequestContext, request: Request): Promise<CheckedPayment | null> {
  const { services } = site
  const order = await loadOrderOnReturn(services, new URL(request.url).searchParams.get('order') ?? '')
  if (!order || (await hasSession(site, order))) return null
  const { statement, isOpen } = await settleOrderOfLostSession(services, order)
  return { brand: site.brand.name, statement, open: isOpen, nextLink: nextLinks[order.payer] }
}

/**
 * Records a security event when a request names an order that is unknown or not the session's own.
 * A page opened without an order is no event.
 */
export function recordForeignOrder(
  services: Pick<Services, 'security'>,
  orderId: string,
  payment: Pick<OrderOnReturn, 'order_id'> | undefined,
): void {
  if (orderId !== '') services.security.record('order.foreign', { operation: 'card return', order: payment?.order_id })
}

/** Returns the redirect for an order that was closed unpaid: its card page was left, or the bank never took the debit. */
export function afterCancelled(site: RequestContext, payment: { method: PaymentMethod }, method: string): Response {
  return payment.method === 'ACH' ? redirectWithAlert(site, 'achFailed', method) : redirect(`${method}?left=true`)
}

/**
 * Returns the statement that nothing was charged when the address has `left=true` and the session's order is canceled;
 * otherwise null. The address alone is no proof.
 */
export async function loadLeftCardPageStatement(
  { services, session }: RequestContext,
  request: Request,
): Promise<ChargeStatement | null> {
  if (new URL(request.url).searchParams.get('left') !== 'true') return null
  return loadCancelledOrderStatement(services, session.ids.orderId ?? '')
}
