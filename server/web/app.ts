/**
 * The whole site as one Hono app over a house: doors, pages, static files, health, and the rules that hold for every
 * request: own origin for writes, security headers, load shedding, a request id in the log.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono } from 'hono'
import type { Histogram } from 'prom-client'
import { RouterContextProvider } from 'react-router'
import { bodyLimits, hasTooManyFields, isMultipart, readBytes } from '../../api/request-body.ts'
import { answerRefusal, doors, notationOf } from '../../api/routes.ts'
import { sitemap } from '../../app/find-storage/sitemap.ts'
import { unitDrawing } from '../../app/find-storage/unit-drawings.tsx'
import { MAINTENANCE } from '../../app/maintenance.tsx'
import { callersOfSession, type RequestContext, requestContext } from '../../app/request/context.ts'
import { type BrandRecord, brandFrom } from '../../domain/brand.ts'
import {
  failedOnOurSide,
  formTooLarge,
  formUnreadable,
  formWithoutLength,
  recordsOutOfReach,
  siteIsBusy,
} from '../../domain/texts/site.ts'
import { type NearbyFacility, nearbyCard } from '../../modules/facilities/directory.ts'
import { brandOf, photoOriginsOf } from '../../modules/facilities/settings.ts'
import { siteNotices } from '../../modules/facilities/settings-operations.ts'
import { type RentalInProgress, rentalInProgress } from '../../modules/reservations/resumed-rentals.ts'
import { currentContentVersion } from '../../platform/database/content-version.ts'
import { DatabaseUnavailable } from '../../platform/database/open.ts'
import { networkOf } from '../../platform/network.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { perform } from '../../platform/operations/operation.ts'
import type { Services } from '../../platform/operations/services.ts'
import { redactPath } from '../../ports/errors/redact.ts'
import { clientAddress } from '../config/client-address.ts'
import type { Config } from '../config/config.ts'
import { tooLate } from '../listening.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { PublicPages } from './cached-page.ts'
import { callersOf } from './callers.ts'
import { closedForMaintenance, isServedInMaintenance, maintenanceRetrySeconds } from './maintenance.ts'
import { isOwnHost } from './own-host.ts'
import { currentRequest, requestIdFor, requestIdHeader, underRequest } from './request-id.ts'
import { alertCookie, cookieName, namesRental, openSession, readCookies, type SealedSession } from './session.ts'
import { SlowBodies } from './slow-bodies.ts'
import { themeOf } from './theme.ts'

type Env = { Bindings: HttpBindings }

/** Renders a page: React Router's request handler, or Vite's in development. */
export type Pages = (request: Request, context: RouterContextProvider) => Promise<Response>

/** Methods that some address or other takes. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** More than this many requests at once and new ones are asked to come back, so that those inside finish in time. */
const mostInFlight = 256

/** The pages whose forms carry more than fields: a file, or a drawn signature. */
const takesFile = (path: string) => /^\/proof-of-insurance(\.data)?$/.test(path)
const takesSignature = (path: string) => /^\/lease(\.data)?$/.test(path)

/** Whether an answer is a page or a page's data, which say what alert waits; a redirect (202 as data) or a file does not. */
const saysAlert = ({ status, headers }: Response) =>
  status !== 202 && (status < 300 || status >= 400) && /^text\/(html|x-script)/.test(headers.get('Content-Type') ?? '')

/** A sentence of an error page that is no HTML. A page's scripts read it too: see `referenceOf`. */
const withReference = (text: string) => `${text} Reference: ${currentRequest()?.id ?? ''}`

const isPublicPage = (path: string) => path === '/' || /^\/(search|size-guide|storage-units(\/.*)?)$/.test(path)

/** Query keys that change a public page; anything else is left out of the cache's key. */
const knownKeys: Record<string, readonly string[]> = {
  '/': [],
  '/search': ['q', 'miles'],
  '/size-guide': [],
  '/storage-units': ['size', 'feature', 'sort'],
}

/** What proxies add to a request, one or another of them. */
const proxyMarks = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

