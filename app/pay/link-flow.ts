/** The pages of a personal link that pays, on the server: an auction winner's and a past-due settlement's (spec 2 §2). */

import { type RouterContextProvider, redirect } from 'react-router'
import { retriesUsedUp } from '../../domain/payment.ts'
import { openLinkPayment } from '../../paying/link-payment.ts'
import { failedTries, lastFailureOf } from '../../paying/payment.ts'
import { type Facility, facilityByCode } from '../../site-records/find-storage.ts'
import {
  auctionLink,
  mayOpenLink,
  type SettlementLink,
  settlementLink,
  type WonUnit,
} from '../../site-records/links.ts'
import { wrongGuess } from '../../storage-system/guesses.ts'
import { alertAndGo, type Site, siteOf } from '../site.ts'
import type { CardEntryData, Outcome, PaySummary } from './parts/pay-parts.tsx'
import { pagesOf } from './payers.ts'
import { phoneAt, settleReturn } from './return-from-card.ts'

export interface LinkArguments {
  request: Request
  context: Readonly<RouterContextProvider>
}

export interface AuctionLane {
  kind: 'auction'
  site: Site
  link: WonUnit
  facility: Facility
  phone: string
}

export interface SettlementLane {
  kind: 'settlement'
  site: Site
  link: SettlementLink
  facility: Facility
  phone: string
}

/**
 * The auction link of the address, which then is the session's; without one in the address, the session's.
 * @param too `withdrawn`: also one that was withdrawn, for whoever has paid by it
 * @throws a redirect to `/` with 'Invalid URL. Please check with customer support.'
 */
export async function openAuction(
  args: LinkArguments,
  uuid?: string,
  too: { withdrawn?: true } = {},
): Promise<AuctionLane> {
  const site = siteOf(args.context)
  const asked = uuid ?? site.session.ids.auction
  const link = (await mayLook(site, asked, site.session.ids.auction))
    ? await auctionLink(site.house.db.read, asked, too)
    : null
  if (!link && asked) await wrongGuess(site.house, 'link')
  const facility = link && (await facilityByCode(site.house, link.location_code))
  if (!link || !facility) return alertAndGo(site, 'invalidUrl', '/')
  if (site.session.ids.auction !== link.uuid) site.session.set({ auction: link.uuid })
  return { kind: 'auction', site, link, facility, phone: await phoneAt(site, link.location_code) }
}

/**
 * The settlement link of the address, which then is the session's; without one in the address, the session's.
 * @param too `withdrawn`: also one that was withdrawn, for whoever has paid by it
 * @throws a redirect with the specified alert: 'Payment not found' for an unknown link, 'Settlement payment session not
 * found' without a session, 'Account information not found' where its facility is gone (spec 2 §8)
 */
export async function openSettlement(
  args: LinkArguments,
  uuid?: string,
  too: { withdrawn?: true } = {},
): Promise<SettlementLane> {
  const site = siteOf(args.context)
  const { session, house } = site
  if (uuid === undefined && !session.ids.settlement) return alertAndGo(site, 'settlementSessionNotFound', '/')
  const asked = uuid ?? session.ids.settlement
  const link = (await mayLook(site, asked, session.ids.settlement))
    ? await settlementLink(house.db.read, asked, too)
    : null
  if (!link) {
    await wrongGuess(house, 'link')
    return alertAndGo(site, 'paymentNotFound', '/')
  }
  const facility = await facilityByCode(house, link.location_code)
  if (!facility) return alertAndGo(site, 'accountInformationNotFound', '/login')
  if (session.ids.settlement !== link.uuid) session.set({ settlement: link.uuid })
  return { kind: 'settlement', site, link, facility, phone: await phoneAt(site, link.location_code) }
}

/** A link that this browser has opened before is not counted as a guess. */
async function mayLook(site: Site, asked: string | undefined, known: string | undefined): Promise<boolean> {
  if (asked !== undefined && asked.toLowerCase() === known) return true
  return mayOpenLink(site.house, (await site.callers()).address)
}

