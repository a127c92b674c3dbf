import * as v from 'valibot'
import { changedSince } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { bumpContentVersion } from '../../../platform/database/content-version.ts'
import { brandPictureFrom } from '../../../platform/images/brand-picture.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { facilitiesFor, mayAnywhere } from '../../../platform/operations/staff-scope.ts'
import { hashPicture } from '../hash-brand-picture.ts'
import { parseBrand } from '../rules/brand.ts'
import { brandPictureFaults, brandPictureNames, brandPictures } from '../rules/brand-pictures.ts'
import { lockSetting, setSetting } from '../site-settings.ts'
import { nothingChanged, wholeSiteOnly } from '../texts/setup.ts'

/** Formats a picture's size: '12 kB', 'none'. */
const pictureSize = (picture: string) => (picture === '' ? 'none' : `${Math.ceil((picture.length * 3) / 4 / 1024)} kB`)

export const SaveBrandPicture = internalOperation({
  name: 'SaveBrandPicture',
  access: { staff: mayAnywhere('setup.save') },
  input: v.object({
    picture: v.picklist(brandPictureNames),
    /** Image file; null to return to the site's own picture. */
    file: v.nullable(v.instance(Uint8Array)),
    before: plainLine,
  }),
  example: { input: { picture: 'icon', file: new Uint8Array([0x89, 0x50, 0x4e, 0x47]), before: '' } },
  async run(services, { picture: name, file, before }, callers) {
    if (facilitiesFor(staffOf(callers), 'setup.save') !== 'all') return refuse(403, 'forbidden', wholeSiteOnly)
    const refuseFile = (message: string) => refuse(400, 'invalid_input', message, { fields: { file: message } })
    const shape = brandPictures[name]
    const newPicture = file === null ? '' : await brandPictureFrom(file, shape)
    if (newPicture === 'small') return refuseFile(brandPictureFaults.small(shape.least))
    if (newPicture === 'square' || newPicture === 'unreadable') return refuseFile(brandPictureFaults[newPicture])
    return services.db.transaction(async (tx) => {
      const record = (await lockSetting(tx, 'brand')) ?? '{}'
      const current = parseBrand(record)[name]
      if (hashPicture(current) !== before) return refuse(409, 'changed', changedSince)
      if (current === newPicture) return refuse(409, 'same', nothingChanged)
      // Only this picture is replaced; the rest of the brand stays exactly as stored.
      await setSetting(tx, 'brand', JSON.stringify({ ...JSON.parse(record), [name]: newPicture }), services.clock.now())
      const settingName = `${brandPictures[name].title.toLowerCase()} of the brand`
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'setting.saved',
        details: { what: settingName },
        permission: 'setup.save',
        changes: { [settingName]: [pictureSize(current), pictureSize(newPicture)] },
      })
      await bumpContentVersion(tx)
      return succeed({ saved: true })
    })
  },
})
