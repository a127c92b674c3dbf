import type { FormField } from '../../../domain/forms/all-values-of-field.ts'
import { isListOf, isTextList, parseJson } from '../../../domain/parse-json-and-check-shape.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { storedFormContext } from '../table-types-and-privacy.ts'

const areFormFields = isListOf((field): field is FormField => isTextList(field) && field.length === 2)

/**
 * Returns the fields of an office form that was stored while the second factor was asked for; null for another sign-in
 * or page, or after one hour.
 */
export async function loadStoredForm(
  services: Pick<Services, 'db' | 'clock' | 'sealer'>,
  { signIn }: Pick<StaffCaller, 'signIn'>,
  page: string,
  formId: string,
): Promise<FormField[] | null> {
  const row = await services.db.read
    .selectFrom('kept_forms')
    .select('fields_sealed')
    .where('form_id', '=', formId)
    .where('sign_in', '=', signIn)
    .where('page', '=', page)
    .where('expires_at', '>', services.clock.now())
    .executeTakeFirst()
  return row ? parseJson(services.sealer.open(row.fields_sealed, storedFormContext(formId)), areFormFields) : null
}
