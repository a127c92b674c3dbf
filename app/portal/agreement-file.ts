import { agreementFile } from '../../modules/leases/documents.ts'
import { pdfResponse } from '../move-in/pdf-response.ts'
import { contextOf } from '../request/context.ts'
import type { Route } from './+types/agreement-file'

/** A signed agreement, for its own tenant. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const { tenant } = await site.callers()
  const file = tenant && (await agreementFile(site.services, tenant, params.documentId))
  if (!file) throw new Response('Not found', { status: 404 })
  return pdfResponse(file.content, {
    name: file.name,
    download: new URL(request.url).searchParams.has('download'),
    cache: 'private, no-store',
  })
}
