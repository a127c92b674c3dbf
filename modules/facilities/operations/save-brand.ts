import * as v from 'valibot'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { bumpContentVersion } from '../../../platform/database/content-version.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { plainLine, plainText } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { facilitiesFor, mayAnywhere } from '../../../platform/operations/staff-scope.ts'
import { recordChanges } from '../internal/compare-form-with-record.ts'
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
import { lockSetting, setSetting } from '../site-settings.ts'
import { formFieldsWrong, wholeSiteOnly } from '../texts/setup.ts'

export const SaveBrand = internalOperation({
  name: 'SaveBrand',
  access: { staff: mayAnywhere('setup.save') },
  input: v.object({
    form: v.picklist(brandFormNames),
    /** Values as typed; an omitted field stays unchanged. */
    values: v.record(plainLine, v.pipe(plainText, v.maxLength(10_000))),
    /** Hashes (`hashText`) of the values that the form showed, to detect changes made meanwhile. */
    before: v.record(plainLine, plainLine),
  }),
  example: {
    input: { form: 'names', values: { phone: '(888) 555-0100' }, before: { phone: '47DEQpj8HBSa-_TI' } },
  },
  run: (services, { form, values, before }, callers) =>
    services.db.transaction(async (tx) => {
      if (facilitiesFor(staffOf(callers), 'setup.save') !== 'all') return refuse(403, 'forbidden', wholeSiteOnly)
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
      const result = recordChanges(fields, { values, before })
      if ('status' in result) return result
      const newRecord = updateBrandRecord(record, form, result.set)
      const faults = brandFaults(newRecord, form)
      if (Object.keys(faults).length > 0) return refuse(400, 'invalid_input', formFieldsWrong, { fields: faults })
      await setSetting(tx, 'brand', newRecord, services.clock.now())
      const settingName = `${brandForms[form].title.toLowerCase()} of the brand`
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'setting.saved',
        details: { what: settingName },
        permission: 'setup.save',
        changes: result.changes,
      })
      await bumpContentVersion(tx)
      return succeed({ changed: Object.keys(result.set) })
    }),
})
