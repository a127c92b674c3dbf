import type { Hono } from 'hono'
import { isLoopback } from '../../platform/network.ts'
import { type Env, socketAddressOf, type WebContext, type WebServices } from './web-services.ts'

const proxyMarks = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

export function healthRoutes(app: Hono<Env>, { config, metrics, ownOrigin, ready }: WebServices): void {
  app.get('/healthz', (context) => context.text('ok'))
  /** For the operator's own machines. A local proxy calls from loopback too, so its headers and the site's name are refused. */
  const isOperators = (context: WebContext): boolean => {
    const hostname = new URL(context.req.url).hostname.replace(/\.$/, '')
    const byProxy = proxyMarks.some((name) => context.req.header(name) !== undefined)
    const byOurName = config.mode === 'production' && hostname === new URL(ownOrigin).hostname
    return !byProxy && !byOurName && isLoopback(socketAddressOf(context))
  }
  app.get('/readyz', async (context) => {
    const problems = await ready()
    if (problems.length === 0) return context.text('ready')
    return isOperators(context) ? context.json({ ready: false, problems }, 503) : context.text('not ready', 503)
  })
  app.get('/metrics', async (context) => {
    if (!isOperators(context)) return context.text('not found', 404)
    return context.body(await metrics.registry.metrics(), 200, { 'Content-Type': metrics.registry.contentType })
  })
}
