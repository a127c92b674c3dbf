import { createHash } from 'node:crypto'
import type { Callers } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { AccountsTable } from '../../platform/schema/tables.ts'

/**
 * Returns a hash that stands for the account in this browser. It depends on the password's change date, so a new
 * password makes every browser unknown again.
 */
const accountHash = (account: Pick<AccountsTable, 'account_id' | 'password_changed_at'>): string =>
  createHash('sha256')
    .update(`${account.account_id}:${account.password_changed_at ?? 0}`)
    .digest('hex')
    .slice(0, 16)

/** Maximum number of accounts that one browser remembers. */
const maxAccounts = 5

/**
 * Returns the mark that this browser's cookie holds for an account that has signed in from it, 'hash.browser';
 * undefined for an unknown browser.
 */
export const trustedBrowserMark = (
  account: Pick<AccountsTable, 'account_id' | 'password_changed_at'> | undefined,
  callers: Pick<Callers, 'knownAccounts'>,
): string | undefined => account && callers.knownAccounts?.find((mark) => mark.startsWith(`${accountHash(account)}.`))

/**
 * Marks this browser as known to an account that has signed in or proven its mailbox. The browser then has its own
 * count of attempts, so that a stranger's wrong guesses do not lock the owner out.
 * @param knownMarks the browser's marks so far
 * @returns its new marks, for the session
 */
export async function trustBrowser(
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
    trustedBrowserMark(account, { knownAccounts: knownMarks }) ?? `${accountHash(account)}.${services.random.hex(4)}`
  return [mark, ...knownMarks.filter((knownMark) => knownMark !== mark)].slice(0, maxAccounts)
}
