import { generatePath, redirect } from 'react-router'
import type { Facility } from '../../modules/facilities/rules/facility.ts'
import { facilityByCode } from '../../modules/facilities/views/facility-lookups.ts'
import {
  loadAuctionLink,
  loadSettlementLink,
  type SettlementLink,
  type WonUnit,
} from '../../modules/links/payment-links.ts'
import { countFailedAttempts } from '../../modules/payments/failed-attempts-and-last-failure.ts'
import { openLinkPayment } from '../../modules/payments/open/open-payment-link.ts'
import { retriesUsedUp } from '../../modules/payments/rules/payment-retry-limit.ts'
import { loadLastFailure } from '../../modules/payments/views/last-failure.ts'
import { countLinkAttempt, wrongGuess } from '../../platform/operations/brute-force-limits.ts'
import { contextOf, type RequestContext, redirectWithAlert } from '../request/context.ts'
import type { MessageCode } from '../request/texts-by-code.ts'
import type { PaySummary } from './parts/pay-page.tsx'
import { type LinkPayer, type PayArguments, payers } from './payer-page-addresses.ts'
import { type CardReturn, loadLeftCardPageStatement, phoneAt } from './settle-card-return.ts'

interface LinkByPayer {
  auction: WonUnit
  settlement: SettlementLink
}

export interface LinkFlow<Payer extends LinkPayer = LinkPayer> {
  site: RequestContext
  payer: Payer
  pages: (typeof payers)[LinkPayer]
  link: LinkByPayer[Payer]
  facility: Facility
  address: string
  phone: string
  summary: PaySummary
  method: string
}

interface LinkKind<Link> {
  read: (...args: Parameters<typeof loadAuctionLink>) => Promise<Link | null>
  /** Returns the summary line of the amount to pay, in cents. */
  line(link: Link): PaySummary['lines'][number]
  /**
   * Message to the payer for each reason why the link cannot be paid. Shown on the public home page; `noFacility` names
   * its page, and `refused` is shown on the link's payment-method page.
   */
  alerts: Record<'noSession' | 'noLink' | 'nothingDue' | 'refused', MessageCode> & {
    noFacility: [MessageCode, string]
  }
}

const kinds: { [Payer in LinkPayer]: LinkKind<LinkByPayer[Payer]> } = {
  auction: {
    read: loadAuctionLink,
    line: ({ facility_balance: cents }) => ({
      label: 'Facility balance',
      explain: 'What the unit owes; no deposit is taken.',
      cents,
    }),
    alerts: {
      noSession: 'invalidUrl',
      noLink: 'invalidUrl',
      noFacility: ['invalidUrl', '/'],
      nothingDue: 'invalidUrl',
      refused: 'invalidPaymentSession',
    },
  },
  settlement: {
    read: loadSettlementLink,
    line: ({ settlement_amount: cents }) => ({
      label: 'Settlement',
      explain: 'Settles everything that is owed on the unit.',
      cents,
    }),
    alerts: {
      noSession: 'settlementSessionNotFound',
      noLink: 'paymentNotFound',
      noFacility: ['accountInformationNotFound', '/login'],
      nothingDue: 'invalidSettlementData',
      refused: 'settlementSessionNotFound',
    },
  },
}

/**
 * Opens the payment link of the address or the session.
 * @param options `withdrawn`: also accepts a withdrawn link
 * @throws a redirect without a session, link or facility (spec 2 §8)
 */
export async function openLinkFlow<Payer extends LinkPayer>(
  args: PayArguments,
  payer: Payer,
  options: { withdrawn?: true } = {},
): Promise<LinkFlow<Payer>> {
  const site = contextOf(args.context)
  const { services, session } = site
  const { read, line, alerts } = kinds[payer]
  const sessionUuid = session.ids[payer]
  const uuid = args.params.uuid ?? sessionUuid
  if (!uuid) return redirectWithAlert(site, alerts.noSession, '/')
  // A link that this browser has already opened does not count as a guess.
  const mayLookUp =
    uuid.toLowerCase() === sessionUuid || (await countLinkAttempt(services, (await site.callers()).address))
  const link = mayLookUp ? await read(services.db.read, uuid, options) : null
  if (!link) {
    await wrongGuess(services, 'link')
    return redirectWithAlert(site, alerts.noLink, '/')
  }
  const facility = await facilityByCode(services, link.location_code)
  if (!facility) return redirectWithAlert(site, ...alerts.noFacility)
  if (sessionUuid !== link.uuid) session.set({ [payer]: link.uuid })
  const due = line(link)
  return {
    site,
    payer,
    link,
    facility,
    pages: payers[payer],
    address: `${facility.address}, ${facility.city}, ${facility.state} ${facility.zip}`,
    phone: await phoneAt(services, link.location_code),
    summary: { title: `Unit ${link.unit_number}`, subtitle: link.facility_name, lines: [due], total: due.cents },
    method: generatePath(payers[payer].method, { uuid: link.uuid }),
  }
}

