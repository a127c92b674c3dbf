/** What is answered while the setting `maintenance` is on; everything else is 503 with the notice. */
import { outcomePages } from '../../app/pay/payers.ts'
import { refuse } from '../../platform/operations/outcome.ts'

/** Seconds after which a program may try again. */
export const maintenanceRetrySeconds = 60

export const closedForMaintenance = refuse(
  503,
  'maintenance',
  'The site is closed for maintenance. Please try again later.',
  {
    retryAfter: maintenanceRetrySeconds,
  },
)

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
