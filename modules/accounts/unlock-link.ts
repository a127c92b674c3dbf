import { enqueue } from '../../platform/jobs/queue.ts'
import type { Services } from '../../platform/operations/services.ts'

const unlockContext = 'unlock'

export const UNLOCK_MS = 30 * 60 * 1000

/** Mails the owner of an account whose tries are used up a link that lets them in; at most one in half an hour. */
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

export const unlockToken = (services: Services, accountId: string): string =>
  services.sealer.seal(JSON.stringify({ accountId, until: services.clock.now() + UNLOCK_MS }), unlockContext)

/**
 * Reads a mailed link. Nothing is forgiven to strangers by it: the browser that opened it becomes one of the owner's and
 * has tries of its own (`rememberBrowser`), so a guesser gains nothing where the owner, or a mail scanner, opens links.
 * @returns the account, or null for a link that is not ours or too old
 */
export async function unlockLink(
  services: Services,
  token: string,
): Promise<{ accountId: string; username: string } | null> {
  let said: { accountId: string; until: number }
  try {
    said = JSON.parse(services.sealer.open(token, unlockContext))
  } catch {
    return null
  }
  if (said.until <= services.clock.now()) return null
  const account = await services.db.read
    .selectFrom('accounts')
    .select('username')
    .where('account_id', '=', said.accountId)
    .executeTakeFirst()
  return account ? { accountId: said.accountId, username: account.username } : null
}
