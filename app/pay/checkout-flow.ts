/** The pages on which tenants and guests pay their checkout, on the server: the two differ in who is let in, and in addresses. */
import { data, type RouterContextProvider, redirect } from 'react-router'
import { format } from '../../domain/money.ts'
import { retriesUsedUp } from '../../domain/payment.ts'
import { formatPhone } from '../../domain/phone.ts'
import { chooseOne } from '../../domain/texts/fields.ts'
import * as messages from '../../domain/texts/payment.ts'
import { changedElsewhere } from '../../domain/texts/site.ts'
import { type Checkout, checkoutOf } from '../../paying/checkout.ts'
import { openCheckout, wasAgreedTo } from '../../paying/lease-payment.ts'
import { failedTries, lastFailureOf, paymentOf, standingOf } from '../../paying/payment.ts'
import { phoneFor } from '../../site-records/find-storage.ts'
import { leaseRow } from '../../storage-system/lease-record.ts'
import { type FacilityFacts, facilityFacts } from '../../storage-system/pricing.ts'
import { openGuestPage } from '../guest.ts'
import { readForm } from '../reserve/reserving.ts'
import { alertAndGo, type Site } from '../site.ts'
import { factsAt, openTenantPage, tenantKey } from '../tenant.ts'
import { dayText } from '../units/day-text.ts'
import {
  bankOption,
  type CardEntryData,
  cardOption,
  type MethodOption,
  type PaySummary,
  withPrice,
} from './parts/pay-parts.tsx'
import { type Return, settleReturn } from './return-from-card.ts'

export interface LaneArguments {
  request: Request
  context: Readonly<RouterContextProvider>
}

/** The addresses of each, and whether a bank account may be entered there. */
export const lanes = {
  tenant: {
    method: '/online-payment-method',
    process: '/online-payment',
    bank: '/online-payment-ach',
    returns: '/checkout-completed',
    home: '/my-units',
  },
  guest: {
    method: '/guest/select-method',
    process: '/guest/process-payment',
    bank: '/guest/process-payment-ach',
    returns: '/guest/accept-payment',
    home: '/guest/find-units',
  },
} as const

export type LanePayer = keyof typeof lanes

export interface Lane {
  site: Site
  payer: LanePayer
  checkout: Checkout
  brand: string
  phone: string
  facilityName: string
  /** The checkout's facility, as of this request. */
  facts: FacilityFacts
}

/** Who may be here at all. @throws a redirect to sign in, or to find one's units by e-mail, with the specified sentence */
async function letIn(args: LaneArguments, payer: LanePayer) {
  if (payer === 'tenant') {
    const page = await openTenantPage(args, { because: 'authenticationRequired' })
    return { site: page.site, factsOf: (locationCode: string) => factsAt(page, locationCode) }
  }
  const { site } = await openGuestPage(args)
  return {
    site,
    factsOf: async (locationCode: string) => (await facilityFacts(site.house, [locationCode])).get(locationCode),
  }
}

/**
 * The session's own checkout (spec 2 §8).
 * @throws a redirect with the specified sentence: no session, no checkout, or one of somebody else's
 */
export async function openLane(args: LaneArguments, payer: LanePayer): Promise<Lane> {
  const { site, factsOf } = await letIn(args, payer)
  const { home } = lanes[payer]
  const { house, session, brand } = site
  if (!session.ids.checkout) {
    return payer === 'tenant'
      ? alertAndGo(site, 'invalidLeaseSession', home)
      : alertAndGo(site, 'invalidGuestSession', '/guest/find-email')
  }
  const checkout = await checkoutOf(house, session.ids.checkout)
  if (!checkout || checkout.payer !== payer) return alertAndGo(site, 'invalidPaymentSession', home)
  const callers = await site.callers()
  const own = callers[payer]?.tenants.some(
    (one) => one.locationCode === checkout.locationCode && one.tenantId === checkout.tenantId,
  )
  if (!own) {
    return payer === 'tenant'
      ? alertAndGo(site, 'sessionTenantMissing', home)
      : alertAndGo(site, 'invalidGuestSession', '/guest/find-email')
  }
  const facts = await factsOf(checkout.locationCode)
  if (!facts) return alertAndGo(site, 'sessionLocationMissing', home)
  return {
    site,
    payer,
    checkout,
    brand: brand.name,
    phone: formatPhone(await phoneFor(house, facts.location)),
    facilityName: facts.location.name,
    facts,
  }
}

