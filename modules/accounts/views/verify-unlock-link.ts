import { writtenByUs } from '../../../domain/parse-json.ts'
import { openMailedToken } from '../../../platform/encryption/mailed-token.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { unlockContext } from '../unlock-link.ts'

const isUnlock = writtenByUs<{ accountId: string; until: number }>('accountId', 'until')

/**
 * Verifies a mailed unlock link. The caller makes only the opening browser known to the account (`loadTrustedBrowserMarks`), so a
 * guesser gains nothing when the owner or a mail scanner opens the link.
 * @returns the account; null for an invalid or expired link
 */
export async function verifyUnlockLink(
  services: Services,
  token: string,
): Promise<{ accountId: string; username: string } | null> {
  const unlock = openMailedToken(services, token, { context: unlockContext, isContent: isUnlock })
  if (!unlock) return null
  const account = await services.db.read
    .selectFrom('accounts')
    .select('username')
    .where('account_id', '=', unlock.accountId)
    .executeTakeFirst()
  return account ? { accountId: unlock.accountId, username: account.username } : null
}
