/** What is answered while the setting `maintenance` is on; everything else is 503 with the notice. */
import type { MiddlewareHandler } from 'hono'
import { answerRefusal, notationOf } from '../../api/routes.ts'
import { MAINTENANCE } from '../../app/maintenance.tsx'
import { outcomePages } from '../../app/pay/payers.ts'
import { refuse } from '../../platform/operations/outcome.ts'
import { render } from './render.ts'
import type { Env, WebServices } from './web-services.ts'

/** Seconds after which a program may try again. */
const maintenanceRetrySeconds = 60

const closedForMaintenance = refuse(503, 'maintenance', 'The site is closed for maintenance. Please try again later.', {
  retryAfter: maintenanceRetrySeconds,
})

/** A payment that is under way is settled there, and its payer sees what came of it. */
const returns = new Set([...outcomePages, '/rental-completed'])

export function isServedInMaintenance(method: string, path: string): boolean {
  const page = path.replace(/\.data$/, '')
  if (/^\/office(\/|$)/.test(page)) return true
  if (method !== 'GET' && method !== 'HEAD') return false
  return (
    /^\/api\/settings\/?$/.test(path) ||
    path.startsWith('/card-return/') ||
    page.startsWith('/receipt/') ||
    returns.has(page)
  )
}

/** Answers the notice in place of all that is not served during maintenance. */
export function maintenanceNotice(web: WebServices): MiddlewareHandler<Env> {
  return async (context, next) => {
    // With the database unavailable the last settings count; what needs the database says so itself.
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
