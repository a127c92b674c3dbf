import { createHash, randomBytes } from 'node:crypto'
import { RouterContextProvider } from 'react-router'
import { type PublicSheet, publicSheets } from '../../app/public-style-sheets.ts'
import { cacheSessionCallers, type RequestContext, requestContext } from '../../app/request/context.ts'
import { failedOnOurSide, recordsOutOfReach } from '../../domain/texts/general-errors.ts'
import { keysOf, recordOf } from '../../domain/typed-keys.ts'
import type { BrandRecord } from '../../modules/facilities/rules/brand.ts'
import type { NearbyFacility } from '../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import type { RentalInProgress } from '../../modules/reservations/views/rental-in-progress.ts'
import { currentRequest } from '../../platform/current-request.ts'
import { DatabaseUnavailable } from '../../platform/database/open.ts'
import { perform } from '../../platform/operations/operation.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { withReference } from './errors.ts'
import { isApiPath, isOfficePath } from './office-and-api-paths.ts'
import type { SealedSession } from './session.ts'
import {
  loadRequestCallers,
  officeSessionOf,
  type PageRenderer,
  sessionOf,
  type WebContext,
  type WebServices,
} from './web-app-state-and-request-callers.ts'

interface RenderOptions {
  /** Renders the page without scripts. */
  plain?: boolean
  nearby?: NearbyFacility[]
  rental?: RentalInProgress | null
  /** Request that the router gets in place of the visitor's. */
  instead?: Request
  /** Status of the refusal whose page is rendered, such as 403 or 503; 0 if the request is not refused. */
  refused?: number
}

interface Rendering {
  failed: boolean
  databaseUnavailable: boolean
  /** Style sheet within the page. */
  sheet?: PublicSheet | undefined
}

/** Renders a page, and sets its Content-Security-Policy, Cache-Control and cookies. */
export async function render(web: WebServices, context: WebContext, options: RenderOptions = {}): Promise<Response> {
  const { plain = false, instead = context.req.raw, refused = 0 } = options
  const session = await sessionOf(web, context)
  const nonce = plain ? '' : randomBytes(16).toString('base64')
  const rendering: Rendering = { failed: false, databaseUnavailable: false }
  const router = new RouterContextProvider()
  router.set(requestContext, contextOfRequest(web, context, { ...options, session, nonce, rendering }))
  const rendered = await (web.pages as PageRenderer)(withOwnOrigin(web, instead), router)
  const answer = withFailures(rendered, instead, rendering)
  if (!answer.headers.has('Content-Security-Policy')) {
    const frames = isOfficePath(context.req.path) ? null : web.services.cardProvider.pageOrigin
    const { photoOrigins, theme } = web.settings
    const inlined = rendering.sheet ? [sheetHashes[rendering.sheet]] : []
    if (theme.sheet && !nonce) inlined.push(hashOf(theme.sheet.body))
    answer.headers.set('Content-Security-Policy', contentSecurityPolicy(nonce, photoOrigins, frames, inlined))
  }
  if (!answer.headers.has('Cache-Control')) answer.headers.set('Cache-Control', 'no-store')
  for (const line of await session.cookies(refused !== 503 && showsAlert(answer)))
    answer.headers.append('Set-Cookie', line)
  for (const line of officeSessionOf(web, context).cookies()) answer.headers.append('Set-Cookie', line)
  return answer
}

/** Renders the error page of a status, without passing it the request. */
export async function renderRefusal(web: WebServices, context: WebContext, status: number): Promise<Response> {
  // The error page must not see the refused request. For `.data`, which scripts request, the router answers with data.
  const instead = context.req.path.endsWith('.data')
    ? new Request(`${web.ownOrigin}/refused.data`, { method: 'POST', body: new URLSearchParams() })
    : new Request(`${web.ownOrigin}/refused`)
  const answer = await render(web, context, { instead, refused: status })
  if (status === 405) answer.headers.set('Allow', 'GET, HEAD')
  return answer
}

const hashOf = (sheet: string | Uint8Array) => `'sha256-${createHash('sha256').update(sheet).digest('base64')}'`
const sheetHashes = recordOf(keysOf(publicSheets), (name) => hashOf(publicSheets[name]))

/**
 * Answers a refused request: with an error page if the browser asked for a page or its data; otherwise, and below /api,
 * with the result of `answerPlainly`.
 */
