/** Traces requests: a span has the route pattern, status and request id, and continues the trace of a trusted proxy. */

import type { IncomingHttpHeaders } from 'node:http'
import { inSpan, isTracing, type SpanDetails, STATUS_ERROR } from '../../ports/tracing.ts'
import { isTrustedProxy } from '../config/client-address.ts'
import type { Config } from '../config/config.ts'
import { requestHeader } from './read-request-header.ts'
import { isProbe, routeOf } from './route-patterns.ts'
import { socketAddressOf, type WebContext, type WebServices } from './web-app-state-and-request-callers.ts'

type Header = (name: string) => string | undefined

function detailsOf(config: Pick<Config, 'trustProxy'>, remote: string, header: Header, id: string): SpanDetails {
  const traceNames = isTrustedProxy(config, remote) ? ['traceparent', 'tracestate'] : []
  const from = traceNames.map((name) => [name, header(name) ?? '']).filter(([, text]) => text !== '')
  return { kind: 'server', from: Object.fromEntries(from), attributes: { 'latchkey.request_id': id } }
}

const answerOf = (method: string, route: string, status: number) => ({
  'http.request.method': method,
  'http.route': route,
  'http.response.status_code': status,
})

/** Traces a request that the app answers. */
export function traceRequest(
  { config, patternOf }: WebServices,
  context: WebContext,
  id: string,
  work: () => Promise<void>,
): Promise<void> {
  if (!isTracing() || isProbe(context.req.path)) return work()
  const { method } = context.req
  const details = detailsOf(config, socketAddressOf(context), (name) => context.req.header(name), id)
  return inSpan(method, details, async (span) => {
    await work()
    const route = routeOf(context, patternOf)
    span?.updateName(`${method} ${route}`)
    span?.setAttributes(answerOf(method, route, context.res.status))
    if (context.res.status >= 500) span?.setStatus({ code: STATUS_ERROR })
  })
}

/** Traces a page that `cachedPages` answered from the cache, without the app. */
export function tracePage(
  { config, patternOf }: WebServices,
  {
    method,
    path,
    status,
    id,
    remote,
    headers,
  }: Record<'method' | 'path' | 'id' | 'remote', string> & {
    status: number
    headers: IncomingHttpHeaders
  },
): void {
  if (!isTracing()) return
  const route = patternOf?.(path) ?? '*'
  const details = detailsOf(config, remote, (name) => requestHeader(headers, name), id)
  inSpan(`${method} ${route}`, details, (span) => void span?.setAttributes(answerOf(method, route, status)))
}
