/** The Hono app: middleware in the order every request passes it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Hono } from 'hono'
import { apiRoutes } from '../../api/routes.ts'
import { atOneContentVersion } from '../../platform/database/content-version.ts'
import { DatabaseUnavailable } from '../../platform/database/open.ts'
import { opensOffice } from '../config/client-address.ts'
import { readForms } from './body-limits.ts'
import { compressedAnswer } from './cached-page.ts'
import { countRequests, identifyRequest } from './count-requests.ts'
import { answerError } from './errors.ts'
import { healthRoutes } from './health.ts'
import { maintenanceNotice } from './maintenance.ts'
import { codesOf } from './nearby.ts'
import { isOfficePath } from './office-session.ts'
import { policyReports } from './policy-reports.ts'
import { cachedPages, hasAlert, isPublicPage, pageKey, queryOf, rentalOf } from './public-pages.ts'
import { refuseUnread, render, renderRefusal } from './render.ts'
import { knownMethods, ownHostOnly, redirectToLocalhost, sameOriginWrites } from './same-origin.ts'
import { staticRoutes } from './static-files.ts'
import { textReplies } from './text-replies.ts'
import {
  addressOf,
  callersOfRequest,
  type Env,
  openWebServices,
  sessionOf,
  type WebContext,
  type WebParts,
  type WebServices,
} from './web-services.ts'

export type WebApp = Hono<Env> & {
  /** Answers cached public pages. @returns false, with nothing written, where the app has to answer */
  serveCached(request: IncomingMessage, response: ServerResponse): boolean
  requestsInFlight(): number
}

export function createWebApp(parts: WebParts): WebApp {
  const web = openWebServices(parts)
  const app = new Hono<Env>()
  app.onError(answerError(web))
  app.use(identifyRequest(web))
  app.use(countRequests(web))
  app.use(knownMethods)
  if (web.config.mode === 'demo') {
    app.use(ownHostOnly(web))
    if (new URL(web.ownOrigin).hostname === 'localhost') app.use(redirectToLocalhost(web))
  }
  app.use(sameOriginWrites(web))
  healthRoutes(app, web)
  // The app of a worker ends here: its address is for the operator's own machines.
  if (web.config.role === 'worker')
    return Object.assign(app, { serveCached: () => false, requestsInFlight: () => web.inFlight.count })
  staticRoutes(app, web)
  textReplies(app, web)
  policyReports(app, web)
  // Health, static files, theme, replies by text and reports are served during maintenance.
  app.use(maintenanceNotice(web))
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
    callers: (context) => callersOfRequest(web, context),
    async grant(context, grants) {
      const session = await sessionOf(web, context)
      session.set(grants)
      for (const line of await session.cookies()) context.header('Set-Cookie', line, { append: true })
    },
  })

async function answerPage(web: WebServices, context: WebContext): Promise<Response> {
  await web.settings.refresh()
  const { path, method } = context.req
  const reads = method === 'GET' || method === 'HEAD'
  // Elsewhere than at its addresses there is no office.
  if (isOfficePath(path) && !opensOffice(web.config, addressOf(web, context))) return renderRefusal(web, context, 404)
  // Public pages are cached for longer than the settings' version is old.
  if (reads && isPublicPage(path))
    return atOneContentVersion(() => answerPublicPage(web, context), web.settings.version)
  const answer = await (reads ? atOneContentVersion(() => render(web, context)) : render(web, context))
  // A file that is not there: its door has no page of its own.
  if (answer.status === 404 && method === 'GET' && answer.body === null)
    return refuseUnread(web, context, 404, () => answer)
  // The router has no page for its 405.
  if (answer.status === 405 && !path.endsWith('.data')) return renderRefusal(web, context, 405)
  return path.startsWith('/choose/') ? compressedAnswer(context.req.raw, answer) : answer
}

/** From the cache while the database is away: such a page rests on nothing newer. */
async function answerPublicPage(web: WebServices, context: WebContext): Promise<Response> {
  const { settings, services, metrics } = web
  const last = () => {
    if (!settings.isOutlived(services.clock.now())) return null
    const { path, url, raw } = context.req
    const kept = web.cache.last(
      raw,
      pageKey(path, queryOf(url), ''),
      web.nearby.last(addressOf(web, context)),
      settings.version,
    )
    if (kept) metrics.dbUnavailable.inc({ why: 'lost' })
    return kept
  }
  const kept = last()
  if (kept) return kept
  try {
    const answer = await makePublicPage(web, context)
    if (answer.status !== 503) return answer
    settings.lost()
    return last() ?? answer
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    settings.lost()
    const instead = last()
    if (instead) return instead
    throw error
  }
}

async function makePublicPage(web: WebServices, context: WebContext): Promise<Response> {
  const { path, method, url, raw } = context.req
  const header = (name: string) => context.req.header(name)
  const nearby = path === '/' ? await web.nearby.of(addressOf(web, context), path, header) : []
  const rental = await rentalOf(web, context)
  if (rental || hasAlert(web, context.req.header('cookie')))
    return render(web, context, { plain: true, nearby, rental })
  // The cache needs the whole page, which the router leaves out of HEAD.
  const instead = method === 'HEAD' ? new Request(url, { headers: raw.headers }) : undefined
  const key = pageKey(path, queryOf(url), codesOf(nearby))
  return web.cache.answer(raw, key, web.settings.version, web.services.clock.now(), () =>
    render(web, context, { plain: true, nearby, instead }),
  )
}
