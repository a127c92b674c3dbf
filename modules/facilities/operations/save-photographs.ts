import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { changedSince } from '../../../domain/texts/office-refusals.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { savePhotographs } from '../internal/replace-photographs-with-audit.ts'
import { deletePhotograph, type FacilityPhoto, loadPhotos } from '../photographs.ts'
import { ALT_MAX, MAX_PHOTOS, type PhotoSlot, photoSlotNames, slotTaken } from '../rules/photograph.ts'
import { lockFacility } from '../setup-lock.ts'
import { nothingChanged } from '../texts/setup.ts'

/** Saves the order and alternative texts of a facility's photographs; an omitted photograph is deleted. */
export const SavePhotographs = internalOperation({
  name: 'SavePhotographs',
  access: { staff: mayAtFacility('setup.save') },
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
    /** Photograph ids in the order that the form showed. */
    before: v.array(plainLine),
  }),
  example: {
    input: {
      location_code: 'ATL01',
      photos: [{ photo_id: '0a4bd0a1c6d0ff1cb2a5ddf0b60ad1cd', slot: 'gate', alt: 'The gate on Ralston Mill Road' }],
      before: ['0a4bd0a1c6d0ff1cb2a5ddf0b60ad1cd'],
    },
  },
  async run(services, input, callers) {
    const { location_code: locationCode } = input
    const outcome = await services.db.transaction((tx) => saveList(tx, services, input, callers))
    if (!outcome.ok) return outcome
    // No page refers to these files once their rows are deleted.
    for (const id of outcome.value.deletedIds) await deletePhotograph(services, 'facilities', locationCode, id)
    return succeed({ photos: outcome.value.photos })
  },
})

async function saveList(
  tx: Kysely<Tables>,
  services: Services,
  input: { location_code: string; photos: { photo_id: string; slot: PhotoSlot | ''; alt: string }[]; before: string[] },
  callers: Callers,
) {
  const { location_code: locationCode } = input
  if (!(await lockFacility(tx, locationCode))) return recordNotFound
  const current = await loadPhotos(tx, [locationCode])
  if (current.map((photo) => photo.photo_id).join() !== input.before.join()) return refuse(409, 'changed', changedSince)
  const photos = input.photos.flatMap(({ photo_id, slot, alt }) => {
    const photo = current.find((entry) => entry.photo_id === photo_id)
    return photo ? [{ ...photo, slot: slot || null, alt }] : []
  })
  const duplicate = photos.find(({ slot }, at) => slot && photos.findIndex((photo) => photo.slot === slot) < at)
  if (duplicate)
    return refuse(400, 'invalid_input', slotTaken, { fields: { [`slot-${duplicate.photo_id}`]: slotTaken } })
  const describeList = (list: FacilityPhoto[]) =>
    list.map((photo) => `${photo.photo_id} ${photo.slot} ${photo.alt}`).join('\n')
  if (describeList(photos) === describeList(current)) return refuse(409, 'same', nothingChanged)
  const deletedIds = current
    .map((photo) => photo.photo_id)
    .filter((id) => !photos.some((photo) => photo.photo_id === id))
  const summary =
    deletedIds.length > 0
      ? `took away ${deletedIds.length === 1 ? 'a photograph' : `${deletedIds.length} photographs`} of ${locationCode}`
      : `changed order or words of the photographs of ${locationCode}`
  await savePhotographs(tx, services, callers, { locationCode, photos, summary })
  return succeed({ photos: photos.length, deletedIds })
}
