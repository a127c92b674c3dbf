import type { Instant } from '../../../domain/time-zone-dates.ts'
import type { Services } from '../../../platform/operations/services.ts'

/** Loads an account's username, last password change and creation; null where the account does not exist. */
export async function loadLogin(
  services: Services,
  accountId: string,
): Promise<{ username: string; passwordChangedAt: Instant | null; createdAt: Instant } | null> {
  const row = await services.db.read
    .selectFrom('accounts')
    .select(['username', 'password_changed_at', 'created_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row ? { username: row.username, passwordChangedAt: row.password_changed_at, createdAt: row.created_at } : null
}
