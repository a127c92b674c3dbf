import { redirect } from 'react-router'
import { refundReason } from '../../domain/payment.ts'
import { formatPhone } from '../../domain/phone.ts'
import { paymentAlreadyProcessed } from '../../domain/texts/payment.ts'
import { facilityByCode } from '../../modules/facilities/facility.ts'
import { phoneFor } from '../../modules/facilities/phone.ts'
import { type Payment, paymentOf, recorded } from '../../modules/payments/payment.ts'
import { isOwnPayment } from '../../modules/payments/receipt.ts'
import { settlePayment } from '../../modules/payments/settle.ts'
import { type ChargeTold, chargeTold, nothingCharged } from '../../modules/payments/texts/charged.ts'
import type { Services } from '../../platform/operations/services.ts'
import { alertAndGo, type RequestContext } from '../request/context.ts'
import type { MessageCode } from '../request/messages-by-code.ts'
import type { CheckedPayment } from './parts/checked-payment.tsx'
import type { Outcome, RefundNotice } from './parts/outcome.tsx'
import { type PagePayer, pagesOf, paysByLink } from './payers.ts'

export interface CardReturn {
  site: RequestContext
  payer: PagePayer
  method: string
  /** Where an order that is not this session's own leads, and what is said there. */
  refused: { say: MessageCode; path: string }
  back: { to: string; label: string }
  done(payment: Payment, leaseNumber: number | null): string | Promise<string>
}

/** Settles the session's own order; of the address only its number is believed. @throws a redirect unless it is still open */
export async function settleReturn(to: CardReturn, request: Request): Promise<Outcome> {
  const { site, payer, refused } = to
  const { services, session } = site
  const orderId = new URL(request.url).searchParams.get('order') ?? session.ids.orderId ?? ''
  const payment = orderId === '' ? undefined : await paymentOf(services, orderId)
  if (!payment || payment.payer !== payer || !isOwnPayment(await site.callers(), payment)) {
    recordForeignOrder(services, orderId, payment)
    return alertAndGo(site, refused.say, refused.path)
  }
  if (session.ids.orderId !== orderId) session.set({ orderId })
  const settled = await settlePayment(services, orderId)
  switch (settled.state) {
    case 'posted':
      throw redirect(await to.done(payment, settled.leaseNumber))
    case 'declined':
      // Another window may have begun another checkout: the failure stands beside the price that it was for.
      if (!paysByLink(payer)) session.set({ checkout: payment.quote_id ?? undefined })
      throw redirect(
        settled.retriesUsedUp || payment.method === 'ACH' ? to.method : `${pagesOf(payer).card}?retry=true`,
      )
    case 'cancelled':
      throw afterCancelled(site, payment, to.method)
    case 'unknown':
      return alertAndGo(site, refused.say, refused.path)
    default:
      return outcomeOf(site, payment, settled.state)
  }
}

const waysOn: Record<Payment['payer'], CheckedPayment['wayOn']> = {
  move_in: { label: 'Find your reservation', href: '/find-reservation' },
  tenant: { label: 'Log in', href: '/login' },
  units: { label: 'Log in', href: '/login' },
  autopay: { label: 'Log in', href: '/login' },
  guest: { label: 'Find your units again', href: '/guest/find-email' },
  auction: { label: 'Home page', href: '/' },
  settlement: { label: 'Home page', href: '/' },
}

/**
 * Whether this browser calls for anybody. One who calls for another than the payer is refused (case 7); where the payer's own
 * sign-in has ended meanwhile, what else the browser began is no answer.
 */
async function hasSession({ session, callers }: RequestContext, { payer }: Payment): Promise<boolean> {
  const { tenant, guest, rental, auction, settlement } = await callers()
  const { token, guestToken } = session.ids
  if (payer === 'guest' && guestToken && !guest) return false
  if ((payer === 'tenant' || payer === 'units') && token && !tenant) return false
  return [tenant, guest, rental, auction, settlement].some(Boolean)
}

/**
 * Settles the order that the address names where the browser has lost its session: the money may have been taken all the same.
 * @returns null where there is a session, or no such order
 */
export async function returnWithoutSession(site: RequestContext, request: Request): Promise<CheckedPayment | null> {
  const { services } = site
  const payment = await paymentOf(services, new URL(request.url).searchParams.get('order') ?? '')
  if (!payment || (await hasSession(site, payment))) return null
  const settled = await settlePayment(services, payment.order_id)
  const now = (await paymentOf(services, payment.order_id)) ?? payment
  return {
    brand: site.brand.name,
    told: chargeTold(recorded(now)),
    open: settled.state === 'checking',
    wayOn: waysOn[payment.payer],
  }
}

/** @param opened the order as it was before it was settled: what was approved may differ from its amount */
export async function outcomeOf(site: RequestContext, opened: Payment, state: Outcome['state']): Promise<Outcome> {
  const payment = (await paymentOf(site.services, opened.order_id)) ?? opened
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

/** An order of another session is worth a look; a page that was opened without an order is not. */
export function recordForeignOrder(
  services: Pick<Services, 'security'>,
  orderId: string,
  payment: Pick<Payment, 'order_id'> | undefined,
): void {
  if (orderId !== '') services.security.record('order.foreign', { operation: 'card return', order: payment?.order_id })
}

/** An order that is closed and unpaid: a card page that was left, or a bank that never took the debit it was asked for. */
export function afterCancelled(site: RequestContext, payment: Pick<Payment, 'method'>, method: string): Response {
  return payment.method === 'ACH' ? alertAndGo(site, 'achFailed', method) : redirect(`${method}?left=true`)
}

/** What the session's order says of money, where its card page was left: the address alone says nothing. */
export async function toldOfLeaving(
  { services, session }: RequestContext,
  request: Request,
): Promise<ChargeTold | null> {
  if (new URL(request.url).searchParams.get('left') !== 'true') return null
  const payment = await paymentOf(services, session.ids.orderId ?? '')
  return payment?.state === 'cancelled' ? nothingCharged(recorded(payment)) : null
}

function refundNotice({ payer, ...payment }: Payment): RefundNotice {
  const trouble = payment.trouble ?? ''
  const paid = trouble === 'already_paid' && payer !== 'units'
  const title = paid ? paymentAlreadyProcessed : 'This payment could not be counted'
  return { trouble, title, why: refundReason(trouble, payer) }
}

export const phoneAt = async (services: Services, locationCode: string): Promise<string> =>
  formatPhone(await phoneFor(services, await facilityByCode(services, locationCode)))