export function summaryOf(
  { checkout, facilityName }: Pick<Lane, 'checkout' | 'facilityName'>,
  method: 'CC' | 'ACH' = 'CC',
): PaySummary {
  const { lines, total, period } = checkout.price[method]
  return {
    title: `Unit ${checkout.unitNumber}`,
    subtitle: period
      ? `${facilityName}. Pays ${dayText(period.from)} to ${dayText(period.to)}.`
      : `${facilityName}. ${checkout.pays === 'autopay' ? 'Nothing is paid today.' : 'Everything due today.'}`,
    lines,
    total,
  }
}

const tried = (checkout: Checkout) => ({ draft_id: null, link_uuid: null, quote_id: checkout.checkoutId })

/** The ways of paying that are offered; a bank account where the location takes one. */
export function methodsOf({ checkout }: Pick<Lane, 'checkout'>): MethodOption[] {
  const { CC, ACH } = checkout.price
  if (checkout.pays === 'autopay') return checkout.allowAch ? [cardOption, bankOption] : [cardOption]
  const card = withPrice(cardOption, CC.total)
  return checkout.allowAch ? [card, withPrice(bankOption, ACH.total, CC.total)] : [card]
}

/**
 * This checkout is paid, or money for its lease is on its way into the books: that is shown instead of offering to pay again.
 * @returns why the latest try failed, null where it did not
 */
export async function passWaiting({ site, payer, checkout }: Lane): Promise<string | null> {
  const { paid, onItsWay, failure } = await standingOf(site.house, checkout)
  if (paid) throw redirect(`${lanes[payer].returns}?order=${paid}`)
  if (!onItsWay) return failure
  if (onItsWay.own) throw redirect(`${lanes[payer].returns}?order=${onItsWay.order_id}`)
  return alertAndGo(site, 'paymentUnderWay', lanes[payer].home)
}

/** The card fee as it is in the price: '$2.18 ($2.00 and its tax)', or '$2.00' where fees are not taxed; null without one. */
function feeIn({ price: { CC, ACH } }: Checkout): string | null {
  if (!CC.cardFee) return null
  const fee = format(CC.cardFee.amount)
  const whole = CC.total - ACH.total
  return whole === CC.cardFee.amount ? fee : `${format(whole)} (${fee} and its tax)`
}

/** The page of the unit that is paid for, where paying it began. */
const unitOf = ({ payer, leaseNumber, ...whose }: Checkout): string =>
  payer === 'tenant'
    ? `/unit-lease-details?lease=${leaseNumber}&at=${encodeURIComponent(tenantKey(whose))}`
    : `/guest/find-units?unit=${encodeURIComponent(`${whose.locationCode}:${leaseNumber}`)}`

/** What the page that asks how to pay shows. */
export async function methodData(lane: Lane) {
  const failure = await passWaiting(lane)
  const { checkout } = lane
  const tries = failure === null ? 0 : await failedTries(lane.site.house, tried(checkout))
  return {
    brand: lane.brand,
    phone: lane.phone,
    back: unitOf(checkout),
    checkoutId: checkout.checkoutId,
    summary: summaryOf(lane),
    /** The same where a bank account is chosen, which pays no card fee. */
    bankSummary: summaryOf(lane, 'ACH'),
    /** Nothing is paid: a card or account is chosen for autopay. */
    keeps: checkout.pays === 'autopay',
    methods: methodsOf(lane),
    consent: checkout.autopay ? checkout.autopayConsent : null,
    /** The card fee is in the price since autopay was not chosen. */
    feeWarning: checkout.cardFeeApplies ? feeIn(checkout) : null,
    failure,
    retriesUsedUp: retriesUsedUp(tries),
  }
}

/** 'Pay' or 'Continue' was pressed on the page that asks how to pay. */
export async function chooseMethod(args: LaneArguments, payer: LanePayer) {
  const lane = await openLane(args, payer)
  const values = await readForm(args.request)
  if (values.method === 'ACH' && lane.checkout.allowAch) throw redirect(lanes[payer].bank)
  if (values.method !== 'CC') {
    return data({ fields: { method: chooseOne('a payment method') } as Record<string, string> }, { status: 400 })
  }
  const opened = await open(lane, values.checkout)
  // A price that changed, or a provider that does not answer, is told on the page of the card.
  if (opened.ok || opened.why !== 'other_tab') throw redirect(cardPageOf(lane, opened.ok))
  return data({ fields: { form: changedElsewhere } as Record<string, string> }, { status: 409 })
}

/** Where no order came of a press, the address keeps that it was pressed for: the page then says why, instead of asking again. */
const cardPageOf = ({ checkout, payer }: Lane, opened: boolean): string =>
  opened ? lanes[payer].process : `${lanes[payer].process}?agreed=${checkout.checkoutId}`

