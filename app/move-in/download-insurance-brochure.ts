import { loadFacility } from '../../modules/facilities/views/facility-lookups.ts'
import { brochureNotAvailable } from '../../modules/move-in/texts/move-in.ts'
import { contextOf } from '../request/context.ts'
import { pdfResponse } from '../request/pdf-response.ts'
import type { Route } from './+types/download-insurance-brochure'

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { services } = contextOf(context)
  const facility = await loadFacility(services, params.locationCode)
  const name = facility?.insuranceOffered ? facility.brochure : ''
  // A file name that does not match this pattern counts as no brochure.
  const file = /^[A-Za-z0-9][\w.-]{0,100}$/.test(name) ? await services.files.get(`brochures/${name}`) : null
  if (!file) throw new Response(brochureNotAvailable, { status: 404 })
  return pdfResponse(file.content, {
    name,
    download: new URL(request.url).searchParams.has('download'),
    cache: 'public, max-age=3600',
  })
}
