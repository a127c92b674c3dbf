import type { MiddlewareHandler } from 'hono'
import { answerRefusal, notationOf } from '../../api/routes.ts'
import { MAINTENANCE } from '../../app/is-maintenance-error.ts'
import { outcomePages } from '../../app/pay/payer-page-addresses.ts'
import { refuse } from '../../platform/operations/outcome.ts'
import { isOfficePath } from './office-and-api-paths.ts'
import { render } from './render.ts'
import type { Env, WebServices } from './web-app-state-and-request-callers.ts'

const maintenanceRetrySeconds = 60

const closedForMaintenance = refuse(503, 'maintenance', 'The site is closed for maintenance. Please try again later.', {
  retryAfter: maintenanceRetrySeconds,
})

/** Pages to which payers return; served during maintenance, so that started payments finish. */
const returnPages = new Set([...outcomePages, '/rental-completed'])

/**
 * Returns whether a request is served during maintenance: the office, gates, the public settings, receipts, and what
 * finishes a started payment.
 */
export function isServedInMaintenance(method: string, path: string): boolean {
  const page = path.replace(/\.data$/, '')
  if (isOfficePath(path) || path.startsWith('/card-return/')) return true
  // The office works during maintenance, so the gates must follow it.
  if (path.startsWith('/api/gate/')) return true
  if (method !== 'GET' && method !== 'HEAD') return false
  return /^\/api\/settings\/?$/.test(path) || page.startsWith('/receipt/') || returnPages.has(page)
}

/** Middleware that answers 503 during maintenance, except for `isServedInMaintenance`. */
export function blockDuringMaintenance(web: WebServices): MiddlewareHandler<Env> {
  return async (context, next) => {
    // Without the database the last known settings apply.
    await web.settings.refresh().catch(() => {})
    const { method, path } = context.req
    if (!web.settings.notices?.maintenance || isServedInMaintenance(method, path)) return next()
    context.header('Retry-After', String(maintenanceRetrySeconds))
    context.header('Cache-Control', 'no-store')
    if (path.startsWith('/api/')) return answerRefusal(context, closedForMaintenance, notationOf(context))
    if (!web.pages || path.endsWith('.data')) return context.text(MAINTENANCE, 503)
    const notice = new Request(`${web.ownOrigin}/refused`)
    const answer = await render(web, context, { plain: true, instead: notice, refused: 503 })
    answer.headers.set('Retry-After', String(maintenanceRetrySeconds))
    return answer
  }
}
