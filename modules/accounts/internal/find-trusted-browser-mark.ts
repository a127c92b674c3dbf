import { createHash } from 'node:crypto'
import type { Callers } from '../../../platform/operations/callers.ts'
import type { AccountsTable } from '../../../platform/schema/tables.ts'

/**
 * Returns the hash that represents an account in the cookies of its trusted browsers. It depends on the time of the
 * last password change, so that a new password ends the trust in every browser.
 */
export const accountHash = (account: Pick<AccountsTable, 'account_id' | 'password_changed_at'>): string =>
  createHash('sha256')
    .update(`${account.account_id}:${account.password_changed_at ?? 0}`)
    .digest('hex')
    .slice(0, 16)

/**
 * Returns the account's mark in this browser's cookie: the account's hash, a dot and eight random hex digits. Returns
 * undefined for a browser that is not trusted.
 */
export const trustedBrowserMark = (
  account: Pick<AccountsTable, 'account_id' | 'password_changed_at'> | undefined,
  callers: Pick<Callers, 'trustedAccounts'>,
): string | undefined => account && callers.trustedAccounts?.find((mark) => mark.startsWith(`${accountHash(account)}.`))