export async function answerWithErrorPage(
  web: WebServices,
  context: WebContext,
  status: number,
  answerPlainly: () => Response,
): Promise<Response> {
  const isPage = context.req.path.endsWith('.data') || /\btext\/html\b/.test(context.req.header('accept') ?? '')
  if (!web.pages || isApiPath(context.req.path) || !isPage) return answerPlainly()
  await web.settings.refresh()
  return renderRefusal(web, context, status)
}

/**
 * Returns whether a response shows a waiting alert: pages and their data do; redirects (202 as data) and files do not.
 */
const showsAlert = ({ status, headers }: Response) =>
  status !== 202 && (status < 300 || status >= 400) && /^text\/(html|x-script)/.test(headers.get('Content-Type') ?? '')

function contextOfRequest(
  web: WebServices,
  context: WebContext,
  options: RenderOptions & { session: SealedSession; nonce: string; rendering: Rendering },
): RequestContext {
  const { services, settings, config } = web
  const { session, rendering, nearby = [], rental = null, refused = 0 } = options
  const office = officeSessionOf(web, context)
  const callers = cacheSessionCallers(session, office, () => loadRequestCallers(web, context))
  const site: RequestContext = {
    services,
    session,
    office,
    brand: settings.brand as BrandRecord,
    theme: {
      sheet: settings.theme.sheet?.path ?? '',
      logo: settings.theme.logo?.path ?? '',
      icon: settings.theme.icon?.path ?? '',
      share: settings.theme.share?.path ?? '',
    },
    demo: config.mode === 'demo',
    mailbox: config.mailbox,
    nonce: options.nonce,
    banner: settings.notices?.banner ?? '',
    inMaintenance: settings.notices?.maintenance ?? false,
    maintenance: refused === 503,
    pages: settings.pages,
    alert: session.alert,
    refused,
    requestId: currentRequest()?.id ?? '',
    caution: web.caution?.() ?? null,
    nearby,
    rental,
    callers: callers.callers,
    async call(operation, input, idempotencyKey) {
      const outcome = await perform(services, operation, input, await site.callers(), idempotencyKey)
      if (outcome.ok && outcome.grants) {
        session.set(outcome.grants)
        callers.forget()
      }
      return outcome
    },
    reportFailure(error, address) {
      const page = web.patternOf?.(address) ?? '*'
      rendering.failed = true
      rendering.databaseUnavailable ||= error instanceof DatabaseUnavailable
      if (error instanceof DatabaseUnavailable) {
        web.metrics.dbUnavailable.inc({ why: error.why })
        web.log.warn({ path: page, why: error.message }, 'database unavailable')
      } else services.errors.report(error, { page })
    },
    recordInlineSheet(sheet) {
      rendering.sheet = sheet
    },
    alertNext: (code) => session.alertNext(code),
  }
  return site
}

/**
 * Rewrites a form request to our own origin: behind a proxy scheme and host differ, and the router refuses a different
 * Origin. The Origin header has already been checked.
 */
function withOwnOrigin({ forms, ownOrigin }: WebServices, request: Request): Request {
  const { method } = request
  if (method === 'GET' || method === 'HEAD') return request
  const { pathname, search } = new URL(request.url)
  const { signal } = request
  const headers = new Headers(request.headers)
  // A page with the policy no-referrer sends the origin 'null'.
  if (headers.get('Origin') === 'null') headers.set('Origin', ownOrigin)
  const form = forms.get(request)
  const body = form ? (form.byteLength > 0 ? form : null) : request.body
  // Node requires 'duplex' for a stream, which the types lack.
  const init: RequestInit & { duplex: 'half' } = { method, headers, body, signal, duplex: 'half' }
  return new Request(`${ownOrigin}${pathname}${search}`, init)
}

function withFailures(rendered: Response, request: Request, { failed, databaseUnavailable }: Rendering): Response {
  let answer = rendered
  // The router answers 500 for a thrown `DatabaseUnavailable`, which should be 503.
  if (databaseUnavailable && answer.status === 500) {
    answer = new Response(answer.body, { status: 503, headers: answer.headers })
    answer.headers.set('Retry-After', '2')
  }
  // Page scripts read the failure as text.
  if (!request.url.includes('.data') || (!failed && answer.status !== 405) || answer.status < 400) return answer
  const { status, headers } = answer
  const text = withReference(databaseUnavailable ? recordsOutOfReach : failedOnOurSide)
  answer = new Response(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
  for (const name of ['Retry-After', 'Allow']) if (headers.has(name)) answer.headers.set(name, headers.get(name) ?? '')
  return answer
}
