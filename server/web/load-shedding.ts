import type { MiddlewareHandler } from 'hono'
import { siteIsBusy } from '../../domain/texts/general-errors.ts'
import { networkOf } from '../../platform/network-of-address.ts'
import { isPrivateAddress } from '../../ports/private-addresses.ts'
import { refuseLateRequest } from '../http-server.ts'
import { statusClass } from '../metrics.ts'
import { withReference } from './errors.ts'
import { isApiPath, isOfficePath } from './office-and-api-paths.ts'
import { announcesBody } from './read-request-header.ts'
import { hasSecretInAddress, isProbe, routeOf } from './route-patterns.ts'
import { addressOf, type Env, type WebContext, type WebServices } from './web-app-state-and-request-callers.ts'

/** Returns whether a path belongs to a payment or the office, which have reserved capacity when the site is full. */
const isReserved = (path: string): boolean =>
  isOfficePath(path) ||
  /^\/(payment-method|process-payment|confirm-rental-payment|card-return|online-payment|checkout-completed|pay-for-units|guest|auction-winner|past-due-payment|p|api\/paygateway)(?=$|[-/.])/.test(
    path,
  )

/**
 * Middleware that answers 503 when too many requests are in progress. It measures the admitted ones, and adds the
 * security headers to their responses. Probes (`isProbe`) pass unlimited and unmeasured.
 */
export function limitRequests(web: WebServices): MiddlewareHandler<Env> {
  const { inFlight, metrics } = web
  return async (context, next) => {
    const { path } = context.req
    if (isProbe(path)) return next()
    const started = performance.now()
    // The request is counted before any await, so that bursts are limited.
    const incoming = context.env?.incoming
    const hasBody = incoming !== undefined && announcesBody(incoming)
    const address = addressOf(web, context)
    // Behind a proxy that TRUST_PROXY does not cover, all visitors have one private address.
    const network = isPrivateAddress(address) ? null : networkOf(address)
    const release = inFlight.admit(network, { hasBody, isReserved: isReserved(path) })
    if (!release) {
      metrics.shed.inc()
      return context.text(withReference(siteIsBusy), 503, { 'Retry-After': '2' })
    }
    let leave = hasBody
      ? inFlight.slowBodies.begin(incoming, network, {
          read() {
            leave = inFlight.enter()
          },
          refuse: () => refuseLateRequest(incoming, context.env.outgoing),
        })
      : inFlight.enter()
    try {
      await next()
    } finally {
      leave()
      release()
      measure(web, context, (performance.now() - started) / 1000)
    }
    setHeaders(web, context)
  }
}

function setHeaders({ headers, patternOf }: WebServices, context: WebContext): void {
  for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value)
  if (isOfficePath(context.req.path)) context.res.headers.set('x-frame-options', 'DENY')
  if (hasSecretInAddress(routeOf(context, patternOf), new URL(context.req.url).searchParams))
    context.res.headers.set('referrer-policy', 'no-referrer')
}

function measure({ metrics }: WebServices, context: WebContext, seconds: number): void {
  const { path } = context.req
  const kind = isApiPath(path) ? 'api' : path.startsWith('/assets') ? 'static' : 'page'
  metrics.requests.observe({ kind, status: statusClass(context.res.status) }, seconds)
}
