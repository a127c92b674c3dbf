import type { Selectable } from 'kysely'
import { emailKey } from '../../../domain/name-and-email-keys.ts'
import { checkAndCountGuess, countWrongGuess, targetKeys } from '../../../platform/operations/brute-force-limits.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import type { Refusal } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { AccountsTable } from '../../../platform/schema/tables.ts'
import { trustedBrowserMark } from './find-trusted-browser-mark.ts'

/**
 * Counts an attempt at an account's password, before the comparison. A trusted browser has its own count; all others
 * share one, whether they use the username or the e-mail address.
 * @param by attempts with a passkey are counted apart from those with the password
 * @returns the refusal once attempts are used up, else functions that record the attempt's success or failure
 */
export async function countPasswordAttempt(
  services: Services,
  account: Selectable<AccountsTable> | undefined,
  username: string,
  callers: Callers,
  by: 'login' | 'passkey' = 'login',
): Promise<{ refusal: Refusal } | { refusal: null; recordSuccess(): Promise<void>; recordFailure(): Promise<void> }> {
  const mark = trustedBrowserMark(account, callers)
  // Users type anything into this field, even card numbers, so an unknown name's count is stored under a fingerprint.
  const subjectKey = mark ?? account?.account_id ?? services.sealer.fingerprint(emailKey(username), 'limit')
  const name = `${by}:${subjectKey}`
  const how = by === 'login' ? 'password' : by
  const subject = account ? { account: account.account_id } : { email: username }
  // A passkey cannot be guessed, so a limit that a botnet has used up does not apply.
  const isTrustedBrowser = mark !== undefined || by === 'passkey'
  const refusal = await checkAndCountGuess(services, 'password', { name, isTrustedBrowser, code: 'locked' })
  if (refusal) {
    services.security.record('sign_in.locked', { ...subject, how })
    return { refusal }
  }
  return {
    refusal: null,
    async recordSuccess() {
      for (const { key } of targetKeys('password', name)) await services.limits.reset(key)
    },
    async recordFailure() {
      services.security.record('sign_in.refused', { ...subject, how, why: account ? 'wrong_password' : 'no_account' })
      if (mark === undefined) await countWrongGuess(services, 'password')
    },
  }
}

/** Resets the count of attempts at an account's password, so that a log-in after a password reset is not refused. */
export async function resetPasswordAttempts(services: Services, accountId: string): Promise<void> {
  for (const { key } of targetKeys('password', `login:${accountId}`)) await services.limits.reset(key)
}
