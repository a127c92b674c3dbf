import { MINUTE } from '../../domain/durations.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import type { Services } from '../../platform/operations/services.ts'

export const unlockContext = 'unlock'

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

/** Returns the token of a mailed unlock link, valid for `UNLOCK_MS`. */
export const unlockToken = (services: Services, accountId: string): string =>
  services.sealer.seal(JSON.stringify({ accountId, until: services.clock.now() + UNLOCK_MS }), unlockContext)
