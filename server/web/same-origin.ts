import { isIP } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import { answerWithErrorPage } from './render.ts'
import { routeOf } from './route-patterns.ts'
import type { Env, WebServices } from './web-app-state-and-request-callers.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Middleware that answers 405 for methods that the site never takes. */
export const refuseUnknownMethods: MiddlewareHandler<Env> = (context, next) => {
  if (methods.includes(context.req.method)) return next()
  return Promise.resolve(context.text('This address does not take this method.', 405, { Allow: methods.join(', ') }))
}

/**
 * Returns whether a Host header names the site, localhost or any IP address, which cannot be rebound. Also true without
 * the header, which only clients other than browsers omit.
 */
export function isOwnHost(host: string | undefined, ownOrigin: string): boolean {
  if (host === undefined || ownOrigin.endsWith(`//${host}`)) return true
  const hostname = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '')
  if (!hostname) return false
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 ||
    hostname === new URL(ownOrigin).hostname
  )
}

/** Middleware against DNS rebinding, since the demo shows its mailbox to every visitor. */
export function refuseForeignHosts({ services, ownOrigin }: WebServices): MiddlewareHandler<Env> {
  return async (context, next) => {
    // An absolute URL in the request line overrides the header.
    if ([context.req.header('host'), new URL(context.req.url).host].every((host) => isOwnHost(host, ownOrigin)))
      return next()
    services.security.record('host.foreign')
    return context.text('This demo is not at this address. See PUBLIC_URL.', 421)
  }
}

/** Middleware that redirects pages at 127.0.0.1 or [::1] to localhost, since their forms would be cross-site. */
export function redirectToLocalhost({ ownOrigin }: WebServices): MiddlewareHandler<Env> {
  return async (context, next) => {
    const { method, path } = context.req
    const opensPage =
      (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(context.req.header('accept') ?? '')
    if (!opensPage || path.startsWith('/api/')) return next()
    const { hostname, port, pathname, search } = new URL(context.req.url)
    const isThisMachine = (hostname === '127.0.0.1' || hostname === '[::1]') && port === new URL(ownOrigin).port
    return isThisMachine ? context.redirect(`${ownOrigin}${pathname}${search}`, 307) : next()
  }
}

/** Middleware that refuses writes that a browser sends from another site's page. */
export function refuseCrossSiteWrites(web: WebServices): MiddlewareHandler<Env> {
  return async (context, next) => {
    const { method } = context.req
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return next()
    const origin = context.req.header('origin')
    const fetchSite = context.req.header('sec-fetch-site')
    // A page with the policy no-referrer sends the origin 'null'; Sec-Fetch-Site decides then.
    const isOwn = !origin || origin === web.ownOrigin || (origin === 'null' && fetchSite === 'same-origin')
    if (isOwn && fetchSite !== 'cross-site' && fetchSite !== 'same-site') return next()
    web.services.security.record('origin.foreign', { operation: routeOf(context, web.patternOf) })
    return answerWithErrorPage(web, context, 403, () =>
      context.json({ error: { code: 'foreign_origin', message: 'This request came from another site.' } }, 403),
    )
  }
}
