import { HOUR } from '../../../domain/durations.ts'
import type { FormField } from '../../../domain/forms/all-values-of-field.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { storedFormContext } from '../table-types-and-privacy.ts'

/** Time in milliseconds for which a form is stored while the second factor is asked for. */
const STORED_FORM_MS = HOUR

/**
 * Stores a form for the sign-in that submitted it.
 * @param page path of the form's page
 * @returns form id
 */
export async function storeFormForSecondFactor(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'sealer'>,
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
