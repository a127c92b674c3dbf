import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { isLoopback } from '../../ports/private-addresses.ts'
import { type Env, socketAddressOf, type WebContext, type WebServices } from './web-app-state-and-request-callers.ts'

const proxyHeaders = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Returns whether a request has the METRICS_TOKEN; false if none is set. */
function hasMetricsToken({ config }: Pick<WebServices, 'config'>, context: WebContext): boolean {
  const { token } = config.metrics
  const presented = /^Bearer (\S+)$/.exec(context.req.header('authorization') ?? '')?.[1]
  return token !== null && presented !== undefined && timingSafeEqual(digest(presented), digest(token))
}

async function answerReadiness(web: Health, context: WebContext, isDetailed: boolean): Promise<Response> {
  const problems = await web.ready(context.req.query('for') === 'pages')
  // The server is ready despite a caution: mails, charges and billing check for themselves whether they must wait.
  if (problems.length === 0) {
    const caution = isDetailed ? web.caution?.() : null
    return context.text(caution ? `ready\n${caution}` : 'ready')
  }
  return isDetailed ? context.json({ ready: false, problems }, 503) : context.text('not ready', 503)
}

const metricsResponse = async ({ metrics }: Health, context: WebContext) =>
  context.body(await metrics.text(), 200, { 'Content-Type': metrics.contentType })

type Health = Pick<WebServices, 'config' | 'metrics' | 'ready' | 'caution'>

/** Creates the app for METRICS_PORT, which serves only health and metrics. */
export function metricsApp(web: Health): Hono<Env> {
  const app = new Hono<Env>()
  app.get('/healthz', (context) => context.text('ok'))
  app.use((context, next) =>
    web.config.metrics.token === null || hasMetricsToken(web, context)
      ? next()
      : Promise.resolve(context.text('METRICS_TOKEN is missing', 401, { 'WWW-Authenticate': 'Bearer' })),
  )
  app.get('/readyz', (context) => answerReadiness(web, context, true))
  app.get('/metrics', (context) => metricsResponse(web, context))
  return app
}

/** Adds the health checks, and the metrics if they have no port of their own. */
export function healthRoutes(app: Hono<Env>, web: WebServices): void {
  const { config, ownOrigin } = web
  app.get('/healthz', (context) => context.text('ok'))
  /**
   * Returns whether a program on this machine calls, or one with the METRICS_TOKEN. A local proxy also calls from
   * loopback, so requests with proxy headers or, in production, under the site's name do not count.
   */
  const isOperator = (context: WebContext): boolean => {
    const hostname = new URL(context.req.url).hostname.replace(/\.$/, '')
    const byProxy = proxyHeaders.some((name) => context.req.header(name) !== undefined)
    const byOurName = config.mode === 'production' && hostname === new URL(ownOrigin).hostname
    return !byProxy && !byOurName && (isLoopback(socketAddressOf(context)) || hasMetricsToken(web, context))
  }
  app.get('/readyz', (context) => answerReadiness(web, context, isOperator(context)))
  app.get(
    '/metrics',
    async (context): Promise<Response> =>
      config.metrics.port === null && isOperator(context)
        ? metricsResponse(web, context)
        : context.text('not found', 404),
  )
}
