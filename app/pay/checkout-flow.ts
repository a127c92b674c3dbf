import { data, redirect } from 'react-router'
import { format } from '../../domain/money.ts'
import { formatUs } from '../../domain/plain-date.ts'
import { chooseOne } from '../../domain/texts/field-errors.ts'
import { changedElsewhere } from '../../domain/texts/general-errors.ts'
import { paymentAlreadyProcessed } from '../../domain/texts/payment.ts'
import { loadFactsAt } from '../../modules/facilities/views/facility-of-tenant-pages.ts'
import { loadSupportPhone } from '../../modules/facilities/views/support-phone.ts'
import { openCheckoutCardPage } from '../../modules/payments/operations/open-checkout-card-page.ts'
import { attemptsOfCheckout } from '../../modules/payments/rules/attempt-count-subject.ts'
import type { Checkout } from '../../modules/payments/rules/checkout-terms.ts'
import { periodsNamed } from '../../modules/payments/texts/pay-ahead.ts'
import { loadAutopayAfterPayment } from '../../modules/payments/views/autopay-state-after-payment.ts'
import { type CheckoutProgress, loadCheckoutProgress } from '../../modules/payments/views/checkout-progress.ts'
import { areRetriesUsedUp, loadLastFailure } from '../../modules/payments/views/last-failure.ts'
import { isCheckoutAgreed, loadOwnCheckout } from '../../modules/payments/views/own-checkout.ts'
import { openPortalPage, tenantKey } from '../portal/open-portal-page.ts'
import { redirectWithAlert } from '../request/context.ts'
import { readForm } from '../request/read-form-fields.ts'
import { bankOption, cardOption, type MethodOption, withPrice } from './parts/method-form.tsx'
import type { PaySummary } from './parts/pay-page.tsx'
import { type CheckoutPayer, type PayArguments, payers } from './payer-page-addresses.ts'
import { requireLookedUpGuest } from './require-looked-up-guest.ts'
import { type CardReturn, loadLeftCardPageStatement } from './settle-card-return.ts'

export type CheckoutFlow = Awaited<ReturnType<typeof openCheckoutFlow>>

/**
 * Opens the session of the tenant or guest payer.
 * @returns the request's context, and the facts of the facility in the tenant's view; null for a guest
 * @throws a redirect of `openPortalPage` or, for a guest, of `requireLookedUpGuest`
 */
async function openPayer(args: PayArguments, payer: CheckoutPayer) {
  if (payer !== 'guest') {
    const page = await openPortalPage(args, { alertCode: 'authenticationRequired' })
    return { site: page.site, loadedFacts: page.facts }
  }
  const { site } = await requireLookedUpGuest(args)
  return { site, loadedFacts: null }
}

/**
 * Opens the session's own checkout.
 * @throws a redirect without a session, checkout or facility, or when the checkout is another payer's
 */
export async function openCheckoutFlow(args: PayArguments, payer: CheckoutPayer) {
  const { site, loadedFacts } = await openPayer(args, payer)
  const pages = payers[payer]
  const { services, session } = site
  const refuse = (code: 'invalidLeaseSession' | 'sessionTenantMissing') =>
    payer !== 'guest'
      ? redirectWithAlert(site, code, pages.units)
      : redirectWithAlert(site, 'invalidGuestSession', '/guest/find-email')
  if (!session.ids.checkout) return refuse('invalidLeaseSession')
  const checkout = await loadOwnCheckout(services, await site.callers(), { checkoutId: session.ids.checkout, payer })
  if (checkout === 'missing') return redirectWithAlert(site, 'invalidPaymentSession', pages.units)
  if (checkout === 'foreign') return refuse('sessionTenantMissing')
  const facts = await loadFactsAt(services, loadedFacts, checkout.locationCode)
  if (!facts) return redirectWithAlert(site, 'sessionLocationMissing', pages.units)
  return { site, payer, pages, checkout, facts }
}

export function checkoutSummary({ checkout, facts }: CheckoutFlow, method: 'CC' | 'ACH' = 'CC'): PaySummary {
  const { lines, total, period } = checkout.price[method]
  const periodText = period ? `Pays ${formatUs(period.from)} to ${formatUs(period.to)}.` : noPeriodText(checkout)
  const hasSeveralUnits = (checkout.units?.length ?? 0) > 1
  const title = `${hasSeveralUnits ? 'Units' : 'Unit'} ${checkout.unitNumber}`
  return { title, subtitle: `${facts.location.name}. ${periodText}`, lines, total }
}

