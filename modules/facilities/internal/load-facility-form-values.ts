import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/schema/tables.ts'
import {
  type FacilityField,
  type FacilityForm,
  facilityFormNames,
  facilityForms,
  formatFieldValue,
} from '../rules/facility-setup-fields.ts'
import { hashValues, type Values } from './compare-form-with-record.ts'

/** Returns the fields of a facility's setup form, each with its name. */
export const facilityFormFields = (form: FacilityForm) => Object.entries<FacilityField>(facilityForms[form].fields)

/** Loads the values of a setup form of a facility, as text. */
export async function loadFormValues(tx: Kysely<Tables>, locationCode: string, form: FacilityForm): Promise<Values> {
  const [location, contents] = await Promise.all([
    tx.selectFrom('locations').selectAll().where('location_code', '=', locationCode).executeTakeFirst(),
    tx.selectFrom('location_contents').selectAll().where('location_code', '=', locationCode).executeTakeFirst(),
  ])
  const row: Record<string, unknown> = { ...contents, ...location }
  return Object.fromEntries(
    facilityFormFields(form).map(([name, { look }]) => [name, formatFieldValue(name, look, row[name] ?? '')]),
  )
}

/** A form of a facility with its current values. */
export interface ShownForm {
  form: FacilityForm
  values: Values
  /** Hash of each shown value, by field (`hashValues`). */
  before: Values
}

/** Loads the current values of all setup forms of a facility, each with a hash by which a stale form is detected. */
export const loadFacilityForms = (db: Kysely<Tables>, locationCode: string): Promise<ShownForm[]> =>
  Promise.all(
    facilityFormNames.map(async (form) => {
      const values = await loadFormValues(db, locationCode, form)
      return { form, values, before: hashValues(values) }
    }),
  )
