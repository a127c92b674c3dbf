import { loadUpdatedAgreement } from '../../modules/agreements/updated-agreement.ts'
import { noFile } from '../request/file-not-found.ts'
import { pdfResponse } from '../request/pdf-response.ts'
import type { Route } from './+types/updated-agreement-pdf'
import { loadFactsAt, openPortalPage } from './open-portal-page.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openPortalPage(args, { without: 'home', beforeTerms: true })
  const { site, needsTerms: pendingLease } = page
  const facts = pendingLease && (await loadFactsAt(page, pendingLease.locationCode))
  const lease = facts && (await loadUpdatedAgreement(site.services, pendingLease, { facts, brand: site.brand }))
  if (!lease) throw noFile()
  return pdfResponse(await lease.pdf(), {
    name: `lease-${lease.unitNumber}-updated.pdf`,
    download: new URL(args.request.url).searchParams.has('download'),
    cache: 'private, no-store',
  })
}
