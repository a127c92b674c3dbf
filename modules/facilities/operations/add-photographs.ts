import * as v from 'valibot'
import { type Photograph, readPhotograph } from '../../../platform/images/photograph.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { fieldError, RefusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { lockFacility, recordFacilityChange } from '../lock-facility-for-setup.ts'
import { MAX_PHOTOS, MAX_PHOTOS_PER_UPLOAD, photoFaultMessages, photoWidths } from '../rules/photograph.ts'
import {
  deletePhotograph,
  type FacilityPhoto,
  loadPhotos,
  replacePhotos,
  storePhotographFiles,
} from '../store-photographs.ts'

export const AddPhotographs = officeOperation({
  name: 'AddPhotographs',
  permission: 'setup.save',
  input: v.object({
    location_code: locationCode(),
    files: v.pipe(
      v.array(v.instance(Uint8Array)),
      v.minLength(1, photoFaultMessages.missing),
      v.maxLength(MAX_PHOTOS_PER_UPLOAD, photoFaultMessages.too_many),
    ),
  }),
  example: { location_code: 'ATL01', files: [new Uint8Array([0xff, 0xd8, 0xff])] },
  async before(services, { location_code: locationCode, files }) {
    const decoded: Photograph[] = []
    for (const file of files) {
      const photo = await readPhotograph(file, photoWidths)
      if (!photo) throw fieldError('files', photoFaultMessages.unreadable)
      decoded.push(photo)
    }
    const stored: [id: string, photo: Photograph][] = []
    for (const photo of decoded)
      stored.push([await storePhotographFiles(services, 'facilities', locationCode, photo), photo])
    return stored
  },
  async work({ tx, services, staff, audit }, { location_code: locationCode }, stored) {
    if (!(await lockFacility(tx, locationCode))) throw new RefusalError(recordNotFound)
    const photos = await loadPhotos(tx, [locationCode])
    if (photos.length + stored.length > MAX_PHOTOS) throw fieldError('files', `A facility has at most ${MAX_PHOTOS}.`)
    const added = stored.map(
      ([photo_id, { width, height }]): FacilityPhoto => ({
        photo_id,
        location_code: locationCode,
        // `replacePhotos` sets the position.
        position: 0,
        slot: null,
        alt: '',
        width,
        height,
        added_by: staff.staffId,
        added_at: services.clock.now(),
      }),
    )
    await replacePhotos(tx, locationCode, [...photos, ...added])
    const addedText = added.length === 1 ? 'a photograph' : `${added.length} photographs`
    await audit({ kind: 'photographs.saved', details: { what: `added ${addedText} of ${locationCode}` } })
    await recordFacilityChange(tx, services, locationCode)
    return { photos: photos.length + added.length }
  },
  async refused(services, _refusal, { location_code: locationCode }, stored) {
    for (const [id] of stored) await deletePhotograph(services, 'facilities', locationCode, id)
  },
})
