/** Stores photographs of facilities, which the site shows, and of units, which only the office shows. */
import type { Kysely, Selectable } from 'kysely'
import type { Photograph } from '../../platform/images/photograph.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { hashText } from './internal/compare-form-with-record.ts'
import { lockFacility, recordFacilityChange } from './lock-facility-for-setup.ts'
import { MAX_PHOTOS, type PhotographKind, photographFileKey, photoPath, photoWidths } from './rules/photograph.ts'

export type FacilityPhoto = Selectable<Tables['facility_photos']>

/** Returns the facilities' photographs, each facility's in their stored order (`position`). */
export const loadPhotos = (db: Kysely<Tables>, locationCodes: string[]): Promise<FacilityPhoto[]> =>
  db
    .selectFrom('facility_photos')
    .selectAll()
    .where('location_code', 'in', locationCodes)
    .orderBy('location_code')
    .orderBy('position')
    .orderBy('photo_id')
    .execute()

/** Returns a hash of the photographs' order, slots and alternative texts, by which a stale form is detected. */
export const hashPhotos = (photos: readonly FacilityPhoto[]): string =>
  hashText(photos.map(({ photo_id, slot, alt }) => `${photo_id} ${slot} ${alt}`).join('\n'))

/**
 * Stores a photograph's files. Called before the row is inserted, so that no row names a missing file.
 * @param id 32 hex digits
 * @returns the photograph's id
 */
export async function storePhotographFiles(
  { files, random }: Pick<Services, 'files' | 'random'>,
  kind: PhotographKind,
  locationCode: string,
  photo: Photograph,
  id: string = random.uuid().replaceAll('-', ''),
): Promise<string> {
  for (const { width, content } of photo.sizes)
    await files.put(photographFileKey(kind, locationCode, id, width), content, 'image/webp')
  return id
}

/** Deletes a photograph's files in all widths. */
export async function deletePhotograph(
  { files }: Pick<Services, 'files'>,
  kind: PhotographKind,
  locationCode: string,
  photoId: string,
): Promise<void> {
  for (const width of photoWidths) await files.delete(photographFileKey(kind, locationCode, photoId, width))
}

/**
 * Replaces a facility's list of photographs in the caller's transaction. The first one represents the facility in
 * lists.
 */
export async function replacePhotos(tx: Kysely<Tables>, locationCode: string, photos: FacilityPhoto[]): Promise<void> {
  await tx.deleteFrom('facility_photos').where('location_code', '=', locationCode).execute()
  if (photos.length > 0)
    await tx
      .insertInto('facility_photos')
      .values(photos.map((photo, position) => ({ ...photo, position })))
      .execute()
  const [first] = photos
  await tx
    .updateTable('locations')
    .set({ photo: first ? photoPath(locationCode, first.photo_id, 960) : '' })
    .where('location_code', '=', locationCode)
    .execute()
}

/**
 * Appends photographs to a facility's list, skipping those it has.
 * @returns number of added photographs; null for an unknown facility
 * @throws Error where the facility would have more than `MAX_PHOTOS`
 */
export const addPhotos = (
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  locationCode: string,
  photos: readonly Omit<FacilityPhoto, 'location_code' | 'position'>[],
): Promise<number | null> =>
  db.transaction(async (tx) => {
    if (!(await lockFacility(tx, locationCode))) return null
    const existing = await loadPhotos(tx, [locationCode])
    const added = photos.filter((photo) => existing.every(({ photo_id }) => photo_id !== photo.photo_id))
    if (added.length === 0) return 0
    if (existing.length + added.length > MAX_PHOTOS)
      throw new Error(`${locationCode} has ${existing.length} photographs`)
    // `replacePhotos` sets the position.
    const rows = added.map((photo) => ({ ...photo, location_code: locationCode, position: 0 }))
    await replacePhotos(tx, locationCode, [...existing, ...rows])
    await recordFacilityChange(tx, { clock }, locationCode)
    return added.length
  })

/** Inserts a unit's photograph in the caller's transaction, after its files are stored. */
export async function addUnitPhoto(tx: Kysely<Tables>, photo: Selectable<Tables['unit_photos']>): Promise<void> {
  await tx.insertInto('unit_photos').values(photo).execute()
}
