import { randomBytes } from 'node:crypto'
import { RouterContextProvider } from 'react-router'
import { callersOfSession, type RequestContext, requestContext } from '../../app/request/context.ts'
import type { BrandRecord } from '../../domain/brand.ts'
import { failedOnOurSide, recordsOutOfReach } from '../../domain/texts/site.ts'
import type { NearbyFacility } from '../../modules/facilities/directory.ts'
import type { RentalInProgress } from '../../modules/reservations/resumed-rentals.ts'
import { DatabaseUnavailable } from '../../platform/database/open.ts'
import { perform } from '../../platform/operations/operation.ts'
import { redactPath } from '../../ports/errors/redact.ts'
import { contentPolicy } from './csp.ts'
import { withReference } from './errors.ts'
import { currentRequest } from './request-id.ts'
import type { SealedSession } from './session.ts'
import { callersOfRequest, type Pages, sessionOf, type WebContext, type WebServices } from './web-services.ts'

interface RenderOptions {
  /** The page carries no scripts. */
  plain?: boolean
  nearby?: NearbyFacility[]
  rental?: RentalInProgress | null
  /** In place of the request itself. */
  instead?: Request
  /** Status of a refusal; 0 for none. */
  refused?: number
}

/** What went wrong while a page was rendered. */
interface Failures {
  any: boolean
  databaseUnavailable: boolean
}

/** Renders a page with its cookies and headers. */
export async function render(web: WebServices, context: WebContext, options: RenderOptions = {}): Promise<Response> {
  const { plain = false, instead = context.req.raw, refused = 0 } = options
  const session = await sessionOf(web, context)
  const nonce = plain ? '' : randomBytes(16).toString('base64')
  const failures: Failures = { any: false, databaseUnavailable: false }
  const router = new RouterContextProvider()
  router.set(requestContext, contextOfRequest(web, context, { ...options, session, nonce, failures }))
  const rendered = await (web.pages as Pages)(underOwnAddress(web, instead), router)
  const answer = withFailures(rendered, instead, failures)
  if (!answer.headers.has('Content-Security-Policy')) {
    const { photoOrigins } = web.settings
    answer.headers.set(
      'Content-Security-Policy',
      contentPolicy(nonce, photoOrigins, web.services.cardProvider.pageOrigin),
    )
  }
  if (!answer.headers.has('Cache-Control')) answer.headers.set('Cache-Control', 'no-store')
  for (const line of await session.cookies(refused !== 503 && showsAlert(answer)))
    answer.headers.append('Set-Cookie', line)
  return answer
}

/** The page that says why a request is refused. */
export async function renderRefusal(web: WebServices, context: WebContext, status: number): Promise<Response> {
  // Never the request itself, which no page may see. Scripts read the answer to a form of theirs; a document is read.
  const instead = context.req.path.endsWith('.data')
    ? new Request(`${web.ownOrigin}/refused.data`, { method: 'POST', body: new URLSearchParams() })
    : new Request(`${web.ownOrigin}/refused`)
  const answer = await render(web, context, { instead, refused: status })
  if (status === 405) answer.headers.set('Allow', 'GET, HEAD')
  return answer
}

/** Refuses a request unread: a person gets a page that says why, a program the answer of `plainly`. */
export async function refuseUnread(
  web: WebServices,
  context: WebContext,
  status: number,
  plainly: () => Response,
): Promise<Response> {
  const isPage = context.req.path.endsWith('.data') || /\btext\/html\b/.test(context.req.header('accept') ?? '')
  if (!web.pages || context.req.path.startsWith('/api') || !isPage) return plainly()
  await web.settings.refresh()
  return renderRefusal(web, context, status)
}

/** Whether an answer is a page or a page's data, which show a waiting alert; a redirect (202 as data) or a file does not. */
const showsAlert = ({ status, headers }: Response) =>
  status !== 202 && (status < 300 || status >= 400) && /^text\/(html|x-script)/.test(headers.get('Content-Type') ?? '')

function contextOfRequest(
  web: WebServices,
  context: WebContext,
  options: RenderOptions & { session: SealedSession; nonce: string; failures: Failures },
): RequestContext {
  const { services, settings, config } = web
  const { session, failures, nearby = [], rental = null, refused = 0 } = options
  const callers = callersOfSession(session, () => callersOfRequest(web, context))
  const site: RequestContext = {
    services,
    session,
    brand: settings.brand as BrandRecord,
    look: { sheet: settings.theme.sheet?.path ?? '', logo: settings.theme.logo?.path ?? '' },
    demo: config.mode === 'demo',
    mailbox: config.mailbox,
    nonce: options.nonce,
    banner: settings.notices?.banner ?? '',
    inMaintenance: settings.notices?.maintenance ?? false,
    maintenance: refused === 503,
    alert: session.alert,
    refused,
    requestId: currentRequest()?.id ?? '',
    nearby,
    rental,
    callers: callers.callers,
    async call(operation, input) {
      const outcome = await perform(services, operation, input, await site.callers())
      if (outcome.ok && outcome.grants) {
        session.set(outcome.grants)
        callers.forget()
      }
      return outcome
    },
    failed(error, page) {
      failures.any = true
      failures.databaseUnavailable ||= error instanceof DatabaseUnavailable
      if (error instanceof DatabaseUnavailable)
        web.log.warn({ path: redactPath(page), why: error.message }, 'database unavailable')
      else services.errors.report(error, { page })
    },
    alertNext: (code) => session.alertNext(code),
  }
  return site
}

/**
 * A form as if sent to our own address. Behind a proxy it arrives under another scheme and host, and the router refuses a
 * form whose Origin is not the address it sees; the origin has been checked by then.
 */
function underOwnAddress({ forms, ownOrigin }: WebServices, request: Request): Request {
  const { method } = request
  if (method === 'GET' || method === 'HEAD') return request
  const { pathname, search } = new URL(request.url)
  const { headers, signal } = request
  const form = forms.get(request)
  // A form without fields has no body at all.
  const body = form ? (form.byteLength > 0 ? form : null) : request.body
  // Node wants 'duplex' where a body is read from a stream; the types do not know it.
  const sent: RequestInit & { duplex: 'half' } = { method, headers, body, signal, duplex: 'half' }
  return new Request(`${ownOrigin}${pathname}${search}`, sent)
}

/** The router's answer with the status and the sentence of what went wrong. */
function withFailures(rendered: Response, request: Request, { any, databaseUnavailable }: Failures): Response {
  let answer = rendered
  // The router says 500 of all that is thrown; an unavailable database is temporary (case 21).
  if (databaseUnavailable && answer.status === 500) {
    answer = new Response(answer.body, { status: 503, headers: answer.headers })
    answer.headers.set('Retry-After', '2')
  }
  // The router tells a page's scripts nothing of a failure; as text it reaches the error page.
  if (!request.url.includes('.data') || (!any && answer.status !== 405) || answer.status < 400) return answer
  const { status, headers } = answer
  const text = withReference(databaseUnavailable ? recordsOutOfReach : failedOnOurSide)
  answer = new Response(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
  for (const name of ['Retry-After', 'Allow']) if (headers.has(name)) answer.headers.set(name, headers.get(name) ?? '')
  return answer
}