const isLoopback = (address: string) => /^(127\.|::1$|::ffff:127\.)/.test(address)

export interface SiteParts {
  services: Services
  config: Config
  log: Log
  metrics: Metrics
  pages: Pages | null
  /** Folder of built static files, null in development (Vite serves them). */
  clientFolder: string | null
  cookieKeys: string[]
  ready: () => Promise<boolean>
}

/** The app, and what answers without it: most visits are to a public page in the cache. */
export type BuiltSite = Hono<Env> & {
  /** Answers straight from the cache of public pages. @returns false, with nothing written, where the app has to. */
  quickly(request: IncomingMessage, response: ServerResponse): boolean
  /** How many requests are being answered. */
  requestsInFlight(): number
}

export function createWebApp(parts: SiteParts): BuiltSite {
  const { services, config, log, metrics } = parts
  const app = new Hono<Env>()
  const secure = config.publicUrl.startsWith('https:')
  const ownOrigin = new URL(config.publicUrl).origin
  /** What every answer goes out with. */
  const safety: Record<string, string> = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=()',
    'x-frame-options': 'SAMEORIGIN',
    'cross-origin-opener-policy': 'same-origin',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
  const cache = new PublicPages(safety)
  const sessions = new WeakMap<Request, SealedSession>()
  let inFlight = 0
  const requestsInFlight = () => inFlight
  const arrivals = new SlowBodies()
  /** Takes a place among the requests that are worked on. @returns to be called when it is answered */
  const enter = () => {
    inFlight += 1
    metrics.inFlight.set(inFlight)
    return () => {
      inFlight -= 1
      metrics.inFlight.set(inFlight)
    }
  }

  const socketAddressOf = (context: Context<Env>): string => context.env?.incoming?.socket?.remoteAddress ?? '127.0.0.1'

  const addressOf = (context: Context<Env>): string =>
    clientAddress(config, socketAddressOf(context), context.req.header('x-forwarded-for'))

  const sessionOf = async (context: Context): Promise<SealedSession> => {
    const known = sessions.get(context.req.raw)
    if (known) return known
    const opened = await openSession(context.req.header('cookie'), parts.cookieKeys, secure, services.clock)
    sessions.set(context.req.raw, opened)
    return opened
  }

  const callers = async (context: Context): Promise<Callers> => {
    const session = await sessionOf(context)
    const bearer = /^Bearer ([\w.-]{16,200})$/.exec(context.req.header('authorization') ?? '')?.[1]
    return callersOf(services, session.ids, {
      bearer,
      address: addressOf(context as Context<Env>),
      agent: (context.req.header('user-agent') ?? '').slice(0, 300),
    })
  }

  // ── Every request ───────────────────────────────────────────────────────────────────────────────────────────────────

  app.use((context, next) => {
    const id = requestIdFor(config, socketAddressOf(context), context.req.header(requestIdHeader))
    return underRequest({ id, address: addressOf(context) }, async () => {
      await next()
      context.res.headers.set(requestIdHeader, id)
    })
  })

  app.use(async (context, next) => {
    const { path, method } = context.req
    if (path === '/healthz' || path === '/readyz' || path === '/metrics') return next()
    const started = performance.now()
    // Counted before anything is awaited: of a burst, those beyond the bound are turned away.
    const incoming = context.env?.incoming
    const arrives = incoming !== undefined && SlowBodies.brings(incoming)
    if (inFlight + (arrives ? arrivals.prompt : 0) >= mostInFlight) {
      metrics.shed.inc()
      return context.text(withReference(siteIsBusy), 503, { 'Retry-After': '2' })
    }
    let leave = arrives
      ? arrivals.begin(incoming, networkOf(addressOf(context)), {
          read() {
            leave = enter()
          },
          refuse: () => tooLate(incoming, context.env.outgoing),
        })
      : enter()
    try {
      await next()
    } finally {
      leave()
      const seconds = (performance.now() - started) / 1000
      const kind = path.startsWith('/api') ? 'api' : path.startsWith('/assets') ? 'static' : 'page'
      const { status } = context.res
      metrics.requests.observe({ kind, status: String(status) }, seconds)
      // A path is what anybody sends: somebody's card number may stand in it.
      if (kind !== 'static' && log.isLevelEnabled('debug'))
        log.debug({ method, path: redactPath(path), status, ms: Math.round(seconds * 1000) }, 'answered')
    }
    for (const name in safety) context.res.headers.set(name, safety[name] as string)
  })

  /** A request turned away unread: a person gets a page that says why, a program the words it can read. */
  const refuse = async (context: Context<Env>, status: number, plainly: () => Response): Promise<Response> => {
    const isPage = context.req.path.endsWith('.data') || /\btext\/html\b/.test(context.req.header('accept') ?? '')
    if (!parts.pages || context.req.path.startsWith('/api') || !isPage) return plainly()
    await refreshShell()
    return refusal(context, status)
  }

  // Of TRACE no page could be asked: a Request has none.
  app.use((context, next) => {
    if (methods.includes(context.req.method)) return next()
    return Promise.resolve(context.text('This address does not take this method.', 405, { Allow: methods.join(', ') }))
  })

  // The demo shows its mailbox to whoever asks: a name that another made to lead here (DNS rebinding) is not answered.
  if (config.mode === 'demo')
    app.use(async (context, next) => {
      // A request line may name a site of its own, and then counts before the header.
      if ([context.req.header('host'), new URL(context.req.url).host].every((host) => isOwnHost(host, ownOrigin)))
        return next()
      services.security.record('host.foreign')
      return context.text('This demo is not at this address. See PUBLIC_URL.', 421)
    })

  // A demo is told to be on localhost. On the same machine's other names every form would be another site's.
  if (config.mode === 'demo' && new URL(ownOrigin).hostname === 'localhost')
    app.use(async (context, next) => {
      const { method, path } = context.req
      const opens = (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(context.req.header('accept') ?? '')
      if (!opens || path.startsWith('/api/')) return next()
      const { hostname, port, pathname, search } = new URL(context.req.url)
      const here = (hostname === '127.0.0.1' || hostname === '[::1]') && port === new URL(ownOrigin).port
      return here ? context.redirect(`${ownOrigin}${pathname}${search}`, 307) : next()
    })

  // A write that a browser sends must come from one of our own pages (case 31).
  app.use(async (context, next) => {
    const { method } = context.req
    if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') {
      const origin = context.req.header('origin')
      const from = context.req.header('sec-fetch-site')
      if ((origin && origin !== ownOrigin) || from === 'cross-site' || from === 'same-site') {
        services.security.record('origin.foreign', { operation: redactPath(context.req.path).slice(0, 200) })
        return refuse(context, 403, () =>
          context.json({ error: { code: 'foreign_origin', message: 'This request came from another site.' } }, 403),
        )
      }
    }
    return next()
  })

  app.onError((error, context) => {
    if (error instanceof DatabaseUnavailable) {
      log.warn({ path: redactPath(context.req.path), why: error.message }, 'database unavailable')
      return context.text(withReference(recordsOutOfReach), 503, { 'Retry-After': '2' })
    }
    // Whoever hangs up in the middle of an upload is no failure of ours.
    if (!context.req.raw.signal.aborted) services.errors.report(error, { path: context.req.path })
    return context.req.path.startsWith('/api')
      ? context.json({ error: { code: 'internal', message: 'Internal server error, please try again.' } }, 500)
      : context.text(withReference(failedOnOurSide), 500)
  })

  // ── Health ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  app.get('/healthz', (context) => context.text('ok'))
  app.get('/readyz', async (context) =>
    (await parts.ready()) ? context.text('ready') : context.text('not ready', 503),
  )
  app.get('/metrics', async (context) => {
    // Figures of the business are nobody's but the operator's own machines'. A proxy on this machine calls from it too,
    // for whoever asked it: what came by way of one has its marks, or the site's own name.
    const hostname = new URL(context.req.url).hostname.replace(/\.$/, '')
    const byProxy = proxyMarks.some((name) => context.req.header(name) !== undefined)
    const byOurName = config.mode === 'production' && hostname === new URL(ownOrigin).hostname
    if (byProxy || byOurName || !isLoopback(socketAddressOf(context))) return context.text('not found', 404)
    return context.body(await metrics.registry.metrics(), 200, { 'Content-Type': metrics.registry.contentType })
  })

  // ── Static files ────────────────────────────────────────────────────────────────────────────────────────────────────

  if (parts.clientFolder) {
    const files = serveStatic({
      root: parts.clientFolder,
      precompressed: true,
      onFound: (path, context) => {
        context.header(
          'Cache-Control',
          /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=86400',
        )
      },
    })
    app.get('/assets/*', files)
    app.get('/fonts/*', files)
    app.get('/favicon.svg', files)
    app.get('/og.png', files)
  }
  app.get('/drawings/:name', (context) => {
    const svg = unitDrawing(context.req.param('name'))
    return svg === null
      ? context.text('not found', 404)
      : context.body(svg, 200, { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=604800' })
  })
  app.get('/favicon.ico', (context) => context.redirect('/favicon.svg', 301))
  app.get('/robots.txt', (context) =>
    context.text(
      `User-agent: *\n${['/api/', '/rent/', '/reservation/', '/card-return/', '/dev/'].map((path) => `Disallow: ${path}`).join('\n')}\nSitemap: ${config.publicUrl}/sitemap.xml\n`,
    ),
  )
  app.get('/sitemap.xml', async (context) =>
    context.body(await sitemap(services), 200, { 'Content-Type': 'application/xml; charset=utf-8' }),
  )

  // ── The operator's settings ────────────────────────────────────────────────────────────────────────────────────────────

  let version = 0
  let versionReadAt = Number.NEGATIVE_INFINITY
  let brand: BrandRecord
  let look = themeOf(brandFrom('{}'))
  let shown: { banner: string; maintenance: boolean }
  let photoOrigins: string[] = []
  /** Content version, brand and settings change rarely: asked for at most once a second by each process. */
  const shellIsFresh = (now: number) => now - versionReadAt < 1000 && now >= versionReadAt
  const refreshShell = async () => {
    const now = services.clock.now()
    if (shellIsFresh(now)) return
    const current = await currentContentVersion(services.db)
    if (current !== version || !brand) {
      ;[brand, shown, photoOrigins] = await Promise.all([
        brandOf(services),
        siteNotices(services),
        photoOriginsOf(services),
      ])
      look = themeOf(brand)
      version = current
    }
    versionReadAt = now
  }

  app.get('/look/:name', async (context) => {
    await refreshShell()
    const found = [look.sheet, look.logo].find((one) => one?.path === context.req.path)
    if (!found) return context.text('not found', 404)
    return context.body(found.body, 200, {
      'Content-Type': found.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      // A picture that is opened by itself runs nothing.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    })
  })

  // Whatever is registered before this is served meanwhile: health, static files, the operator's look.
  app.use(async (context, next) => {
    // Where the records cannot be reached the last that was read counts; whoever needs them says so.
    await refreshShell().catch(() => {})
    const { method, path } = context.req
    if (!shown?.maintenance || isServedInMaintenance(method, path)) return next()
    context.header('Retry-After', String(maintenanceRetrySeconds))
    context.header('Cache-Control', 'no-store')
    if (path.startsWith('/api/')) return answerRefusal(context, closedForMaintenance, notationOf(context))
    if (!parts.pages || path.endsWith('.data')) return context.text(MAINTENANCE, 503)
    const notice = new Request(`${ownOrigin}/refused`)
    const answer = await render(context, { plain: true, instead: notice, refused: 503 })
    answer.headers.set('Retry-After', String(maintenanceRetrySeconds))
    return answer
  })

  /** Forms of pages, read and counted. */
  const forms = new WeakMap<Request, Uint8Array<ArrayBuffer>>()

  // A page's form is read whole, so it must say how much it is. One with a file is read by its page, once it knows who sends it.
  app.use(async (context, next) => {
    const { path, method } = context.req
    if (path.startsWith('/api') || method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return next()
    const length = context.req.header('content-length')
    if (length === undefined && context.req.header('transfer-encoding') !== undefined)
      return refuse(context, 411, () => context.text(formWithoutLength, 411))
    const tooLarge = () => refuse(context, 413, () => context.text(formTooLarge, 413))
    const unread = () => refuse(context, 400, () => context.text(formUnreadable, 400))
    if (isMultipart(context.req.header('content-type'))) {
      if (!takesFile(path)) return refuse(context, 415, () => context.text(formUnreadable, 415))
      return Number(length ?? 0) > bodyLimits.multipart ? tooLarge() : next()
    }
    const read = await readBytes(context.req.raw, takesSignature(path) ? bodyLimits.document : bodyLimits.form)
    if (!read.ok) return read.fault === 'too_large' ? tooLarge() : unread()
    if (hasTooManyFields(read.bytes)) return unread()
    forms.set(context.req.raw, read.bytes)
    return next()
  })

  // ── Doors ───────────────────────────────────────────────────────────────────────────────────────────────────────────

  app.route(
    '/api',
    doors({
      services,
      callers,
      async grant(context, grants) {
        const session = await sessionOf(context)
        session.set(grants)
        for (const line of await session.cookies()) context.header('Set-Cookie', line, { append: true })
      },
    }),
  )

  // ── Pages ───────────────────────────────────────────────────────────────────────────────────────────────────────────

  const { pages } = parts
  if (!pages) return Object.assign(app, { quickly: () => false, requestsInFlight })

  /** The nearby card of an address, kept as long as a page is. */
  const nearbyKnown = new Map<string, { until: number; version: number; facilities: NearbyFacility[]; codes: string }>()
  const nearbyFresh = (address: string, now: number) => {
    const known = nearbyKnown.get(address)
    return known && known.until > now && known.version === version ? known : null
  }
  const nearbyTo = async (context: Context<Env>): Promise<NearbyFacility[]> => {
    const address = addressOf(context)
    const now = services.clock.now()
    const known = nearbyFresh(address, now)
    if (known) return known.facilities
    const point = await services.ipLocation
      .locate({ address, header: (name) => context.req.header(name) })
      // The card is a courtesy: without it the home page is the same (case 24).
      .catch((error: unknown) => {
        services.errors.report(error, { path: context.req.path, step: 'nearby' })
        return null
      })
    const facilities = point ? await nearbyCard(services, point) : []
    if (nearbyKnown.size >= 10_000) nearbyKnown.clear()
    nearbyKnown.set(address, { until: now + 2000, version, facilities, codes: codesOf(facilities) })
    return facilities
  }
  const codesOf = (facilities: NearbyFacility[]) => facilities.map((one) => one.locationCode).join(',')

  /** @param query with its question mark, '' for none; @param near what is personal about the home page */
  const pageKey = (path: string, query: string, near: string): string => {
    if (query === '') return `${path}?|${near}`
    const given = new URLSearchParams(query)
    const known = (knownKeys[path] ?? knownKeys['/storage-units'] ?? []).flatMap((key) =>
      given.getAll(key).map((value) => `${key}=${encodeURIComponent(value.slice(0, 120))}`),
    )
    return `${path}?${known.join('&')}|${near}`
  }
  const queryOf = (url: string) => (url.includes('?') ? url.slice(url.indexOf('?')) : '')

  /** An alert speaks to one visitor, so its page is made for that visitor alone. */
  const hasAlert = (cookie: string | undefined) =>
    cookie?.includes(alertCookie) === true && readCookies(cookie).has(cookieName(alertCookie, secure))

  /** Home page and unit list say to the browser that holds a unit where it goes on, so they are made for it alone. */
  const mayHoldUnit = (path: string, cookie: string | undefined) =>
    (path === '/' || /^\/storage-units(\/[^/]+){3}$/.test(path)) &&
    namesRental(cookie, parts.cookieKeys, secure, services.clock)
  const rentalOf = async (context: Context<Env>, path: string) => {
    if (!mayHoldUnit(path, context.req.header('cookie'))) return null
    const { draftId } = (await sessionOf(context)).ids
    if (draftId === undefined) return null
    // The strip is a courtesy: without it the page is the same.
    return rentalInProgress(services, draftId).catch((error: unknown) => {
      services.errors.report(error, { path, step: 'rental in progress' })
      return null
    })
  }

  /** The histogram's own part for a status: looked up by its labels it would cost a tenth of the page. */
  const answersByStatus = new Map<number, Histogram.Internal<'kind' | 'status'>>()
  const pageAnswers = (status: number) => {
    let part = answersByStatus.get(status)
    if (!part) {
      part = metrics.requests.labels({ kind: 'page', status: String(status) })
      answersByStatus.set(status, part)
    }
    return part
  }

  // Most visits end here: nothing is done on this way that a page in the cache does not need.
  const quickly = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = '', headers } = request
    if (method !== 'GET' && method !== 'HEAD') return false
    if (config.mode === 'demo' && !isOwnHost(headers.host, ownOrigin)) return false
    const query = queryOf(url)
    const path = query === '' ? url : url.slice(0, -query.length)
    // A path with escapes is the app's to read.
    if (!isPublicPage(path) || path.includes('%') || inFlight >= mostInFlight) return false
    const now = services.clock.now()
    if (!shellIsFresh(now) || shown.maintenance || hasAlert(headers.cookie) || mayHoldUnit(path, headers.cookie))
      return false
    let near = ''
    const remote = request.socket.remoteAddress ?? '127.0.0.1'
    if (path === '/') {
      const known = nearbyFresh(clientAddress(config, remote, headers['x-forwarded-for'] as string | undefined), now)
      if (!known) return false
      near = known.codes
    }
    const started = performance.now()
    const id = requestIdFor(config, remote, headers[requestIdHeader] as string | undefined)
    const status = cache.write(request, response, pageKey(path, query, near), version, now, [requestIdHeader, id])
    if (status === 0) return false
    pageAnswers(status).observe((performance.now() - started) / 1000)
    return true
  }

  const contentPolicy = (nonce: string) =>
    [
      "default-src 'self'",
      nonce ? `script-src 'nonce-${nonce}' 'strict-dynamic'` : "script-src 'inline-speculation-rules' 'self'",
      "style-src 'self'",
      ["img-src 'self' data: blob:", ...photoOrigins].join(' '),
      "font-src 'self'",
      "connect-src 'self'",
      // The check scanner's reader. A journey stays in one document, so any of its pages may come to it.
      ...(nonce ? ["worker-src 'self'"] : []),
      `frame-src 'self' ${services.cardProvider.pageOrigin}`,
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'self'",
    ].join('; ')

  /**
   * A form as if it had been sent to our own address. Behind a proxy it arrives by another scheme, often under another host,
   * and the router refuses a form whose Origin is not the address that it sees. Whose it is has been checked by then.
   */
  const underOwnAddress = (request: Request): Request => {
    const { method } = request
    if (method === 'GET' || method === 'HEAD') return request
    const { pathname, search } = new URL(request.url)
    const { headers, signal } = request
    const form = forms.get(request)
    // A form without fields has no body at all.
    const body = form ? (form.byteLength > 0 ? form : null) : request.body
    // 'duplex' is asked for by Node where a body is read from a stream, and unknown to the types.
    const sent: RequestInit & { duplex: 'half' } = { method, headers, body, signal, duplex: 'half' }
    return new Request(`${ownOrigin}${pathname}${search}`, sent)
  }

  interface Asked {
    /** The page carries no scripts. */
    plain?: boolean
    nearby?: NearbyFacility[]
    rental?: RentalInProgress | null
    /** In place of the request itself. */
    instead?: Request
    refused?: number
  }

  const render = async (
    context: Context<Env>,
    { plain = false, nearby = [], rental = null, instead = context.req.raw, refused = 0 }: Asked,
  ): Promise<Response> => {
    const session = await sessionOf(context)
    const nonce = plain ? '' : randomBytes(16).toString('base64')
    const asked = callersOfSession(session, () => callers(context))
    let hasFailed = false
    let databaseIsAway = false
    const site: RequestContext = {
      services,
      session,
      brand,
      look: { sheet: look.sheet?.path ?? '', logo: look.logo?.path ?? '' },
      demo: config.mode === 'demo',
      mailbox: config.mailbox,
      nonce,
      banner: shown.banner,
      inMaintenance: shown.maintenance,
      maintenance: refused === 503,
      alert: session.alert,
      refused,
      requestId: currentRequest()?.id ?? '',
      nearby,
      rental,
      callers: asked.callers,
      async call(operation, input) {
        const outcome = await perform(services, operation, input, await site.callers())
        if (outcome.ok && outcome.grants) {
          session.set(outcome.grants)
          asked.forget()
        }
        return outcome
      },
      failed(error, page) {
        hasFailed = true
        databaseIsAway ||= error instanceof DatabaseUnavailable
        if (error instanceof DatabaseUnavailable)
          log.warn({ path: redactPath(page), why: error.message }, 'database unavailable')
        else services.errors.report(error, { page })
      },
      alertNext: (code) => session.alertNext(code),
    }
    const router = new RouterContextProvider()
    router.set(requestContext, site)
    let answer = await pages(underOwnAddress(instead), router)
    // The router says 500 of all that is thrown; this passes by itself, and whoever comes back finds all as it was (case 21).
    if (databaseIsAway && answer.status === 500) {
      answer = new Response(answer.body, { status: 503, headers: answer.headers })
      answer.headers.set('Retry-After', '2')
    }
    // To a page's scripts the router says of a failure nothing at all; as text it reaches the error page.
    if (instead.url.includes('.data') && (hasFailed || answer.status === 405) && answer.status >= 400) {
      const said = databaseIsAway ? recordsOutOfReach : failedOnOurSide
      const { status, headers } = answer
      answer = new Response(withReference(said), { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
      for (const name of ['Retry-After', 'Allow'])
        if (headers.has(name)) answer.headers.set(name, headers.get(name) ?? '')
    }
    if (!answer.headers.has('Content-Security-Policy'))
      answer.headers.set('Content-Security-Policy', contentPolicy(nonce))
    if (!answer.headers.has('Cache-Control')) answer.headers.set('Cache-Control', 'no-store')
    for (const line of await session.cookies(refused !== 503 && saysAlert(answer)))
      answer.headers.append('Set-Cookie', line)
    return answer
  }

  const refusal = async (context: Context<Env>, status: number): Promise<Response> => {
    // Never the request itself, which no page may see. Scripts read the answer to a form of theirs; a document is read.
    const instead = context.req.path.endsWith('.data')
      ? new Request(`${ownOrigin}/refused.data`, { method: 'POST', body: new URLSearchParams() })
      : new Request(`${ownOrigin}/refused`)
    const answer = await render(context, { instead, refused: status })
    if (status === 405) answer.headers.set('Allow', 'GET, HEAD')
    return answer
  }

  app.all('*', async (context) => {
    await refreshShell()
    const { path, method } = context.req
    const reads = method === 'GET' || method === 'HEAD'
    if (!reads || !isPublicPage(path)) {
      const answer = await render(context, {})
      // The router knows which pages take a form, and has nothing to say to whoever sends one to another page.
      return answer.status === 405 && !path.endsWith('.data') ? refusal(context, 405) : answer
    }
    const nearby = path === '/' ? await nearbyTo(context) : []
    const rental = await rentalOf(context, path)
    if (rental || hasAlert(context.req.header('cookie'))) return render(context, { plain: true, nearby, rental })
    const key = pageKey(path, queryOf(context.req.url), codesOf(nearby))
    // The router answers HEAD without a body, and what is kept is given to whoever asks next for all of it.
    const instead = method === 'HEAD' ? new Request(context.req.url, { headers: context.req.raw.headers }) : undefined
    return cache.answer(context.req.raw, key, version, services.clock.now(), () =>
      render(context, { plain: true, nearby, instead }),
    )
  })

  return Object.assign(app, { quickly, requestsInFlight })
}
