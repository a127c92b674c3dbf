import { loadUpdatedAgreementPdf } from '../../modules/agreements/views/updated-agreement.ts'
import { fileNotFoundResponse } from '../request/file-not-found.ts'
import { pdfResponse } from '../request/pdf-response.ts'
import type { Route } from './+types/updated-agreement-pdf'
import { openPortalPage } from './open-portal-page.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openPortalPage(args, { without: 'home', beforeTerms: true })
  const { site, facts, needsTerms: pendingLease } = page
  const agreement = pendingLease && (await loadUpdatedAgreementPdf(site.services, pendingLease, facts, site.brand))
  if (!agreement) throw fileNotFoundResponse()
  return pdfResponse(agreement.content, {
    name: `lease-${agreement.unitNumber}-updated.pdf`,
    download: new URL(args.request.url).searchParams.has('download'),
    cache: 'private, no-store',
  })
}
