/** Photographs of a facility: added, put in order, described and taken away. */
import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { ALT_MAX, MOST_PHOTOS, PHOTOS_AT_ONCE, photoFaultMessages, photoWidths } from '../../../domain/photograph.ts'
import { changedSince } from '../../../domain/texts/office.ts'
import { nothingChanged } from '../../../domain/texts/setup.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { type Photograph, readPhotograph } from '../../../platform/images/photograph.ts'
import { type Callers, may, type StaffCaller } from '../../../platform/operations/callers.ts'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { deletePhotograph, type FacilityPhoto, photosOf, putPhotograph, setPhotos } from '../photographs.ts'
import { facilityChanged, lockFacility } from '../setup-lock.ts'

const wrongFile = (says: string) => refuse(400, 'invalid_input', says, { fields: { files: says } })

export const AddPhotographs = internalOperation({
  name: 'AddPhotographs',
  access: { staff: may('setup.save') },
  input: v.object({
    location_code: locationCode(),
    files: v.pipe(
      v.array(v.instance(Uint8Array)),
      v.minLength(1, photoFaultMessages.missing),
      v.maxLength(PHOTOS_AT_ONCE, photoFaultMessages.too_many),
    ),
  }),
  example: { input: { location_code: 'ATL01', files: [new Uint8Array([0xff, 0xd8, 0xff])] } },
  async run(services, input, callers) {
    const { location_code: locationCode } = input
    const read: Photograph[] = []
    for (const file of input.files) {
      const photo = await readPhotograph(file, photoWidths)
      if (!photo) return wrongFile(photoFaultMessages.unreadable)
      read.push(photo)
    }
    const kept: [id: string, photo: Photograph][] = []
    for (const photo of read) kept.push([await putPhotograph(services, 'facilities', locationCode, photo), photo])
    const outcome = await services.db.transaction(async (tx) => {
      if (!(await lockFacility(tx, locationCode))) return notOnFile
      const photos = await photosOf(tx, [locationCode])
      if (photos.length + kept.length > MOST_PHOTOS) return wrongFile(`A facility has at most ${MOST_PHOTOS}.`)
      const added = kept.map(
        ([photo_id, { width, height }]): FacilityPhoto => ({
          photo_id,
          location_code: locationCode,
          position: 0,
          alt: '',
          width,
          height,
          added_by: (callers.staff as StaffCaller).staffId,
          added_at: services.clock.now(),
        }),
      )
      const what = `added ${added.length === 1 ? 'a photograph' : `${added.length} photographs`} of ${locationCode}`
      await save(tx, services, callers, { locationCode, photos: [...photos, ...added], what })
      return succeed({ photos: photos.length + added.length })
    })
    if (!outcome.ok) for (const [id] of kept) await deletePhotograph(services, 'facilities', locationCode, id)
    return outcome
  },
})

/** Order and words of the photographs that are there; one that is left out is taken away. */
export const SavePhotographs = internalOperation({
  name: 'SavePhotographs',
  access: { staff: may('setup.save') },
  input: v.object({
    location_code: locationCode(),
    photos: v.pipe(
      v.array(
        v.object({
          photo_id: plainLine,
          alt: v.pipe(plainLine, v.trim(), v.maxLength(ALT_MAX, `At most ${ALT_MAX} characters.`)),
        }),
      ),
      v.maxLength(MOST_PHOTOS),
    ),
    /** Ids in the order that the form showed. */
    before: v.array(plainLine),
  }),
  example: {
    input: {
      location_code: 'ATL01',
      photos: [{ photo_id: '0a4bd0a1c6d0ff1cb2a5ddf0b60ad1cd', alt: 'The gate on Ralston Mill Road' }],
      before: ['0a4bd0a1c6d0ff1cb2a5ddf0b60ad1cd'],
    },
  },
  async run(services, input, callers) {
    const { location_code: locationCode } = input
    const outcome = await services.db.transaction((tx) => putInOrder(tx, services, input, callers))
    if (!outcome.ok) return outcome
    // Their rows are gone: no page names these files any more.
    for (const id of outcome.value.gone) await deletePhotograph(services, 'facilities', locationCode, id)
    return succeed({ photos: outcome.value.photos })
  },
})

async function putInOrder(
  tx: Kysely<Tables>,
  services: Services,
  input: { location_code: string; photos: { photo_id: string; alt: string }[]; before: string[] },
  callers: Callers,
) {
  const { location_code: locationCode } = input
  if (!(await lockFacility(tx, locationCode))) return notOnFile
  const known = await photosOf(tx, [locationCode])
  if (known.map((one) => one.photo_id).join() !== input.before.join()) return refuse(409, 'changed', changedSince)
  const photos = input.photos.flatMap(({ photo_id, alt }) => {
    const photo = known.find((one) => one.photo_id === photo_id)
    return photo ? [{ ...photo, alt }] : []
  })
  const listed = (some: FacilityPhoto[]) => some.map((one) => `${one.photo_id} ${one.alt}`).join('\n')
  if (listed(photos) === listed(known)) return refuse(409, 'same', nothingChanged)
  const gone = known.map((one) => one.photo_id).filter((id) => !photos.some((one) => one.photo_id === id))
  const what =
    gone.length > 0
      ? `took away ${gone.length === 1 ? 'a photograph' : `${gone.length} photographs`} of ${locationCode}`
      : `changed order or words of the photographs of ${locationCode}`
  await save(tx, services, callers, { locationCode, photos, what })
  return succeed({ photos: photos.length, gone })
}

async function save(
  tx: Kysely<Tables>,
  services: Services,
  callers: Callers,
  { locationCode, photos, what }: { locationCode: string; photos: FacilityPhoto[]; what: string },
): Promise<void> {
  await setPhotos(tx, locationCode, photos)
  await audit(tx, services, staffActor(callers), {
    kind: 'photographs.saved',
    details: { what },
    permission: 'setup.save',
    locationCode,
  })
  await facilityChanged(tx, services, locationCode)
}

export const photographOperations = [AddPhotographs, SavePhotographs]
