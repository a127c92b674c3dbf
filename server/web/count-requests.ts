import type { MiddlewareHandler } from 'hono'
import { siteIsBusy } from '../../domain/texts/site.ts'
import { type RequestOrigin, underRequest } from '../../platform/current-request.ts'
import { networkOf } from '../../platform/network.ts'
import { tooLate } from '../listening.ts'
import { statusClass } from '../metrics.ts'
import { withReference } from './errors.ts'
import { SlowBodies } from './in-flight.ts'
import { isOfficePath } from './office-session.ts'
import { requestIdFor, requestIdHeader, traceHeader } from './request-id.ts'
import { traceRequest } from './request-span.ts'
import { holdsKey, isProbe, routeOf } from './route-patterns.ts'
import { addressOf, type Env, socketAddressOf, type WebContext, type WebServices } from './web-services.ts'

export function identifyRequest(web: WebServices): MiddlewareHandler<Env> {
  return (context, next) => {
    const given = { id: context.req.header(requestIdHeader), trace: context.req.header(traceHeader) }
    const id = requestIdFor(web.config, socketAddressOf(context), given)
    const origin: RequestOrigin = { id, address: addressOf(web, context) }
    const line = web.accessLog?.watch(origin, context)
    return underRequest(origin, async () => {
      await traceRequest(web, context, id, next)
      context.res.headers.set(requestIdHeader, id)
      line?.answered()
    })
  }
}

export function countRequests(web: WebServices): MiddlewareHandler<Env> {
  const { inFlight, metrics } = web
  return async (context, next) => {
    const { path } = context.req
    if (isProbe(path)) return next()
    const started = performance.now()
    // Before any await, so that a burst is counted.
    const incoming = context.env?.incoming
    const hasBody = incoming !== undefined && SlowBodies.brings(incoming)
    if (inFlight.isFull(hasBody)) {
      metrics.shed.inc()
      return context.text(withReference(siteIsBusy), 503, { 'Retry-After': '2' })
    }
    let leave = hasBody
      ? inFlight.slowBodies.begin(incoming, networkOf(addressOf(web, context)), {
          read() {
            leave = inFlight.enter()
          },
          refuse: () => tooLate(incoming, context.env.outgoing),
        })
      : inFlight.enter()
    try {
      await next()
    } finally {
      leave()
      measure(web, context, (performance.now() - started) / 1000)
    }
    for (const name in web.headers) context.res.headers.set(name, web.headers[name] as string)
    if (isOfficePath(context.req.path)) context.res.headers.set('x-frame-options', 'DENY')
    if (holdsKey(routeOf(context, web.patternOf), new URL(context.req.url).searchParams))
      context.res.headers.set('referrer-policy', 'no-referrer')
  }
}

function measure({ metrics }: WebServices, context: WebContext, seconds: number): void {
  const { path } = context.req
  const kind = path.startsWith('/api') ? 'api' : path.startsWith('/assets') ? 'static' : 'page'
  metrics.requests.observe({ kind, status: statusClass(context.res.status) }, seconds)
}
