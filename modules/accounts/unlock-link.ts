import { MINUTE } from '../../domain/durations.ts'
import { writtenByUs } from '../../domain/parse-json.ts'
import { openMailedToken } from '../../platform/encryption/mailed-token.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import type { Services } from '../../platform/operations/services.ts'

const unlockContext = 'unlock'

export const UNLOCK_MS = 30 * MINUTE

/** Mails a link that unlocks an account whose attempts are used up; at most one in half an hour. */
export async function mailUnlock(services: Services, account: { account_id: string } | undefined): Promise<void> {
  if (!account) return
  const now = services.clock.now()
  await enqueue(services.db.write, {
    kind: 'unlock',
    once: `${account.account_id}:${Math.floor(now / UNLOCK_MS)}`,
    payload: { accountId: account.account_id },
    runAt: now,
  })
}

const isUnlock = writtenByUs<{ accountId: string; until: number }>('accountId', 'until')

/** Returns the token of a mailed unlock link, valid for `UNLOCK_MS`. */
export const unlockToken = (services: Services, accountId: string): string =>
  services.sealer.seal(JSON.stringify({ accountId, until: services.clock.now() + UNLOCK_MS }), unlockContext)

/**
 * Verifies a mailed unlock link. The caller makes only the opening browser known to the account (`trustBrowser`), so a
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
