import { loadAgreementFile } from '../../modules/leases/views/signed-agreements.ts'
import { fileNotFoundResponse } from '../request/file-not-found.ts'
import { pdfResponse } from '../request/pdf-response.ts'
import type { Route } from './+types/agreement-file'
import { openPortalPage } from './open-portal-page.ts'

/** Serves a signed agreement as a PDF to its own tenant. */
export async function loader(args: Route.LoaderArgs) {
  const { request, params } = args
  const { site, account } = await openPortalPage(args, { beforeTerms: true, linkedOn: '/my-units' })
  const file = await loadAgreementFile(site.services, account, params.documentId)
  if (!file) throw fileNotFoundResponse()
  return pdfResponse(file.content, {
    name: file.name,
    download: new URL(request.url).searchParams.has('download'),
    cache: 'private, no-store',
  })
}
