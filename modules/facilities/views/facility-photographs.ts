import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/schema/tables.ts'
import { photoPath } from '../rules/photograph.ts'
import { hashPhotos, loadPhotos } from '../store-photographs.ts'

/** Width in pixels at which the setup page shows photographs. */
const SHOWN_WIDTH = 480

/** Returns a facility's photographs in their stored order, with the address of each, and the hash to save them with. */
export async function loadFacilityPhotographs(db: Kysely<Tables>, locationCode: string) {
  const photos = await loadPhotos(db, [locationCode])
  return {
    before: hashPhotos(photos),
    photos: photos.map(({ photo_id: id, slot, alt, width, height }) => ({
      id,
      slot: slot ?? '',
      alt,
      width,
      height,
      src: photoPath(locationCode, id, SHOWN_WIDTH),
    })),
  }
}
