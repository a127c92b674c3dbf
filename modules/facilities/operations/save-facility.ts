import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { locationCode, plainLine, plainText } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { recordChanges } from '../internal/compare-form-with-record.ts'
import { facilityFormFields, loadFormValues } from '../internal/load-facility-form-values.ts'
import { lockFacility, recordFacilityChange, setupReason } from '../lock-facility-for-setup.ts'
import { facilityFormNames, facilityForms, formatFieldValue, parseFieldValue } from '../rules/facility-setup-fields.ts'

export const SaveFacility = officeOperation({
  name: 'SaveFacility',
  permission: 'setup.save',
  input: v.object({
    location_code: locationCode(),
    form: v.picklist(facilityFormNames),
    /** Values as typed; an omitted field stays unchanged. */
    values: v.record(plainLine, v.pipe(plainText, v.maxLength(21_000))),
    /** Hashes of the values that the form showed (`ShownForm.before`). */
    before: v.record(plainLine, plainLine),
    reason: setupReason,
  }),
  example: {
    location_code: 'ATL01',
    form: 'hours',
    values: { gate_hours: '5 AM to 10 PM every day' },
    before: { gate_hours: 'h2oV6mYw3J0c9ZtF' },
    reason: 'Longer in summer',
  },
  async work({ tx, services, audit }, { location_code: locationCode, form, values, before }) {
    if (!(await lockFacility(tx, locationCode))) throw new RefusalError(recordNotFound)
    const currentValues = await loadFormValues(tx, locationCode, form)
    const fields = facilityFormFields(form).map(([name, { label, look }]) => ({
      name,
      label,
      current: currentValues[name] ?? '',
      read(input: string) {
        const parsed = parseFieldValue(name, look, input)
        return 'wrong' in parsed ? parsed : { ...parsed, text: formatFieldValue(name, look, parsed.value) }
      },
    }))
    const { set, changes } = recordChanges(fields, { values, before })
    await writeFields(tx, locationCode, set)
    const what = `${facilityForms[form].title.toLowerCase()} of ${locationCode}`
    await audit({ kind: 'facility.saved', details: { what }, changes })
    await recordFacilityChange(tx, services, locationCode)
    return { changed: Object.keys(set) }
  },
})

async function writeFields(tx: Kysely<Tables>, location_code: string, set: Record<string, unknown>): Promise<void> {
  const { website_move_in_completion_screen: screen, ...columns } = set
  if (Object.keys(columns).length > 0)
    await tx.updateTable('locations').set(columns).where('location_code', '=', location_code).execute()
  if (screen === undefined) return
  const text = { website_move_in_completion_screen: String(screen) }
  await tx
    .insertInto('location_contents')
    .values({ location_code, ...text, fee_for_24hr_access: null })
    .onConflict((conflict) => conflict.column('location_code').doUpdateSet(text))
    .execute()
}
