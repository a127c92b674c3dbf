import type { Route } from './+types/payment-history-file'
import { openPortalPage } from './open-portal-page.ts'
import { historyCsv, historyOf } from './payment-history.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openPortalPage(args, { linkedOn: '/recent-activity' })
  return new Response(historyCsv(await historyOf(page)), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="payments-${page.here.locationCode.toLowerCase()}.csv"`,
      'Cache-Control': 'private, no-store',
    },
  })
}
