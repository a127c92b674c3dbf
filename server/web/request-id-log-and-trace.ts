import type { MiddlewareHandler } from 'hono'
import { type RequestOrigin, runWithinRequest } from '../../platform/current-request.ts'
import { requestIdFor, requestIdHeader, traceHeader } from './request-id.ts'
import { traceRequest } from './request-span.ts'
import { addressOf, type Env, socketAddressOf, type WebServices } from './web-app-state-and-request-callers.ts'

/** Middleware that gives each request its id, access log line and trace. */
export function logAndTraceRequest(web: WebServices): MiddlewareHandler<Env> {
  return (context, next) => {
    const tracingHeaders = { id: context.req.header(requestIdHeader), trace: context.req.header(traceHeader) }
    const id = requestIdFor(web.config, socketAddressOf(context), tracingHeaders)
    const origin: RequestOrigin = { id, address: addressOf(web, context) }
    const logEntry = web.accessLog?.watch(origin, context)
    return runWithinRequest(origin, async () => {
      await traceRequest(web, context, id, next)
      context.res.headers.set(requestIdHeader, id)
      logEntry?.answered()
    })
  }
}