const attemptKey = ({ link }: LinkFlow) => ({ draft_id: null, quote_id: null, link_uuid: link.uuid })

const rulesPage = ({ link }: LinkFlow) => `/auction-winner/${link.uuid}`

/**
 * Loads the payment-method page of a link.
 * @throws a redirect to the completion page when paid, and to the auction rules when a winner has not acknowledged them
 */
export async function linkMethod(flow: LinkFlow, request: Request) {
  const { site, link, pages, summary } = flow
  if (link.state === 'paid') throw redirect(pages.completed)
  const isWinner = 'rulesAcknowledged' in link
  if (isWinner && !link.rulesAcknowledged) return redirectWithAlert(site, 'auctionRulesFirst', rulesPage(flow))
  const failure = await loadLastFailure(site.services, attemptKey(flow), 'last')
  const tries = failure === null ? 0 : await countFailedAttempts(site.services, attemptKey(flow))
  return {
    brand: site.brand.name,
    phone: flow.phone,
    back: isWinner ? rulesPage(flow) : '/',
    summary,
    process: pages.card,
    /** Tenant and unit whose debt a settlement settles; null for an auction winner, who has read the rules. */
    settles: isWinner
      ? null
      : { unitNumber: link.unit_number, tenantName: link.tenant_name, facility: link.facility_name },
    failure: failure?.sentence ?? null,
    charged: failure?.charged ?? null,
    left: await loadLeftCardPageStatement(site, request),
    retriesUsedUp: retriesUsedUp(tries),
  }
}

export async function linkCard(flow: LinkFlow, request: Request) {
  const { site, payer, link, pages, method } = flow
  const { alerts } = kinds[payer]
  const retry = new URL(request.url).searchParams.get('retry') === 'true'
  const failure = retry ? await loadLastFailure(site.services, attemptKey(flow), 'any') : null
  const outcome = await openLinkPayment(site.services, payer, link.uuid)
  if (outcome.ok) site.session.set({ orderId: outcome.orderId })
  else if (outcome.why === 'rules_unread') return redirectWithAlert(site, 'auctionRulesFirst', rulesPage(flow))
  else if (outcome.why === 'paid') throw redirect(pages.completed)
  else if (outcome.why === 'checking') throw redirect(`${pages.returns}?order=${outcome.orderId}`)
  else if (outcome.why === 'nothing_due') return redirectWithAlert(site, alerts.nothingDue, '/')
  else if (outcome.why === 'no_link') return redirectWithAlert(site, alerts.noLink, '/')
  return {
    brand: site.brand.name,
    phone: flow.phone,
    back: method,
    close: method,
    self: pages.card,
    returns: pages.returns,
    summary: flow.summary,
    card: outcome.ok ? outcome : null,
    changed: null,
    failure: failure?.sentence ?? null,
    charged: failure?.charged ?? null,
  }
}

/**
 * Handles the return from the card page.
 * A link withdrawn meanwhile is accepted, so that the payer sees the outcome of the payment.
 */
export async function linkReturn(args: PayArguments, payer: LinkPayer): Promise<CardReturn> {
  const { site, link, pages, method } = await openLinkFlow(args, payer, { withdrawn: true })
  return {
    site,
    payer,
    method,
    refused: { say: kinds[payer].alerts.refused, path: method },
    back: link.state === 'withdrawn' ? { to: '/', label: 'Home page' } : { to: method, label: 'Back to the payment' },
    done: () => pages.completed,
  }
}
