/**
 * Submitted office forms that are stored while the second factor is asked for, so that the page can show the typed
 * values again.
 */

import type { Services } from '../../platform/operations/services.ts'

/** Sealing context of a stored form's fields. */
export const storedFormContext = (formId: string) => `kept form:${formId}`

/**
 * Deletes expired stored forms.
 * @returns number of deleted forms
 */
export async function deleteExpiredForms({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const deleted = await db.write.deleteFrom('kept_forms').where('expires_at', '<=', clock.now()).executeTakeFirst()
  return Number(deleted.numDeletedRows)
}
