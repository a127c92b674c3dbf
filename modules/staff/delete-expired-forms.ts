import type { Services } from '../../platform/operations/services.ts'

/**
 * Deletes expired office forms. They are stored while the second factor is asked for, so that the page can show the
 * typed values again.
 * @returns number of deleted forms
 */
export async function deleteExpiredForms({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const deleted = await db.write.deleteFrom('kept_forms').where('expires_at', '<=', clock.now()).executeTakeFirst()
  return Number(deleted.numDeletedRows)
}
