import { parsePhotoWidth } from '../../../modules/facilities/rules/photograph.ts'
import { loadPhotographFile } from '../../../modules/facilities/views/photograph-file.ts'
import { photographResponse } from '../../request/photograph-response.ts'
import { openOfficePageAtFacility } from '../open-office-page-at-facility.ts'
import type { Route } from './+types/unit-photograph-file'

/** Serves a photograph of a unit to staff members who may see its facility's units. */
export async function loader(args: Route.LoaderArgs) {
  const { services, location: locationCode } = await openOfficePageAtFacility(args)
  const { photo: photoId } = args.params
  const width = parsePhotoWidth(args.params.file.replace(/\.webp$/, ''))
  const content = width && (await loadPhotographFile(services, { kind: 'units', locationCode, photoId, width }))
  return photographResponse(content, 'private, no-store')
}