/**
 * Opens the card page of the checkout that was shown.
 * @param shown the checkout on the page that was sent; another tab may have begun another one since
 * @throws a redirect where paying is not what comes next
 */
async function open(lane: Lane, shown?: string) {
  const { site, checkout, payer } = lane
  if (shown !== undefined && shown !== checkout.checkoutId) return { ok: false as const, why: 'other_tab' as const }
  const { address, agent } = await site.callers()
  const opened = await openCheckout(site.house, checkout, { address, agent })
  if (opened.ok) {
    site.session.set({ orderId: opened.orderId })
    return opened
  }
  const { home, method, returns } = lanes[payer]
  switch (opened.why) {
    case 'paid':
      throw redirect(`${returns}?order=${opened.orderId}`)
    case 'checking':
      await passWaiting(lane)
      if ((await paymentOf(site.house, opened.orderId))?.state === 'posted')
        return alertAndGo(site, 'paymentAlreadyProcessed', home)
      return alertAndGo(site, 'paymentUnderWay', method)
    case 'blocked':
      if (opened.message === messages.paymentAlreadyProcessed) return alertAndGo(site, 'paymentAlreadyProcessed', home)
      return alertAndGo(site, 'invalidPaymentSession', home)
    case 'price_changed':
      return opened
    default:
      return opened
  }
}

/** What the page with the card frame shows. */
export async function cardData(args: LaneArguments, payer: LanePayer): Promise<CardEntryData> {
  const lane = await openLane(args, payer)
  const { site, checkout } = lane
  const { method, process, home } = lanes[payer]
  const asked = new URL(args.request.url).searchParams
  const retry = asked.get('retry') === 'true'
  const failure = retry ? await lastFailureOf(site.house, tried(checkout), 'any') : null
  const pressed = asked.get('agreed') === checkout.checkoutId
  // Nobody has pressed 'Pay' yet: the price is agreed to there.
  if (!pressed && !(await wasAgreedTo(site.house, checkout, site.session.ids.orderId))) throw redirect(method)
  const opened = await open(lane)
  const page: CardEntryData = {
    brand: lane.brand,
    phone: lane.phone,
    back: method,
    close: home,
    self: pressed ? cardPageOf(lane, false) : process,
    summary: summaryOf(lane),
    card: null,
    changed: null,
    failure,
  }
  if (opened.ok) return { ...page, card: opened }
  if (opened.why === 'price_changed') {
    site.session.set({ checkout: opened.now.checkoutId })
    const now = { ...lane, checkout: opened.now }
    const { checkoutId } = opened.now
    return {
      ...page,
      summary: summaryOf(now),
      changed: { changes: opened.changes, checkoutId, total: opened.now.price.CC.total },
    }
  }
  return page
}

/** Agrees to the price as it is now. */
export async function agreeAgain(args: LaneArguments, payer: LanePayer) {
  const lane = await openLane(args, payer)
  const { checkout } = await readForm(args.request)
  const opened = await open(lane, checkout)
  if (!opened.ok && opened.why === 'other_tab') site409(lane)
  return redirect(cardPageOf(lane, opened.ok))
}

const site409 = ({ site, payer }: Lane): never => alertAndGo(site, 'changedElsewhere', lanes[payer].method)

/** Back from the card page. */
export async function laneReturn(args: LaneArguments, payer: LanePayer) {
  const { site } = await letIn(args, payer)
  const { method, home } = lanes[payer]
  const to: Return = {
    payer,
    method,
    otherwise: { say: 'invalidPaymentSession', path: home },
    async done(payment, leaseNumber) {
      if (payer === 'guest') return '/guest/payment-completed'
      const { location_code, tenant_id } = payment
      site.session.set({ at: tenantKey({ locationCode: location_code, tenantId: tenant_id ?? 0 }) })
      // The unit's page is closed; the receipt says what was paid, or agreed to.
      if (site.inMaintenance) return `/receipt/${payment.order_id}`
      if (payment.autopay === 1 && payment.amount === 0) {
        const lease =
          leaseNumber === null
            ? null
            : await leaseRow(site.house, { location_code, tenant_id: tenant_id ?? 0 }, leaseNumber)
        // Agreed to is not on: a move-out may have been scheduled while the card page was open, or no card was kept.
        const say = lease?.autopay === 1 ? 'autopayIsOn' : lease?.scheduled_move_out ? 'movingOut' : 'autopayIsOff'
        return alertAndGo(site, say, `/unit-lease-details?lease=${leaseNumber ?? ''}`)
      }
      return `/unit-lease-details?lease=${leaseNumber ?? ''}#paid`
    },
  }
  return settleReturn(site, args.request, to)
}
