import { officeNotFound } from '../../domain/texts/office-refusals.ts'
import { OpenTenantDocument } from '../../modules/tenant-view/operations/open-tenant-document.ts'
import { pdfResponse } from '../request/pdf-response.ts'
import { attachment } from '../request/uploaded-file-response.ts'
import type { Route } from './+types/download-tenant-document'
import { openOfficePage } from './open-office-page.ts'

/** Serves a signed lease for display, or a tenant's proof of insurance as a download. */
export async function loader(args: Route.LoaderArgs) {
  const { site } = await openOfficePage(args)
  const { location, tenant, kind, document } = args.params
  const outcome = await site.call(OpenTenantDocument, {
    location_code: location,
    tenant_id: tenant,
    kind,
    document_id: document,
  })
  if (!outcome.ok) throw new Response(officeNotFound, { status: 404 })
  const { name, content } = outcome.value
  if (kind === 'lease') return pdfResponse(content, { name, download: false, cache: 'private, no-store' })
  return attachment({ name, content: new Uint8Array(content) })
}
