/** Each payer's pages for tests, under the addresses that app/routes.ts gives them. */
import { createHash } from 'node:crypto'
import { tokenHash } from '../../modules/accounts/live-sign-ins.ts'
import { signIn } from '../../modules/accounts/sessions.ts'
import { type CheckoutTerms, startCheckout } from '../../modules/payments/checkout.ts'
import type { PayingHouse } from '../../modules/payments/testing.ts'
import { visitor } from '../../tests/support/small-operator.ts'
import { Browser } from '../testing.ts'
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

/** What a tenant of the test house owes. */
export const cyDues: CheckoutTerms = {
  ...{ payer: 'tenant', locationCode: 'GA1', tenantId: 1002, leaseNumber: 10002 },
  ...{ pays: 'dues', periods: 1, autopay: false },
}

/** A browser that is signed in. */
export async function tenantIn(services: PayingHouse, account: string): Promise<Browser> {
  return new Browser(services, { token: await signIn(services.db.write, services, account, visitor()) })
}

/** A browser with a guest's token for one tenant. */
export async function guestIn(services: PayingHouse, tenantId: number): Promise<Browser> {
  const token = services.random.hex(32)
  const now = services.clock.now()
  await services.db.write
    .insertInto('sign_ins')
    .values({
      ...{ token_hash: createHash('sha256').update(token).digest('hex'), kind: 'guest', account_id: null },
      ...{ location_code: 'GA1', tenant_id: tenantId, agent: 'test browser', address: '198.51.100.7' },
      ...{ created_at: now, expires_at: now + 86_400_000, ended_at: null },
    })
    .execute()
  return new Browser(services, { guestToken: token })
}

/** Begins a checkout in this browser. @returns its id. @throws Error where it is refused */
export async function begin(browser: Browser, services: PayingHouse, terms: CheckoutTerms): Promise<string> {
  const { guestToken } = browser.ids
  const started = await startCheckout(services, { ...terms, guest: guestToken && tokenHash(guestToken) })
  if (!started.ok) throw new Error(started.message)
  browser.ids.checkout = started.checkoutId
  return started.checkoutId
}
