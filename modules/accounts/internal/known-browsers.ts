import { createHash } from 'node:crypto'
import type { Callers } from '../../../platform/operations/callers.ts'
import type { AccountsTable } from '../../../platform/schema/tables.ts'

/**
 * Returns a hash that stands for the account in this browser. It depends on the password's change date, so a new
 * password makes every browser unknown again.
 */
export const accountHash = (account: Pick<AccountsTable, 'account_id' | 'password_changed_at'>): string =>
  createHash('sha256')
    .update(`${account.account_id}:${account.password_changed_at ?? 0}`)
    .digest('hex')
    .slice(0, 16)

/**
 * Returns the mark that this browser's cookie holds for an account that has signed in from it, 'hash.browser';
 * undefined for an unknown browser.
 */
export const trustedBrowserMark = (
  account: Pick<AccountsTable, 'account_id' | 'password_changed_at'> | undefined,
  callers: Pick<Callers, 'knownAccounts'>,
): string | undefined => account && callers.knownAccounts?.find((mark) => mark.startsWith(`${accountHash(account)}.`))
