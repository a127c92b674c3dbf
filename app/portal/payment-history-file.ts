import { csvResponse } from '../request/csv-response.ts'
import type { Route } from './+types/payment-history-file'
import { historyCsv, loadHistory } from './load-payment-history.ts'
import { openPortalPage } from './open-portal-page.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openPortalPage(args, { linkedOn: '/recent-activity' })
  return csvResponse(historyCsv(await loadHistory(page)), `payments-${page.tenantInView.locationCode.toLowerCase()}`)
}
