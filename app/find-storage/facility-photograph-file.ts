import { parsePhotoWidth } from '../../modules/facilities/rules/photograph.ts'
import { loadPhotographFile } from '../../modules/facilities/views/photograph-file.ts'
import { contextOf } from '../request/context.ts'
import { photographResponse } from '../request/photograph-response.ts'
import type { Route } from './+types/facility-photograph-file'

/** Serves a facility's photograph in one width, cached for a year, since its address never shows another picture. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { services } = contextOf(context)
  const { location: locationCode, photo: photoId } = params
  const width = parsePhotoWidth(params.file.replace(/\.webp$/, ''))
  const content = width && (await loadPhotographFile(services, { kind: 'facilities', locationCode, photoId, width }))
  return photographResponse(content, 'public, max-age=31536000, immutable')
}
