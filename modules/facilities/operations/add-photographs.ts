import * as v from 'valibot'
import { type Photograph, readPhotograph } from '../../../platform/images/photograph.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { savePhotographs } from '../internal/replace-photographs-with-audit.ts'
import { deletePhotograph, type FacilityPhoto, loadPhotos, storePhotographFiles } from '../photographs.ts'
import { MAX_PHOTOS, MAX_PHOTOS_PER_UPLOAD, photoFaultMessages, photoWidths } from '../rules/photograph.ts'
import { lockFacility } from '../setup-lock.ts'

const refuseFile = (message: string) => refuse(400, 'invalid_input', message, { fields: { files: message } })

export const AddPhotographs = internalOperation({
  name: 'AddPhotographs',
  access: { staff: mayAtFacility('setup.save') },
  input: v.object({
    location_code: locationCode(),
    files: v.pipe(
      v.array(v.instance(Uint8Array)),
      v.minLength(1, photoFaultMessages.missing),
      v.maxLength(MAX_PHOTOS_PER_UPLOAD, photoFaultMessages.too_many),
    ),
  }),
  example: { input: { location_code: 'ATL01', files: [new Uint8Array([0xff, 0xd8, 0xff])] } },
  async run(services, input, callers) {
    const { location_code: locationCode } = input
    const decoded: Photograph[] = []
    for (const file of input.files) {
      const photo = await readPhotograph(file, photoWidths)
      if (!photo) return refuseFile(photoFaultMessages.unreadable)
      decoded.push(photo)
    }
    const stored: [id: string, photo: Photograph][] = []
    for (const photo of decoded)
      stored.push([await storePhotographFiles(services, 'facilities', locationCode, photo), photo])
    const outcome = await services.db.transaction(async (tx) => {
      if (!(await lockFacility(tx, locationCode))) return recordNotFound
      const photos = await loadPhotos(tx, [locationCode])
      if (photos.length + stored.length > MAX_PHOTOS) return refuseFile(`A facility has at most ${MAX_PHOTOS}.`)
      const added = stored.map(
        ([photo_id, { width, height }]): FacilityPhoto => ({
          photo_id,
          location_code: locationCode,
          position: 0,
          slot: null,
          alt: '',
          width,
          height,
          added_by: staffOf(callers).staffId,
          added_at: services.clock.now(),
        }),
      )
      const summary = `added ${added.length === 1 ? 'a photograph' : `${added.length} photographs`} of ${locationCode}`
      await savePhotographs(tx, services, callers, { locationCode, photos: [...photos, ...added], summary })
      return succeed({ photos: photos.length + added.length })
    })
    if (!outcome.ok) for (const [id] of stored) await deletePhotograph(services, 'facilities', locationCode, id)
    return outcome
  },
})
