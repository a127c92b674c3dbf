/**
 * Request context of pages, by which loaders and actions reach the session, the services and the operations. The server
 * puts one into React Router's context for each request.
 */
import { createContext, type RouterContextProvider, redirect } from 'react-router'
import type { BrandRecord } from '../../modules/facilities/rules/brand.ts'
import type { SitePageName } from '../../modules/facilities/rules/operator-text-pages.ts'
import type { NearbyFacility } from '../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import type { RentalInProgress } from '../../modules/reservations/views/rental-in-progress.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import type { InternalOperation, Operation } from '../../platform/operations/operation.ts'
import type { Outcome } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { PublicSheet } from '../public-style-sheets.ts'
import type { MessageCode } from './alert-texts-by-code.ts'

/** Contents of the session's sealed cookies. */
export interface SessionIds {
  /** Id of the rental draft, or of the resumed session that leads to the draft (`sessionIdOf`). */
  draftId?: string
  token?: string
  guestToken?: string
  auction?: string
  settlement?: string
  /** The session's latest order, whether or not it is paid. */
  orderId?: string
  /** Order of a completed rental, for the completion page. */
  completedOrderId?: string
  /** Tenant in view, for an account of several facilities: 'ATL01:1001'. */
  at?: string
  /** Checkout being paid (modules/payments/rules/checkout-terms.ts). */
  checkout?: string
  /** Lease that the visitor last opened or began to pay: 'ATL01:1001:10001'. */
  lease?: string
  resetId?: string
  /** Tenant who may register from this browser, and until when: 'ATL01:1001:1795276800000' (epoch milliseconds). */
  registers?: string
  /**
   * Marks of the accounts that have signed in or proven their mailbox in this browser (`addTrustedBrowserMark`): wrong
   * passwords tried in other browsers do not lock these accounts out in this one.
   */
  known?: string[]
  /** Browser id that passkey challenges are bound to. It signs no visitor in. */
  passkeys?: string
  /** Path of this site to continue at after log-in or after accepting new terms. */
  next?: string
}

export interface Session {
  readonly ids: Readonly<SessionIds>
  /** Expiry of the cookie, in epoch milliseconds; 0 for an empty session. Each `set` extends it. */
  readonly endsAt: number
  /** Changes ids and writes them to the response's cookie; `undefined` removes one. */
  set(change: Partial<SessionIds>): void
  /** Removes all ids except `known`, as log-out does. */
  clear(): void
}

/** Cookies of the office pages. */
export interface OfficeSession {
  /** Bearer token of the staff sign-in; null without one. The second factor may still be missing. */
  readonly token: string | null
  /** Id of the browser, for noticing new devices and binding passkey challenges. Reading it stores the cookie. */
  readonly device: string
  set(token: string | null): void
}

export interface RequestContext {
  services: Services
  session: Session
  office: OfficeSession
  brand: BrandRecord
  /** Existing pages with the operator's own text. */
  pages: SitePageName[]
  /** Addresses of the operator's own style sheet and images; '' for those it lacks. */
  theme: Record<'sheet' | 'logo' | 'icon' | 'share', string>
  /** True in demo mode, where pages name the sandbox's test cards. */
  demo: boolean
  /** True when the site has the mailbox page, where every visitor can read captured messages. Only in demo mode. */
  mailbox: boolean
  /** Nonce for `script-src`; '' on pages without scripts, such as the public pages. */
  nonce: string
  /** Sanitized HTML of the site-wide banner; '' without one. */
  banner: string
  /** True while the site is in maintenance, also on pages that are served all the same. */
  inMaintenance?: boolean
  /** True when the request is refused because of maintenance (`blockDuringMaintenance`); the page then says so. */
  maintenance: boolean
  /** Alert that the previous page left for this one, as a sentence. */
  alert: string
  /** Status of a request refused before any page ran; 0 for others. The error page explains it. */
  refused: number
  /** Request id in the X-Request-Id header, the log and error pages. */
  requestId: string
  /** Facilities near the visitor; loaded for the home page only. */
  nearby: NearbyFacility[]
  /**
   * Rental that this browser has on hold; loaded only for the home page and facility pages, which are then not cached.
   */
  rental?: RentalInProgress | null
  callers(): Promise<Callers>
  /** Runs an operation as this request's callers and stores the ids it grants in the session. */
  call<I, O>(
    operation: Operation<I, O> | InternalOperation<I, O>,
    input: unknown,
    idempotencyKey?: string,
  ): Promise<Outcome<O>>
  /** Reports an error that a loader or action threw. If the database was unavailable, a 500 response becomes a 503. */
  reportFailure(error: unknown, page: string): void
  /** Sentence for the office about paused billing or mail; null when nothing is paused. */
  caution?: string | null
  /** Records which style sheet is inline in the page, so that the page's Content-Security-Policy allows it. */
  recordInlineSheet(sheet: PublicSheet | undefined): void
  /** Leaves an alert for the next page, which shows it in a dialog. */
  alertNext(code: MessageCode): void
}

export const requestContext = createContext<RequestContext>()

export const contextOf = (context: Readonly<RouterContextProvider>): RequestContext => context.get(requestContext)

/**
 * Redirects to a path of this site, where the alert is shown.
 * @throws the redirect
 */
export function redirectWithAlert(site: RequestContext, code: MessageCode, path: string): never {
  site.alertNext(code)
  throw redirect(path)
}

/** Caches the request's callers until the session's ids or the office's token change, as they do when a page signs in. */
export function cacheSessionCallers(
  session: Pick<Session, 'ids'>,
  office: Pick<OfficeSession, 'token'>,
  loadCallers: () => Promise<Callers>,
) {
  let cached: Promise<Callers> | undefined
  let cachedIds = ''
  return {
    callers() {
      const ids = JSON.stringify([session.ids, office.token])
      if (ids !== cachedIds) cached = undefined
      cachedIds = ids
      cached ??= loadCallers()
      return cached
    },
    forget() {
      cached = undefined
    },
  }
}
