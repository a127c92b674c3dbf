/** Each payer's pages for tests, under the addresses that app/routes.ts gives them. */
import * as bank from './bank.tsx'
import * as card from './card.tsx'
import * as completed from './completed.tsx'
import * as method from './method.tsx'
import { payers } from './payers.ts'
import * as returned from './return.tsx'

interface PageModule {
  loader: unknown
  action?: unknown
  default: unknown
}

/** The page as React Router asks it at this route. */
function at(page: PageModule, pattern: string) {
  const asked = (part: unknown) => (args: object) => (part as (args: object) => unknown)({ ...args, pattern })
  return { loader: asked(page.loader), action: asked(page.action), default: page.default }
}

const pagesAt = (of: { method: string; card: string; returns: string }) => ({
  method: at(method, of.method),
  card: at(card, of.card),
  returns: at(returned, of.returns),
})

export const { method: tenantMethod, card: tenantCard, returns: tenantReturn } = pagesAt(payers.tenant)
export const { method: guestMethod, card: guestCard, returns: guestReturn } = pagesAt(payers.guest)
export const { method: auctionMethod, card: auctionCard, returns: auctionReturn } = pagesAt(payers.auction)
export const { method: settlementMethod, card: settlementCard, returns: settlementReturn } = pagesAt(payers.settlement)
export const tenantBank = at(bank, payers.tenant.bank)
export const guestBank = at(bank, payers.guest.bank)
export const guestDone = at(completed, payers.guest.completed)
export const auctionDone = at(completed, payers.auction.completed)
export const settlementDone = at(completed, payers.settlement.completed)
