/** Decides which pages are cached, and under which keys. */
import type { IncomingMessage } from 'node:http'
import { parse } from 'hono/utils/cookie'
import { isSitePage, sitePageNames } from '../../modules/facilities/rules/operator-text-pages.ts'
import { itemNames } from '../../modules/facilities/rules/size-calculator.ts'
import { isOwnHost } from './same-origin.ts'
import { alertCookie, cookieName, hasRentalInCookie } from './session.ts'
import type { WebServices } from './web-app-state-and-request-callers.ts'

/** Returns whether a path is a public page, which may be cached under its `pageKey`. */
export const isPublicPage = (path: string) =>
  path === '/' || /^\/(search|size-guide|storage-units(\/.*)?)$/.test(path) || isSitePage(path.slice(1))

/** Query parameters that change a cached page, by path. A path that is not listed has those of '/storage-units'. */
const queryKeys: Record<string, readonly string[]> = {
  '/': [],
  '/search': ['q', 'lat', 'lng', 'miles', 'size', 'sort'],
  '/size-guide': [...itemNames, 'boxes', 'near'],
  ...Object.fromEntries(sitePageNames.map((name) => [`/${name}`, []])),
  '/storage-units': ['size', 'feature', 'sort'],
}

/**
 * Returns a page's cache key.
 * @param query with its question mark
 * @param nearby codes of the nearby facilities that the home page shows; '' for other pages
 */
export function pageKey(path: string, query: string, nearby: string): string {
  if (query === '') return `${path}?|${nearby}`
  const params = new URLSearchParams(query)
  const pairs = (queryKeys[path] ?? queryKeys['/storage-units'] ?? []).flatMap((key) =>
    params.getAll(key).map((value) => `${key}=${encodeURIComponent(value.slice(0, 120))}`),
  )
  return `${path}?${pairs.join('&')}|${nearby}`
}

/** Returns whether an alert waits for the visitor, whose page is then not cached. */
export const hasAlert = ({ secure }: WebServices, cookie: string | undefined) =>
  cookie?.includes(alertCookie) === true && cookieName(alertCookie, secure) in parse(cookie)

/** Returns whether the page may link to the visitor's own rental. */
export const mayHoldUnit = ({ cookieKeys, secure, services }: WebServices, path: string, cookie: string | undefined) =>
  (path === '/' || /^\/storage-units(\/[^/]+){3}$/.test(path)) &&
  hasRentalInCookie(cookie, cookieKeys, secure, services.clock)

/** Returns whether a request may be answered from the cache. */
export function isCacheable(
  web: WebServices,
  { method, headers }: IncomingMessage,
  path: string,
  now: number,
): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (web.config.mode === 'demo' && !isOwnHost(headers.host, web.ownOrigin)) return false
  // Paths with escapes are left to the app, which decodes them.
  if (!isPublicPage(path) || path.includes('%') || web.inFlight.isFull()) return false
  if (!web.settings.isFresh(now) || web.settings.notices?.maintenance) return false
  return !hasAlert(web, headers.cookie) && !mayHoldUnit(web, path, headers.cookie)
}
