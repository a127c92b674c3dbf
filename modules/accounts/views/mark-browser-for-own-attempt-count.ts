import type { Services } from '../../../platform/operations/services.ts'
import { accountHash, trustedBrowserMark } from '../internal/find-trusted-browser-mark.ts'

/** Maximum number of accounts that one browser remembers. */
const maxAccounts = 5

/**
 * Returns a browser's marks with one for the account, which has signed in there or proven its mailbox. With the mark in
 * its session the browser has its own count of attempts, so that a stranger's wrong guesses do not lock the owner out.
 * @param knownMarks the browser's marks so far
 */
export async function addTrustedBrowserMark(
  services: Services,
  knownMarks: readonly string[] = [],
  accountId: string,
): Promise<string[]> {
  const account = await services.db.read
    .selectFrom('accounts')
    .select(['account_id', 'password_changed_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!account) return [...knownMarks]
  const mark =
    trustedBrowserMark(account, { trustedAccounts: knownMarks }) ?? `${accountHash(account)}.${services.random.hex(4)}`
  return [mark, ...knownMarks.filter((knownMark) => knownMark !== mark)].slice(0, maxAccounts)
}
