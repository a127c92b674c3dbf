import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/schema/tables.ts'

/**
 * Locks an account's row until the caller's transaction ends: of two changes at once, one is the first.
 * Lock order: email_changes, accounts, account_undos, tenants, reset_codes, passkeys, sign_ins.
 * @returns how it is reached; undefined where there is no such account
 */
export const lockAccount = (tx: Kysely<Tables>, accountId: string) =>
  tx
    .updateTable('accounts')
    .set((eb) => ({ account_id: eb.ref('account_id') }))
    .where('account_id', '=', accountId)
    .returning(['email', 'username'])
    .executeTakeFirst()
