import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/schema/tables.ts'

/**
 * Locks an account's row until the caller's transaction ends, so that changes happen one at a time. An address
 * (`lockAccountEmail`) and email_changes are locked before it, the account's other rows after it.
 * @returns the account's e-mail address and username; undefined where the account does not exist
 */
export const lockAccountRow = (tx: Kysely<Tables>, accountId: string) =>
  tx
    .updateTable('accounts')
    .set((eb) => ({ account_id: eb.ref('account_id') }))
    .where('account_id', '=', accountId)
    .returning(['email', 'username'])
    .executeTakeFirst()
