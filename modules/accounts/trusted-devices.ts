import { createHash } from 'node:crypto'
import type { Callers } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { AccountsTable } from '../../platform/schema/tables.ts'

/** Says nothing to anybody else; a new password makes every browser a stranger again, a thief's among them. */
const knownAs = (account: Pick<AccountsTable, 'account_id' | 'password_changed_at'>): string =>
  createHash('sha256')
    .update(`${account.account_id}:${account.password_changed_at ?? 0}`)
    .digest('hex')
    .slice(0, 16)

/** Accounts that one browser remembers; more share a device seldom. */
const mostKnown = 5

/** This browser's mark of an account that was signed in to from it: 'hash.browser'; undefined for a stranger. */
export const browserMark = (
  account: Pick<AccountsTable, 'account_id' | 'password_changed_at'> | undefined,
  callers: Pick<Callers, 'knownAccounts'>,
): string | undefined => account && callers.knownAccounts?.find((mark) => mark.startsWith(`${knownAs(account)}.`))

/**
 * The owner has signed in, or shown their mailbox, in this browser: from now on it has tries of its own, so that a
 * stranger's wrong guesses do not lock the owner out (case 26).
 * @param known the browser's marks so far
 * @returns its marks from now on, for the session
 */
export async function rememberBrowser(
  services: Services,
  known: readonly string[] = [],
  accountId: string,
): Promise<string[]> {
  const account = await services.db.read
    .selectFrom('accounts')
    .select(['account_id', 'password_changed_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!account) return [...known]
  const mark = browserMark(account, { knownAccounts: known }) ?? `${knownAs(account)}.${services.random.hex(4)}`
  return [mark, ...known.filter((one) => one !== mark)].slice(0, mostKnown)
}
