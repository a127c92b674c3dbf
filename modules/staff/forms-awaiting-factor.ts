/**
 * Stores a submitted office form while the second factor is asked for, so that the page can show the typed values
 * again.
 */

import { HOUR } from '../../domain/durations.ts'
import { isListOf, isTextList, parseJson } from '../../domain/parse-json.ts'
import type { StaffCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'

/** Time in milliseconds for which a form is stored while the second factor is asked for. */
const STORED_FORM_MS = HOUR

/** Sealing context of a stored form's fields. */
export const storedFormContext = (formId: string) => `kept form:${formId}`

export type FormField = readonly [name: string, value: string]

const areFormFields = isListOf((field): field is FormField => isTextList(field) && field.length === 2)

type FormServices = Pick<Services, 'db' | 'clock' | 'random' | 'sealer'>

/**
 * Stores a form for the sign-in that submitted it.
 * @param page path of the form's page
 * @returns form id
 */
export async function storeForm(
  services: FormServices,
  { signIn }: Pick<StaffCaller, 'signIn'>,
  page: string,
  fields: readonly FormField[],
): Promise<string> {
  const form_id = services.random.uuid()
  await services.db.write
    .insertInto('kept_forms')
    .values({
      form_id,
      sign_in: signIn,
      page,
      fields_sealed: services.sealer.seal(JSON.stringify(fields), storedFormContext(form_id)),
      expires_at: services.clock.now() + STORED_FORM_MS,
    })
    .execute()
  return form_id
}

/** Returns the fields of a stored form; null for another sign-in or page, or after it expired (one hour). */
export async function loadStoredForm(
  services: Omit<FormServices, 'random'>,
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

/** Deletes a stored form after its operation succeeded, so that its page opens empty. */
export const deleteStoredForm = ({ db }: FormServices, { signIn }: Pick<StaffCaller, 'signIn'>, formId: string) =>
  db.write.deleteFrom('kept_forms').where('form_id', '=', formId).where('sign_in', '=', signIn).execute()

/**
 * Deletes expired stored forms.
 * @returns number of deleted forms
 */
export async function deleteExpiredForms({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const deleted = await db.write.deleteFrom('kept_forms').where('expires_at', '<=', clock.now()).executeTakeFirst()
  return Number(deleted.numDeletedRows)
}
