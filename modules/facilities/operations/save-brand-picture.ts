import * as v from 'valibot'
import { changedSince } from '../../../domain/texts/office-refusals.ts'
import { bumpContentVersion } from '../../../platform/database/content-version.ts'
import { brandPictureFrom } from '../../../platform/images/brand-picture.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { fieldError, refusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { hashPicture } from '../hash-brand-picture-for-stale-forms.ts'
import { requireWholeSite } from '../internal/require-permission-at-all-facilities.ts'
import { lockSetting, setSetting } from '../operator-settings-and-brand.ts'
import { parseBrand } from '../rules/brand.ts'
import { brandPictureFaults, brandPictureNames, brandPictures } from '../rules/brand-pictures.ts'
import { nothingChanged } from '../texts/setup-and-appointment-errors.ts'

/** Formats a picture's size: '12 kB', 'none'. */
const pictureSize = (picture: string) => (picture === '' ? 'none' : `${Math.ceil((picture.length * 3) / 4 / 1024)} kB`)

export const SaveBrandPicture = officeOperation({
  name: 'SaveBrandPicture',
  permission: 'setup.save',
  access: mayAnywhere('setup.save'),
  input: v.object({
    picture: v.picklist(brandPictureNames),
    /** Image file; null to return to the site's own picture. */
    file: v.nullable(v.instance(Uint8Array)),
    /** Hash of the picture that the form showed (`hashPicture`). */
    before: plainLine,
  }),
  example: { picture: 'icon', file: new Uint8Array([0x89, 0x50, 0x4e, 0x47]), before: '' },
  async before(_services, { picture, file }, callers) {
    requireWholeSite(staffOf(callers))
    const shape = brandPictures[picture]
    const newPicture = file === null ? '' : await brandPictureFrom(file, shape)
    if (newPicture === 'small') throw fieldError('file', brandPictureFaults.small(shape.least))
    if (newPicture === 'square' || newPicture === 'unreadable') throw fieldError('file', brandPictureFaults[newPicture])
    return newPicture
  },
  async work({ tx, services, audit }, { picture: name, before }, newPicture) {
    const record = (await lockSetting(tx, 'brand')) ?? '{}'
    const current = parseBrand(record)[name]
    if (hashPicture(current) !== before) throw refusalError(409, 'changed', changedSince)
    if (current === newPicture) throw refusalError(409, 'same', nothingChanged)
    // Only this picture is replaced; the rest of the brand stays exactly as stored.
    await setSetting(tx, 'brand', JSON.stringify({ ...JSON.parse(record), [name]: newPicture }), services.clock.now())
    const what = `${brandPictures[name].title.toLowerCase()} of the brand`
    const changes: Record<string, [string, string]> = { [what]: [pictureSize(current), pictureSize(newPicture)] }
    await audit({ kind: 'setting.saved', details: { what }, changes })
    await bumpContentVersion(tx)
    return { saved: true }
  },
})
