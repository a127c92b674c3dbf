import type { StaffCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'

/** Deletes a stored form after its operation succeeded, so that its page opens empty. */
export const deleteStoredForm = (
  { db }: Pick<Services, 'db'>,
  { signIn }: Pick<StaffCaller, 'signIn'>,
  formId: string,
) => db.write.deleteFrom('kept_forms').where('form_id', '=', formId).where('sign_in', '=', signIn).execute()
