import { redirect } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import { paymentAlreadyProcessed } from '../../domain/texts/payment.ts'
import { phoneFor } from '../../modules/facilities/choose-support-phone.ts'
import { facilityByCode } from '../../modules/facilities/views/facility-lookups.ts'
import { asRecordedOrder, loadPayment, type Payment } from '../../modules/payments/payment.ts'
import { isOwnPayment } from '../../modules/payments/rules/payment-access.ts'
import { settlePayment } from '../../modules/payments/settle-payment.ts'
import {
  type ChargeStatement,
  chargeStatement,
  nothingCharged,
} from '../../modules/payments/texts/money-taken-sentences.ts'
import { refundReason } from '../../modules/refunds/texts/refund-reasons.ts'
import type { Services } from '../../platform/operations/services.ts'
import { type RequestContext, redirectWithAlert } from '../request/context.ts'
import type { MessageCode } from '../request/texts-by-code.ts'
import type { CheckedPayment } from './parts/lost-session-outcome.tsx'
import type { PaymentOutcome, RefundNotice } from './parts/payment-outcome.tsx'
import { type PagePayer, pagesOf, paysByLink } from './payer-page-addresses.ts'

export interface CardReturn {
  site: RequestContext
  payer: PagePayer
  method: string
  /** Alert and redirect for an order that is not the session's own. */
  refused: { say: MessageCode; path: string }
  back: { to: string; label: string }
  done(payment: Payment, leaseNumber: number | null): string | Promise<string>
}

/**
 * Settles the session's own order. Only the order number is taken from the address.
 * @returns the outcome while the order is open
 * @throws a redirect when the order is closed or not the session's own
 */
export async function settleReturn(cardReturn: CardReturn, request: Request): Promise<PaymentOutcome> {
  const { site, payer, refused } = cardReturn
  const { services, session } = site
  const orderId = new URL(request.url).searchParams.get('order') ?? session.ids.orderId ?? ''
  const payment = orderId === '' ? undefined : await loadPayment(services, orderId)
  if (!payment || payment.payer !== payer || !isOwnPayment(await site.callers(), payment)) {
    recordForeignOrder(services, orderId, payment)
    return redirectWithAlert(site, refused.say, refused.path)
  }
  if (session.ids.orderId !== orderId) session.set({ orderId })
  const outcome = await settlePayment(services, orderId)
  switch (outcome.state) {
    case 'posted':
      throw redirect(await cardReturn.done(payment, outcome.leaseNumber))
    case 'declined':
      // Another window may have started another checkout; the failure must show beside the price of the refused order.
      if (!paysByLink(payer)) session.set({ checkout: payment.quote_id ?? undefined })
      throw redirect(
        outcome.retriesUsedUp || payment.method === 'ACH' ? cardReturn.method : `${pagesOf(payer).card}?retry=true`,
      )
    case 'cancelled':
      throw afterCancelled(site, payment, cardReturn.method)
    case 'unknown':
      return redirectWithAlert(site, refused.say, refused.path)
    default:
      return loadPaymentOutcome(site, payment, outcome.state)
  }
}

const nextLinks: Record<Payment['payer'], CheckedPayment['nextLink']> = {
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
async function hasSession({ session, callers }: RequestContext, { payer }: Payment): Promise<boolean> {
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
  const payment = await loadPayment(services, new URL(request.url).searchParams.get('order') ?? '')
  if (!payment || (await hasSession(site, payment))) return null
  const outcome = await settlePayment(services, payment.order_id)
  const current = (await loadPayment(services, payment.order_id)) ?? payment
  return {
    brand: site.brand.name,
    statement: chargeStatement(asRecordedOrder(current)),
    open: outcome.state === 'checking',
    nextLink: nextLinks[payment.payer],
  }
}

/**
 * Builds the outcome page of an order whose payment is being checked, under review or refunded.
 * @param originalOrder the order as it was before settling; the approved amount may differ from its amount
 */
export async function loadPaymentOutcome(
  site: RequestContext,
  originalOrder: Payment,
  state: PaymentOutcome['state'],
): Promise<PaymentOutcome> {
  const payment = (await loadPayment(site.services, originalOrder.order_id)) ?? originalOrder
  return {
    brand: site.brand.name,
    state,
    orderId: payment.order_id,
    amount: payment.approved_amount ?? payment.amount,
    phone: await phoneAt(site.services, payment.location_code),
    wentBack: state === 'refund' ? refundNotice(payment) : null,
    hasForm: payment.state === 'presented' && payment.method === 'CC',
  }
}

/**
 * Records a security event when a session names an order that is not its own.
 * A page opened without an order is no event.
 */
export function recordForeignOrder(
  services: Pick<Services, 'security'>,
  orderId: string,
  payment: Pick<Payment, 'order_id'> | undefined,
): void {
  if (orderId !== '') services.security.record('order.foreign', { operation: 'card return', order: payment?.order_id })
}

/** Redirects after an order that was closed unpaid: its card page was left, or the bank never took the debit. */
export function afterCancelled(site: RequestContext, payment: Pick<Payment, 'method'>, method: string): Response {
  return payment.method === 'ACH' ? redirectWithAlert(site, 'achFailed', method) : redirect(`${method}?left=true`)
}

/**
 * Returns the statement that nothing was charged when the session's order was canceled on its card page.
 * The address alone is no proof.
 */
export async function loadLeftCardPageStatement(
  { services, session }: RequestContext,
  request: Request,
): Promise<ChargeStatement | null> {
  if (new URL(request.url).searchParams.get('left') !== 'true') return null
  const payment = await loadPayment(services, session.ids.orderId ?? '')
  return payment?.state === 'cancelled' ? nothingCharged(asRecordedOrder(payment)) : null
}

function refundNotice({ payer, ...payment }: Payment): RefundNotice {
  const trouble = payment.trouble ?? ''
  const isAlreadyPaid = trouble === 'already_paid' && payer !== 'units'
  const title = isAlreadyPaid ? paymentAlreadyProcessed : 'This payment could not be counted'
  return { trouble, title, why: refundReason(trouble, payer) }
}

export const phoneAt = async (services: Services, locationCode: string): Promise<string> =>
  formatPhone(await phoneFor(services, await facilityByCode(services, locationCode)))