/**
 * Returns the sentence about what a checkout pays when it names no single period: periods of several units, nothing
 * today, or dues.
 */
function noPeriodText({ pays, periods }: Checkout): string {
  if (pays === 'prepay') return `Pays ${periodsNamed(periods)} ahead for each unit.`
  return pays === 'autopay' ? 'Nothing is paid today.' : 'Everything due today.'
}

const loadPhone = ({ site, facts }: CheckoutFlow) => loadSupportPhone(site.services, facts.location)

function methodsOf({ pays, price: { CC, ACH }, allowAch }: Checkout): MethodOption[] {
  const [card, bank] =
    pays === 'autopay'
      ? [cardOption, bankOption]
      : [withPrice(cardOption, CC.total), withPrice(bankOption, ACH.total, CC.total)]
  return allowAch ? [card, bank] : [card]
}

/**
 * Redirects when the checkout is paid, or an order for one of its leases is captured or in review.
 * @returns why the checkout's latest order failed; null if it did not fail
 * @throws the redirect
 */
export async function redirectIfPaid({ site, pages, checkout }: CheckoutFlow): Promise<CheckoutProgress['failure']> {
  const { outcomeOf, isUnderWay, failure } = await loadCheckoutProgress(site.services, checkout)
  if (outcomeOf) throw redirect(`${pages.returns}?order=${outcomeOf}`)
  return isUnderWay ? redirectWithAlert(site, 'paymentUnderWay', pages.units) : failure
}

/**
 * Formats the card fee in the price:
 * '$2.18 ($2.00 and its tax)', or '$2.00' where fees are not taxed; null without a fee.
 */
function formatCardFee({ price: { CC, ACH } }: Checkout): string | null {
  if (!CC.cardFee) return null
  const fee = format(CC.cardFee.amount)
  const feeWithTax = CC.total - ACH.total
  return feeWithTax === CC.cardFee.amount ? fee : `${format(feeWithTax)} (${fee} and its tax)`
}

const backAddress = ({ payer, leaseNumber, ...tenant }: Checkout): string =>
  payer === 'units'
    ? '/my-units'
    : payer === 'tenant'
      ? `/unit-lease-details?lease=${leaseNumber}&at=${encodeURIComponent(tenantKey(tenant))}`
      : `/guest/find-units?unit=${encodeURIComponent(`${tenant.locationCode}:${leaseNumber}`)}`

export async function checkoutMethod(flow: CheckoutFlow, request: Request) {
  const { site, checkout, payer } = flow
  const failure = await redirectIfPaid(flow)
  const isLimitReached = await areRetriesUsedUp(site.services, attemptsOfCheckout(checkout), failure)
  return {
    brand: site.brand.name,
    phone: await loadPhone(flow),
    back: backAddress(checkout),
    payer,
    checkoutId: checkout.checkoutId,
    summary: checkoutSummary(flow),
    bankSummary: checkoutSummary(flow, 'ACH'),
    /** True when nothing is paid now and the card or account is only stored for autopay. */
    keeps: checkout.pays === 'autopay',
    methods: methodsOf(checkout),
    consent: checkout.autopay ? checkout.autopayConsent : null,
    /** Card fee to warn about: without autopay the price includes it. Null when the price has none. */
    feeWarning: checkout.cardFeeApplies ? formatCardFee(checkout) : null,
    failure: failure?.sentence ?? null,
    charged: failure?.charged ?? null,
    left: await loadLeftCardPageStatement(site, request),
    retriesUsedUp: isLimitReached,
  }
}

export async function chooseMethod(flow: CheckoutFlow, request: Request) {
  const { method, checkout: shownId } = await readForm(request)
  if (method === 'ACH' && flow.checkout.allowAch) throw redirect(flow.pages.bank)
  const refusal = (fields: Record<string, string>, status: number) => data({ fields }, { status })
  if (method !== 'CC') return refusal({ method: chooseOne('a payment method') }, 400)
  const outcome = await openCard(flow, shownId)
  // The card page explains the other refusals: a changed price, or no response from the provider.
  if (outcome.ok || outcome.why !== 'other_tab') throw redirect(cardPageOf(flow, outcome.ok))
  return refusal({ form: changedElsewhere }, 409)
}

/**
 * Returns the address of the card page. When no order was opened, `agreed` marks that the payer has agreed to the price,
 * so that the page tries again or explains why, and does not redirect to the methods page.
 */
const cardPageOf = ({ checkout, pages }: CheckoutFlow, isOrderOpen: boolean): string =>
  isOrderOpen ? pages.card : `${pages.card}?agreed=${checkout.checkoutId}`

