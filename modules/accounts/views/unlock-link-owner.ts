import type { Services } from '../../../platform/operations/services.ts'
import { readUnlock } from '../unlock-link.ts'

/**
 * Returns the account of a mailed unlock link; null for an invalid or expired link. The caller trusts only the browser
 * that opens the link (`addTrustedBrowserMark`), so a guesser gains nothing when the owner or a mail scanner opens it.
 */
export async function findUnlockLinkOwner(
  services: Services,
  token: string,
): Promise<{ accountId: string; username: string } | null> {
  const unlock = readUnlock(services, token)
  if (!unlock) return null
  const account = await services.db.read
    .selectFrom('accounts')
    .select('username')
    .where('account_id', '=', unlock.accountId)
    .executeTakeFirst()
  return account ? { accountId: unlock.accountId, username: account.username } : null
}
