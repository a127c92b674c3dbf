import type { IncomingMessage, ServerResponse } from 'node:http'
import { loadRentalInProgress, type RentalInProgress } from '../../modules/reservations/views/rental-in-progress.ts'
import { clientAddress } from '../config/client-address.ts'
import { statusClass } from '../metrics.ts'
import { isCacheable, mayHoldUnit, pageKey } from './page-cache-keys.ts'
import { requestHeader } from './read-request-header.ts'
import { requestIdFor, requestIdHeader, traceHeader } from './request-id.ts'
import { tracePage } from './request-span.ts'
import { sessionOf, type WebContext, type WebServices } from './web-app-state-and-request-callers.ts'

/** Returns a URL's query with its question mark; '' without one. */
export const queryOf = (url: string) => (url.includes('?') ? url.slice(url.indexOf('?')) : '')

/**
 * Loads the visitor's rental in progress, to which a link on the page leads; null on pages without the link, without a
 * rental, or if it cannot be read.
 */
export async function loadVisitorRental(web: WebServices, context: WebContext): Promise<RentalInProgress | null> {
  const { path } = context.req
  if (!mayHoldUnit(web, path, context.req.header('cookie'))) return null
  const { draftId } = (await sessionOf(web, context)).ids
  if (draftId === undefined) return null
  // The link to the rental is optional.
  return loadRentalInProgress(web.services, draftId).catch((error: unknown) => {
    web.services.errors.report(error, { path, step: 'rental in progress' })
    return null
  })
}

/**
 * Returns a handler that answers public pages from the cache. The handler returns false, with nothing written, if the
 * app must answer.
 */
export function cachedPages(web: WebServices): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { config, settings, metrics } = web
  return (request, response) => {
    const { url = '', headers } = request
    const now = web.services.clock.now()
    const query = queryOf(url)
    const path = query === '' ? url : url.slice(0, -query.length)
    if (!isCacheable(web, request, path, now)) return false
    const remote = request.socket.remoteAddress ?? '127.0.0.1'
    const address = () => clientAddress(config, remote, requestHeader(headers, 'x-forwarded-for'))
    const nearby = path === '/' ? web.nearby.cached(address(), now)?.codes : ''
    if (nearby === undefined) return false
    const started = performance.now()
    const bytesBefore = request.socket.bytesWritten
    const tracingHeaders = {
      id: requestHeader(headers, requestIdHeader),
      trace: requestHeader(headers, traceHeader),
    }
    const id = requestIdFor(config, remote, tracingHeaders)
    const key = pageKey(path, query, nearby)
    const status = web.cache.write(request, response, key, settings.version, now, [requestIdHeader, id])
    if (status === 0) return false
    const ms = performance.now() - started
    metrics.requests.labels({ kind: 'page', status: statusClass(status) }).observe(ms / 1000)
    tracePage(web, { method: request.method ?? '', path, status, id, remote, headers })
    if (web.accessLog) {
      const bytes = request.socket.bytesWritten - bytesBefore
      web.accessLog.write({ id, address: address() }, request.method ?? '', path, {
        status,
        ms: Math.round(ms * 10) / 10,
        bytes,
      })
    }
    return true
  }
}
