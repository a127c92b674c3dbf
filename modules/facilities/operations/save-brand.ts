import * as v from 'valibot'
import { someFieldsInvalid } from '../../../domain/texts/some-fields-invalid.ts'
import { bumpContentVersion } from '../../../platform/database/content-version.ts'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { plainLine, plainText } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { recordChanges } from '../internal/compare-form-with-record.ts'
import { requireWholeSite } from '../internal/require-permission-at-all-facilities.ts'
import { lockSetting, setSetting } from '../operator-settings-and-brand.ts'
import {
  brandFaults,
  brandFields,
  brandFormNames,
  brandForms,
  brandValues,
  formatBrandField,
  parseBrandField,
  updateBrandRecord,
} from '../rules/brand-form.ts'

export const SaveBrand = officeOperation({
  name: 'SaveBrand',
  permission: 'setup.save',
  access: mayAnywhere('setup.save'),
  input: v.object({
    form: v.picklist(brandFormNames),
    /** Values as typed; an omitted field stays unchanged. */
    values: v.record(plainLine, v.pipe(plainText, v.maxLength(10_000))),
    /** Hashes (`hashText`) of the values that the form showed, to detect changes made meanwhile. */
    before: v.record(plainLine, plainLine),
  }),
  example: { form: 'names', values: { phone: '(888) 555-0100' }, before: { phone: '47DEQpj8HBSa-_TI' } },
  async work({ tx, services, staff, audit }, { form, values, before }) {
    requireWholeSite(staff)
    const record = (await lockSetting(tx, 'brand')) ?? '{}'
    const currentValues = brandValues(record, form)
    const fields = brandFields(form).map(([name, field]) => ({
      name,
      label: field.label,
      current: currentValues[name] ?? '',
      read(input: string) {
        const parsed = parseBrandField(name, field, input)
        return 'wrong' in parsed ? parsed : { ...parsed, text: formatBrandField(name, parsed.value) }
      },
    }))
    const { set, changes } = recordChanges(fields, { values, before })
    const newRecord = updateBrandRecord(record, form, set)
    const faults = brandFaults(newRecord, form)
    if (Object.keys(faults).length > 0) throw refusalError(400, 'invalid_input', someFieldsInvalid, { fields: faults })
    await setSetting(tx, 'brand', newRecord, services.clock.now())
    const what = `${brandForms[form].title.toLowerCase()} of the brand`
    await audit({ kind: 'setting.saved', details: { what }, changes })
    await bumpContentVersion(tx)
    return { changed: Object.keys(set) }
  },
})
