/** Creates the Hono app, with its middleware in order. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Hono } from 'hono'
import { apiRoutes } from '../../api/routes.ts'
import { withContentVersion } from '../../platform/database/content-version.ts'
import { DatabaseUnavailable } from '../../platform/database/open.ts'
import { opensOffice } from '../config/client-address.ts'
import { cachedPages, loadVisitorRental, queryOf } from './answer-from-cache.ts'
import { codesOf } from './cached-facilities-near-visitor.ts'
import { policyReports } from './csp-reports.ts'
import { answerError } from './errors.ts'
import { healthRoutes } from './health-and-metrics-routes.ts'
import { limitRequests } from './load-shedding.ts'
import { blockDuringMaintenance } from './maintenance.ts'
import { isOfficePath } from './office-and-api-paths.ts'
import { compressedAnswer } from './page-cache.ts'
import { hasAlert, isPublicPage, pageKey } from './page-cache-keys.ts'
import { readForms } from './read-forms.ts'
import { answerWithErrorPage, render, renderRefusal } from './render.ts'
import { logAndTraceRequest } from './request-id-log-and-trace.ts'
import { redirectToLocalhost, refuseCrossSiteWrites, refuseForeignHosts, refuseUnknownMethods } from './same-origin.ts'
import { smsReplies } from './sms-replies.ts'
import { staticRoutes } from './static-files.ts'
import {
  addressOf,
  type Env,
  loadRequestCallers,
  openWebServices,
  sessionOf,
  type WebContext,
  type WebParts,
  type WebServices,
} from './web-app-state-and-request-callers.ts'

export type WebApp = Hono<Env> & {
  /** Answers public pages from the cache. @returns false, with nothing written, if the app must answer */
  serveCached(request: IncomingMessage, response: ServerResponse): boolean
  requestsInFlight(): number
}

export function createWebApp(parts: WebParts): WebApp {
  const web = openWebServices(parts)
  const app = new Hono<Env>()
  app.onError(answerError(web))
  app.use(logAndTraceRequest(web))
  app.use(limitRequests(web))
  app.use(refuseUnknownMethods)
  if (web.config.mode === 'demo') {
    app.use(refuseForeignHosts(web))
    if (new URL(web.ownOrigin).hostname === 'localhost') app.use(redirectToLocalhost(web))
  }
  app.use(refuseCrossSiteWrites(web))
  healthRoutes(app, web)
  // A worker serves nothing else: its port is for the operator's machines.
  if (web.config.role === 'worker')
    return Object.assign(app, { serveCached: () => false, requestsInFlight: () => web.inFlight.count })
  staticRoutes(app, web)
  smsReplies(app, web)
  policyReports(app, web)
  // The routes above are served during maintenance too.
  app.use(blockDuringMaintenance(web))
  app.use(readForms(web))
  app.route('/api', apiRoutesOf(web))
  if (web.pages) app.all('*', (context) => answerPage(web, context))
  return Object.assign(app, {
    serveCached: web.pages ? cachedPages(web) : () => false,
    requestsInFlight: () => web.inFlight.count,
  })
}

const apiRoutesOf = (web: WebServices) =>
  apiRoutes({
    services: web.services,
    callers: (context) => loadRequestCallers(web, context),
    async grant(context, grants) {
      const session = await sessionOf(web, context)
      session.set(grants)
      for (const line of await session.cookies()) context.header('Set-Cookie', line, { append: true })
    },
  })

async function answerPage(web: WebServices, context: WebContext): Promise<Response> {
  await web.settings.refresh()
  const { path, method } = context.req
  const isRead = method === 'GET' || method === 'HEAD'
  // From addresses other than OFFICE_ADDRESSES the office does not exist.
  if (isOfficePath(path) && !opensOffice(web.config, addressOf(web, context))) return renderRefusal(web, context, 404)
  // The content version was read with the settings, so the page does not read it again.
  if (isRead && isPublicPage(path))
    return withContentVersion(() => answerPublicPage(web, context), web.settings.version)
  const answer = await (isRead ? withContentVersion(() => render(web, context)) : render(web, context))
  // A resource route answered 404 without a body, so the error page is rendered.
  if (answer.status === 404 && method === 'GET' && answer.body === null)
    return answerWithErrorPage(web, context, 404, () => answer)
  // The router renders no page for 405.
  if (answer.status === 405 && !path.endsWith('.data')) return renderRefusal(web, context, 405)
  return isRead && compressedPage.test(path) ? compressedAnswer(context.req.raw, answer) : answer
}

/**
 * Matches paths of pages that are rendered for each request instead of cached. They contain no secret of their visitor,
 * so they may be compressed.
 */
const compressedPage = /^\/(choose|tell-me)\//

/** Answers with a public page; in the first minute of a database outage, with its last cached copy if there is one. */
async function answerPublicPage(web: WebServices, context: WebContext): Promise<Response> {
  const { settings, services, metrics } = web
  const lastCachedPage = () => {
    if (!settings.isBrieflyUnavailable(services.clock.now())) return null
    const { path, url, raw } = context.req
    const page = web.cache.last(
      raw,
      pageKey(path, queryOf(url), ''),
      web.nearby.last(addressOf(web, context)),
      settings.version,
    )
    if (page) metrics.dbUnavailable.inc({ why: 'lost' })
    return page
  }
  const cached = lastCachedPage()
  if (cached) return cached
  try {
    const answer = await renderPublicPage(web, context)
    if (answer.status !== 503) return answer
    settings.markUnavailable()
    return lastCachedPage() ?? answer
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    settings.markUnavailable()
    const page = lastCachedPage()
    if (page) return page
    throw error
  }
}

async function renderPublicPage(web: WebServices, context: WebContext): Promise<Response> {
  const { path, method, url, raw } = context.req
  const header = (name: string) => context.req.header(name)
  const nearby = path === '/' ? await web.nearby.load(addressOf(web, context), header) : []
  const rental = await loadVisitorRental(web, context)
  if (rental || hasAlert(web, context.req.header('cookie')))
    return render(web, context, { plain: true, nearby, rental })
  // For HEAD the router omits the body, which the cache needs.
  const instead = method === 'HEAD' ? new Request(url, { headers: raw.headers }) : undefined
  const key = pageKey(path, queryOf(url), codesOf(nearby))
  return web.cache.answer(raw, key, web.settings.version, web.services.clock.now(), () =>
    render(web, context, { plain: true, nearby, instead }),
  )
}
