import { generatePath, redirect } from 'react-router'
import { type LinkByPayer, type LinkFacility, loadPaymentLink } from '../../modules/links/views/payment-link.ts'
import { openLinkCardPage } from '../../modules/payments/operations/open-link-card-page.ts'
import { attemptsOfLink } from '../../modules/payments/rules/attempt-count-subject.ts'
import { areRetriesUsedUp, loadLastFailure } from '../../modules/payments/views/last-failure.ts'
import { countWrongGuess, refuseLinkAttempt } from '../../platform/operations/brute-force-limits.ts'
import type { MessageCode } from '../request/alert-texts-by-code.ts'
import { contextOf, type RequestContext, redirectWithAlert } from '../request/context.ts'
import type { PaySummary } from './parts/pay-page.tsx'
import { type LinkPayer, type PayArguments, payers } from './payer-page-addresses.ts'
import { type CardReturn, loadLeftCardPageStatement } from './settle-card-return.ts'

export interface LinkFlow<Payer extends LinkPayer = LinkPayer> {
  site: RequestContext
  payer: Payer
  pages: (typeof payers)[LinkPayer]
  link: LinkByPayer[Payer]
  facility: LinkFacility
  address: string
  phone: string
  summary: PaySummary
  method: string
}

interface LinkKind<Link> {
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

const linkKinds: { [Payer in LinkPayer]: LinkKind<LinkByPayer[Payer]> } = {
  auction: {
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
 * @throws a redirect without a session, link or facility (spec 2 §8), or when attempts to open links reach a limit
 */
export async function openLinkFlow<Payer extends LinkPayer>(
  args: PayArguments,
  payer: Payer,
  options: { withdrawn?: true } = {},
): Promise<LinkFlow<Payer>> {
  const site = contextOf(args.context)
  const { services, session } = site
  const { line, alerts } = linkKinds[payer]
  const sessionUuid = session.ids[payer]
  const uuid = args.params.uuid ?? sessionUuid
  if (!uuid) return redirectWithAlert(site, alerts.noSession, '/')
  // A link that this browser has already opened is looked up without counting an attempt.
  const isOpened = uuid.toLowerCase() === sessionUuid
  if (!isOpened && (await refuseLinkAttempt(services, (await site.callers()).address)))
    return redirectWithAlert(site, alerts.noLink, '/')
  const found = await loadPaymentLink(services, payer, uuid, options)
  if (!found) {
    if (!isOpened) await countWrongGuess(services, 'link')
    return redirectWithAlert(site, alerts.noLink, '/')
  }
  const { link, facility } = found
  if (!facility) return redirectWithAlert(site, ...alerts.noFacility)
  if (sessionUuid !== link.uuid) session.set({ [payer]: link.uuid })
  const due = line(link)
  return {
    site,
    payer,
    link,
    facility,
    pages: payers[payer],
    address: facility.address,
    phone: facility.phone,
    summary: { title: `Unit ${link.unit_number}`, subtitle: link.facility_name, lines: [due], total: due.cents },
    method: generatePath(payers[payer].method, { uuid: link.uuid }),
  }
}

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
  const attempts = attemptsOfLink(link)
  const failure = await loadLastFailure(site.services, attempts, 'last')
  const isLimitReached = await areRetriesUsedUp(site.services, attempts, failure)
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
    retriesUsedUp: isLimitReached,
  }
}

export async function linkCard(flow: LinkFlow, request: Request) {
  const { site, payer, link, pages, method } = flow
  const { alerts } = linkKinds[payer]
  const retry = new URL(request.url).searchParams.get('retry') === 'true'
  const { failure, opened } = await openLinkCardPage(site.services, payer, link, retry)
  if (opened.ok) site.session.set({ orderId: opened.orderId })
  else if (opened.why === 'rules_unread') return redirectWithAlert(site, 'auctionRulesFirst', rulesPage(flow))
  else if (opened.why === 'paid') throw redirect(pages.completed)
  else if (opened.why === 'checking') throw redirect(`${pages.returns}?order=${opened.orderId}`)
  else if (opened.why === 'nothing_due') return redirectWithAlert(site, alerts.nothingDue, '/')
  else if (opened.why === 'no_link') return redirectWithAlert(site, alerts.noLink, '/')
  return {
    brand: site.brand.name,
    phone: flow.phone,
    back: method,
    close: method,
    self: pages.card,
    returns: pages.returns,
    summary: flow.summary,
    card: opened.ok ? opened : null,
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
    refused: { say: linkKinds[payer].alerts.refused, path: method },
    back: link.state === 'withdrawn' ? { to: '/', label: 'Home page' } : { to: method, label: 'Back to the payment' },
    done: () => pages.completed,
  }
}
