import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { findAccountByUsername } from '../internal/find-account-to-sign-in.ts'
import { mailedLinkLimit } from '../internal/mailed-link-limit.ts'
import { UNLOCK_MS } from '../unlock-link.ts'

/**
 * Mails a link that gives the browser that opens it its own attempts at the account's password, at most one in each
 * half hour of the clock. Returns nothing, so that no response reveals whether an account was found.
 * @param address network address of the visitor
 */
export async function mailUnlockLink(services: Services, username: string, address: string): Promise<void> {
  const limitResult = await services.limits.consumeFrom(address, 'unlock', mailedLinkLimit)
  if (!limitResult.allowed) return
  const account = await findAccountByUsername(services, username)
  if (!account) return
  const now = services.clock.now()
  await enqueue(services.db.write, {
    kind: 'unlock',
    once: `${account.account_id}:${Math.floor(now / UNLOCK_MS)}`,
    payload: { accountId: account.account_id },
    runAt: now,
  })
}