const linkPages = (lane: AuctionLane | SettlementLane) =>
  lane.kind === 'auction'
    ? {
        method: `/auction-winner-payment-method/${lane.link.uuid}`,
        completed: '/auction-winner-payment-completed',
        open: `/auction-winner/${lane.link.uuid}`,
      }
    : {
        method: `/past-due-payment/${lane.link.uuid}`,
        completed: '/past-due-payment-completed',
        open: `/past-due-payment/${lane.link.uuid}`,
      }

export function linkSummary(lane: AuctionLane | SettlementLane): PaySummary {
  const amount = lane.kind === 'auction' ? lane.link.facility_balance : lane.link.settlement_amount
  return {
    title: `Unit ${lane.link.unit_number}`,
    subtitle: lane.link.facility_name,
    lines: [
      lane.kind === 'auction'
        ? { label: 'Facility balance', explain: 'What the unit owes; no deposit is taken.', cents: amount }
        : { label: 'Settlement', explain: 'Settles everything that is owed on the unit.', cents: amount },
    ],
    total: amount,
  }
}

const tried = (lane: AuctionLane | SettlementLane) => ({ draft_id: null, quote_id: null, link_uuid: lane.link.uuid })

/**
 * What the page that offers the card shows.
 * @throws a redirect to the completion page once it is paid, to the rules where a winner has not acknowledged them
 */
export async function linkMethodData(lane: AuctionLane | SettlementLane) {
  const { completed, open } = linkPages(lane)
  if (lane.link.state === 'paid') throw redirect(completed)
  if (lane.kind === 'auction' && !lane.link.rulesAcknowledged) return alertAndGo(lane.site, 'auctionRulesFirst', open)
  const failure = await lastFailureOf(lane.site.house, tried(lane), 'last')
  const tries = failure === null ? 0 : await failedTries(lane.site.house, tried(lane))
  return {
    brand: lane.site.brand.name,
    phone: lane.phone,
    back: lane.kind === 'auction' ? open : '/',
    summary: linkSummary(lane),
    process: pagesOf(lane.kind).process,
    failure,
    retriesUsedUp: retriesUsedUp(tries),
  }
}

/** What the page with the card frame shows. */
export async function linkCardData(args: LinkArguments, lane: AuctionLane | SettlementLane): Promise<CardEntryData> {
  const { site, kind, link } = lane
  const { method, completed, open } = linkPages(lane)
  const retry = new URL(args.request.url).searchParams.get('retry') === 'true'
  const failure = retry ? await lastFailureOf(site.house, tried(lane), 'any') : null
  const opened = await openLinkPayment(site.house, kind, link.uuid)
  const page: CardEntryData = {
    brand: site.brand.name,
    phone: lane.phone,
    back: method,
    close: method,
    self: pagesOf(kind).process,
    summary: linkSummary(lane),
    card: null,
    changed: null,
    failure,
  }
  if (opened.ok) {
    site.session.set({ orderId: opened.orderId })
    return { ...page, card: opened }
  }
  switch (opened.why) {
    case 'rules_unread':
      return alertAndGo(site, 'auctionRulesFirst', open)
    case 'paid':
      throw redirect(completed)
    case 'checking':
      throw redirect(`${pagesOf(kind).returns}?order=${opened.orderId}`)
    case 'nothing_due':
      return alertAndGo(site, kind === 'auction' ? 'invalidUrl' : 'invalidSettlementData', '/')
    case 'no_link':
      return alertAndGo(site, kind === 'auction' ? 'invalidUrl' : 'paymentNotFound', '/')
    default:
      return page
  }
}

/** Back from the card page, also where the link was withdrawn meanwhile: what became of the money is told all the same. */
export async function linkReturn(
  args: LinkArguments,
  kind: 'auction' | 'settlement',
): Promise<Outcome & { back: string }> {
  const lane = await (kind === 'auction' ? openAuction : openSettlement)(args, undefined, { withdrawn: true })
  const { method, completed } = linkPages(lane)
  const outcome = await settleReturn(lane.site, args.request, {
    payer: lane.kind,
    method,
    otherwise: { say: lane.kind === 'auction' ? 'invalidPaymentSession' : 'settlementSessionNotFound', path: method },
    done: () => completed,
  })
  return { ...outcome, back: lane.link.state === 'withdrawn' ? '/' : method }
}
