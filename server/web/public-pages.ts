import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse } from 'hono/utils/cookie'
import type { Histogram } from 'prom-client'
import { isSitePage, sitePageNames } from '../../modules/facilities/rules/site-pages.ts'
import { storableNames } from '../../modules/facilities/rules/size-calculator.ts'
import { type RentalInProgress, rentalInProgress } from '../../modules/reservations/resumed-rentals.ts'
import { clientAddress } from '../config/client-address.ts'
import { statusClass } from '../metrics.ts'
import { requestIdFor, requestIdHeader, traceHeader } from './request-id.ts'
import { tracePage } from './request-span.ts'
import { isOwnHost } from './same-origin.ts'
import { alertCookie, cookieName, namesRental } from './session.ts'
import { sessionOf, type WebContext, type WebServices } from './web-services.ts'

export const isPublicPage = (path: string) =>
  path === '/' || /^\/(search|size-guide|storage-units(\/.*)?)$/.test(path) || isSitePage(path.slice(1))

const knownKeys: Record<string, readonly string[]> = {
  '/': [],
  '/search': ['q', 'lat', 'lng', 'miles', 'size', 'sort'],
  '/size-guide': [...storableNames, 'boxes', 'near'],
  ...Object.fromEntries(sitePageNames.map((name) => [`/${name}`, []])),
  '/storage-units': ['size', 'feature', 'sort'],
}

/** Returns a page's cache key. @param query with its question mark @param nearby codes of the facilities on the home page */
export function pageKey(path: string, query: string, nearby: string): string {
  if (query === '') return `${path}?|${nearby}`
  const params = new URLSearchParams(query)
  const pairs = (knownKeys[path] ?? knownKeys['/storage-units'] ?? []).flatMap((key) =>
    params.getAll(key).map((value) => `${key}=${encodeURIComponent(value.slice(0, 120))}`),
  )
  return `${path}?${pairs.join('&')}|${nearby}`
}

export const queryOf = (url: string) => (url.includes('?') ? url.slice(url.indexOf('?')) : '')

/** Returns whether an alert waits for the visitor, whose page is then not cached. */
export const hasAlert = ({ secure }: WebServices, cookie: string | undefined) =>
  cookie?.includes(alertCookie) === true && cookieName(alertCookie, secure) in parse(cookie)

/** Returns whether the page may link to the visitor's own rental. */
const mayHoldUnit = ({ cookieKeys, secure, services }: WebServices, path: string, cookie: string | undefined) =>
  (path === '/' || /^\/storage-units(\/[^/]+){3}$/.test(path)) &&
  namesRental(cookie, cookieKeys, secure, services.clock)

export async function rentalOf(web: WebServices, context: WebContext): Promise<RentalInProgress | null> {
  const { path } = context.req
  if (!mayHoldUnit(web, path, context.req.header('cookie'))) return null
  const { draftId } = (await sessionOf(web, context)).ids
  if (draftId === undefined) return null
  // The link to the rental is optional.
  return rentalInProgress(web.services, draftId).catch((error: unknown) => {
    web.services.errors.report(error, { path, step: 'rental in progress' })
    return null
  })
}

/** Returns a handler that answers public pages from the cache. The handler returns false, with nothing written, if the app must answer. */
export function cachedPages(web: WebServices): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { config, settings, metrics } = web
  // Looking up a histogram by labels would take a tenth of the page's time.
  const measured = new Map<number, Histogram.Internal<'kind' | 'status'>>()
  const histogramOf = (status: number) => {
    const part = measured.get(status) ?? metrics.requests.labels({ kind: 'page', status: statusClass(status) })
    measured.set(status, part)
    return part
  }
  return (request, response) => {
    const { url = '', headers } = request
    const now = web.services.clock.now()
    const query = queryOf(url)
    const path = query === '' ? url : url.slice(0, -query.length)
    if (!isCacheable(web, request, path, now)) return false
    const remote = request.socket.remoteAddress ?? '127.0.0.1'
    const address = () => clientAddress(config, remote, headers['x-forwarded-for'] as string | undefined)
    const nearby = path === '/' ? web.nearby.cached(address(), now)?.codes : ''
    if (nearby === undefined) return false
    const started = performance.now()
    const before = request.socket.bytesWritten
    const given = {
      id: headers[requestIdHeader] as string | undefined,
      trace: headers[traceHeader] as string | undefined,
    }
    const id = requestIdFor(config, remote, given)
    const key = pageKey(path, query, nearby)
    const status = web.cache.write(request, response, key, settings.version, now, [requestIdHeader, id])
    if (status === 0) return false
    const ms = performance.now() - started
    histogramOf(status).observe(ms / 1000)
    tracePage(web, { method: request.method ?? '', path, status, id, remote, headers })
    if (web.accessLog) {
      const bytes = request.socket.bytesWritten - before
      web.accessLog.write({ id, address: address() }, request.method ?? '', path, {
        status,
        ms: Math.round(ms * 10) / 10,
        bytes,
      })
    }
    return true
  }
}

/** Returns whether the request gets the same page as any other visitor's. */
function isCacheable(web: WebServices, { method, headers }: IncomingMessage, path: string, now: number): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (web.config.mode === 'demo' && !isOwnHost(headers.host, web.ownOrigin)) return false
  // Paths with escapes are left to the app, which decodes them.
  if (!isPublicPage(path) || path.includes('%') || web.inFlight.isFull()) return false
  if (!web.settings.isFresh(now) || web.settings.notices?.maintenance) return false
  return !hasAlert(web, headers.cookie) && !mayHoldUnit(web, path, headers.cookie)
}
