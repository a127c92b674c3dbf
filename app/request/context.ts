/** What a page's loader and action may use. The server puts one into React Router's context for every request. */
import { createContext, type RouterContextProvider, redirect } from 'react-router'
import type { NearbyFacility } from '../../modules/facilities/directory.ts'
import type { BrandRecord } from '../../modules/facilities/rules/brand.ts'
import type { SitePageName } from '../../modules/facilities/rules/site-pages.ts'
import type { RentalInProgress } from '../../modules/reservations/resumed-rentals.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import type { InternalOperation, Operation } from '../../platform/operations/operation.ts'
import type { Outcome } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { MessageCode } from './messages-by-code.ts'

/** What the sealed cookie holds: ids only. */
export interface SessionIds {
  /** The rental draft, or the resumed session that leads to it (`sessionIdOf`). */
  draftId?: string
  token?: string
  guestToken?: string
  auction?: string
  settlement?: string
  /** The order being paid, so that the return page and Back know it. */
  orderId?: string
  /** Payment of a draft that has been completed: the completion page reads it. */
  completedOrderId?: string
  /** Signed in to several facilities: the tenant that is looked at, as `tenantKey` of app/portal/open-portal-page.ts writes it. */
  at?: string
  /** The payment that was agreed to and is being made: see modules/payments/checkout.ts. */
  checkout?: string
  /** The lease that is being paid, prepaid or moved out of: 'ATL01:1001:10001'. */
  lease?: string
  resetId?: string
  /** The tenant whose online account may be made from here, and until when: 'ATL01:1001:1795276800000'. */
  registers?: string
  /** Accounts that were signed in to from here, so that a stranger's wrong guesses do not keep their owner out. */
  known?: string[]
  /** Names this browser to the passkey challenges that it asks for; proves nothing. */
  passkeys?: string
  /** One of our own paths, to go on to after signing in or accepting new terms. */
  next?: string
}

export interface Session {
  readonly ids: Readonly<SessionIds>
  /** When the cookie ends by itself, epoch ms; in the past (0) where there is nothing in it. Each `set` puts it off. */
  readonly endsAt: number
  /** Changes ids; `undefined` forgets one. Written to the cookie with the answer. */
  set(change: Partial<SessionIds>): void
  /** Ends everything, as log-out does; the browser stays one that its owner has signed in with. */
  clear(): void
}

/** The cookies of a page of the office. */
export interface OfficeSession {
  /** Bearer token of the sign-in; null without one. It may owe the second factor still. */
  readonly token: string | null
  /** The browser's mark: new devices are noticed and passkey challenges bound by it. Reading it keeps it. */
  readonly device: string
  set(token: string | null): void
}

export interface RequestContext {
  services: Services
  session: Session
  office: OfficeSession
  brand: BrandRecord
  /** Pages in the operator's words that exist. */
  pages: SitePageName[]
  /** Addresses of the operator's own style sheet and pictures; '' where it has none. */
  theme: Record<'sheet' | 'logo' | 'icon' | 'share', string>
  /** Demo mode: the sandbox's cards are named on the pages that help a newcomer. */
  demo: boolean
  /** Mail and text messages are kept for the mailbox page, which shows them to everybody. Never outside a demo. */
  mailbox: boolean
  /** For `script-src`; empty on public pages, which carry no scripts. */
  nonce: string
  /** Sanitised HTML of the site-wide banner, '' for none. */
  banner: string
  /** The site is closed, and this is one of the pages that a payment under way still needs. */
  inMaintenance?: boolean
  maintenance: boolean
  /** Sentence of an alert that the last page left for this one. */
  alert: string
  /** Status with which the request is turned away unread, 0 for all others: its page says why. */
  refused: number
  /** Stands in the answer's X-Request-Id, in the log, and on error pages. */
  requestId: string
  /** The facilities of the nearby card; found for the home page alone. */
  nearby: NearbyFacility[]
  /** The unit that this browser has on hold; found for home page and unit list alone, which are then made for it. */
  rental?: RentalInProgress | null
  callers(): Promise<Callers>
  /** Runs an operation as this request's callers; what it grants goes into the session. */
  call<I, O>(
    operation: Operation<I, O> | InternalOperation<I, O>,
    input: unknown,
    idempotencyKey?: string,
  ): Promise<Outcome<O>>
  /** A loader or action threw this: it is reported, and the answer says whether coming back shortly is worth it. */
  failed(error: unknown, page: string): void
  /** What pauses billing or mail here, in a sentence for the office; null where nothing does. */
  caution?: string | null
  /** Leaves an alert for the next page: an accessible dialog there. */
  alertNext(code: MessageCode): void
}

export const requestContext = createContext<RequestContext>()

export const contextOf = (context: Readonly<RouterContextProvider>): RequestContext => context.get(requestContext)

/** Sends the visitor to one of our own paths with an alert waiting there. */
export function alertAndGo(site: RequestContext, code: MessageCode, path: string): never {
  site.alertNext(code)
  throw redirect(path)
}

/** Asks once who calls, and again after the session has changed: what a page has just begun belongs to its caller. */
export function callersOfSession(
  session: Pick<Session, 'ids'>,
  office: Pick<OfficeSession, 'token'>,
  ask: () => Promise<Callers>,
) {
  let known: Promise<Callers> | undefined
  let of = ''
  return {
    callers() {
      const ids = JSON.stringify([session.ids, office.token])
      if (ids !== of) known = undefined
      of = ids
      known ??= ask()
      return known
    },
    forget() {
      known = undefined
    },
  }
}
