import * as v from 'valibot'
import { changedSince } from '../../../domain/texts/office-refusals.ts'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { fieldError, RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { lockFacility, recordFacilityChange } from '../lock-facility-for-setup.ts'
import { ALT_MAX, MAX_PHOTOS, photoSlotNames, slotTaken } from '../rules/photograph.ts'
import { deletePhotograph, hashPhotos, loadPhotos, replacePhotos } from '../store-photographs.ts'
import { nothingChanged } from '../texts/setup-and-appointment-errors.ts'

/** Saves the order, slots and alternative texts of a facility's photographs; an omitted photograph is deleted. */
export const SavePhotographs = officeOperation({
  name: 'SavePhotographs',
  permission: 'setup.save',
  input: v.object({
    location_code: locationCode(),
    photos: v.pipe(
      v.array(
        v.object({
          photo_id: plainLine,
          slot: v.optional(v.picklist([...photoSlotNames, '']), ''),
          alt: v.pipe(plainLine, v.trim(), v.maxLength(ALT_MAX, `At most ${ALT_MAX} characters.`)),
        }),
      ),
      v.maxLength(MAX_PHOTOS),
    ),
    /** Hash of the photographs that the form showed (`hashPhotos`). */
    before: plainLine,
  }),
  example: {
    location_code: 'ATL01',
    photos: [{ photo_id: '0a4bd0a1c6d0ff1cb2a5ddf0b60ad1cd', slot: 'gate', alt: 'The gate on Ralston Mill Road' }],
    before: 'h2oV6mYw3J0c9ZtF',
  },
  async work({ tx, services, audit }, input) {
    const { location_code: locationCode } = input
    if (!(await lockFacility(tx, locationCode))) throw new RefusalError(recordNotFound)
    const current = await loadPhotos(tx, [locationCode])
    if (hashPhotos(current) !== input.before) throw refusalError(409, 'changed', changedSince)
    const photos = input.photos.flatMap(({ photo_id, slot, alt }) => {
      const photo = current.find((entry) => entry.photo_id === photo_id)
      return photo ? [{ ...photo, slot: slot || null, alt }] : []
    })
    const duplicate = photos.find(({ slot }, at) => slot && photos.findIndex((photo) => photo.slot === slot) < at)
    if (duplicate) throw fieldError(`slot-${duplicate.photo_id}`, slotTaken)
    if (hashPhotos(photos) === input.before) throw refusalError(409, 'same', nothingChanged)
    const deletedIds = current
      .map((photo) => photo.photo_id)
      .filter((id) => !photos.some((photo) => photo.photo_id === id))
    const what =
      deletedIds.length > 0
        ? `took away ${deletedIds.length === 1 ? 'a photograph' : `${deletedIds.length} photographs`} of ${locationCode}`
        : `changed order or words of the photographs of ${locationCode}`
    await replacePhotos(tx, locationCode, photos)
    await audit({ kind: 'photographs.saved', details: { what } })
    await recordFacilityChange(tx, services, locationCode)
    return { photos: photos.length, deletedIds }
  },
  async after(services, { deletedIds }, { location_code: locationCode }) {
    // No page refers to these files once their rows are deleted.
    for (const id of deletedIds) await deletePhotograph(services, 'facilities', locationCode, id)
  },
})
