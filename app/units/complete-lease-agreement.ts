import { currentLease } from '../../paying/current-lease.ts'
import { leaseNeedingTerms } from '../../storage-system/tenants.ts'
import { pdfResponse } from '../move-in/pdf-response.ts'
import { openTenantPage } from '../tenant.ts'
import type { Route } from './+types/complete-lease-agreement'

/** The agreement with the updated terms, of the lease that has to be accepted, as a PDF. */
export async function loader(args: Route.LoaderArgs) {
  const { site, account } = await openTenantPage(args, { without: 'home', beforeTerms: true })
  const needing = await leaseNeedingTerms(site.house, account)
  const lease = needing && (await currentLease(site.house, needing))
  if (!lease) throw new Response('Not found', { status: 404 })
  return pdfResponse(await lease.pdf(), {
    name: `lease-${lease.unitNumber}-updated.pdf`,
    download: new URL(args.request.url).searchParams.has('download'),
    cache: 'private, no-store',
  })
}
