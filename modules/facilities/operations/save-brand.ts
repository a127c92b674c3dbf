import * as v from 'valibot'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { bumpContentVersion } from '../../../platform/database/content-version.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { plainLine, plainText } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { facilitiesFor, mayAnywhere } from '../../../platform/operations/staff-scope.ts'
import { recordChanges } from '../record-changes.ts'
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
    /** Marks of the values that the form showed. */
    before: v.record(plainLine, plainLine),
  }),
  example: {
    input: { form: 'names', values: { phone: '(888) 555-0100' }, before: { phone: '47DEQpj8HBSa-_TI' } },
  },
  run: (services, { form, values, before }, callers) =>
    services.db.transaction(async (tx) => {
      if (facilitiesFor(staffOf(callers), 'setup.save') !== 'all') return refuse(403, 'forbidden', wholeSiteOnly)
      const record = (await lockSetting(tx, 'brand')) ?? '{}'
      const now = brandValues(record, form)
      const fields = brandFields(form).map(([name, field]) => ({
        name,
        label: field.label,
        is: now[name] ?? '',
        read(typed: string) {
          const read = parseBrandField(name, field, typed)
          return 'wrong' in read ? read : { ...read, written: formatBrandField(name, read.value) }
        },
      }))
      const changed = recordChanges(fields, { values, before })
      if ('status' in changed) return changed
      const next = updateBrandRecord(record, form, changed.set)
      const wrong = brandFaults(next, form)
      if (Object.keys(wrong).length > 0) return refuse(400, 'invalid_input', formFieldsWrong, { fields: wrong })
      await setSetting(tx, 'brand', next, services.clock.now())
      const what = `${brandForms[form].title.toLowerCase()} of the brand`
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'setting.saved',
        details: { what },
        permission: 'setup.save',
        changes: changed.changes,
      })
      await bumpContentVersion(tx)
      return succeed({ changed: Object.keys(changed.set) })
    }),
})