/**
 * Opens an order for the checkout.
 * @param shownId checkout id on the submitted page; refused as `other_tab` when it is not this checkout's id
 * @throws a redirect when the checkout is paid, a payment for its lease is in progress or its lease no longer takes
 *   this kind of payment
 */
async function openCard(flow: CheckoutFlow, shownId?: string) {
  const { site, checkout, pages } = flow
  const outcome = await openCheckoutCardPage(site.services, checkout, await site.callers(), shownId)
  if (outcome.ok) {
    site.session.set({ orderId: outcome.orderId })
    return outcome
  }
  switch (outcome.why) {
    case 'outcome':
      throw redirect(`${pages.returns}?order=${outcome.orderId}`)
    case 'leases_being_paid':
      return redirectWithAlert(site, 'paymentUnderWay', pages.units)
    case 'order_posted':
      return redirectWithAlert(site, 'paymentAlreadyProcessed', pages.units)
    case 'order_open':
      return redirectWithAlert(site, 'paymentUnderWay', pages.method)
    case 'blocked':
      return redirectBlockedPayment(flow, outcome.message)
    default:
      return outcome
  }
}

/** Redirects with an alert when the lease no longer takes this kind of payment. */
export function redirectBlockedPayment({ site, pages }: CheckoutFlow, message: string): never {
  const processed = message === paymentAlreadyProcessed
  return redirectWithAlert(site, processed ? 'paymentAlreadyProcessed' : 'invalidPaymentSession', pages.units)
}

export async function checkoutCard(flow: CheckoutFlow, request: Request) {
  const { site, checkout, pages } = flow
  const searchParams = new URL(request.url).searchParams
  const retry = searchParams.get('retry') === 'true'
  const failure = retry ? await loadLastFailure(site.services, attemptsOfCheckout(checkout), 'any') : null
  const hasAgreed = searchParams.get('agreed') === checkout.checkoutId
  // The payer agrees to the price by submitting the methods page.
  if (!hasAgreed && !(await isCheckoutAgreed(site.services, checkout, site.session.ids.orderId)))
    throw redirect(pages.method)
  const outcome = await openCard(flow)
  const page = {
    brand: site.brand.name,
    phone: await loadPhone(flow),
    back: pages.method,
    close: pages.units,
    self: cardPageOf(flow, !hasAgreed),
    returns: pages.returns,
    summary: checkoutSummary(flow),
    card: outcome.ok ? outcome : null,
    changed: null,
    failure: failure?.sentence ?? null,
    charged: failure?.charged ?? null,
  }
  if (outcome.ok || outcome.why !== 'price_changed') return page
  const { changes, now } = outcome
  site.session.set({ checkout: now.checkoutId })
  return {
    ...page,
    summary: checkoutSummary({ ...flow, checkout: now }),
    changed: { changes, checkoutId: now.checkoutId, total: now.price.CC.total },
  }
}

export async function acceptChangedPrice(flow: CheckoutFlow, request: Request): Promise<Response> {
  const { checkout } = await readForm(request)
  const outcome = await openCard(flow, checkout)
  if (!outcome.ok && outcome.why === 'other_tab')
    return redirectWithAlert(flow.site, 'changedElsewhere', flow.pages.method)
  return redirect(cardPageOf(flow, outcome.ok))
}

const autopayAlerts = { on: 'autopayIsOn', moving_out: 'movingOut', off: 'autopayIsOff' } as const

export async function checkoutReturn(args: PayArguments, payer: CheckoutPayer): Promise<CardReturn> {
  const { site } = await openPayer(args, payer)
  const { method, units } = payers[payer]
  return {
    site,
    payer,
    method,
    refused: { say: 'invalidPaymentSession', path: units },
    back: { to: units, label: 'My units' },
    async done(order, leaseNumber) {
      if (payer === 'guest') return payers.guest.completed
      const { location_code, tenant_id } = order
      site.session.set({ at: tenantKey({ locationCode: location_code, tenantId: tenant_id ?? 0 }) })
      // The receipt replaces the unit's page, which is closed during maintenance and shows only one of several units.
      const storesOnly = order.autopay === 1 && order.amount === 0
      if (site.inMaintenance || (payer === 'units' && !storesOnly)) return `/receipt/${order.order_id}`
      const unit = payer === 'units' ? units : `/unit-lease-details?lease=${leaseNumber ?? ''}`
      if (!storesOnly) return `${unit}#paid`
      return redirectWithAlert(site, autopayAlerts[await loadAutopayAfterPayment(site.services, order)], unit)
    },
  }
}
