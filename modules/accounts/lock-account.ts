import type { Kysely } from 'kysely'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'

/**
 * Locks an account's row until the caller's transaction ends, so that changes happen one at a time. Lock order:
 * email_changes, accounts, account_undos, tenants, reset_codes, passkeys, sign_ins.
 * @returns its e-mail address and username; undefined where the account does not exist
 */
export const lockAccount = (tx: Kysely<Tables>, accountId: string) =>
  tx
    .updateTable('accounts')
    .set((eb) => ({ account_id: eb.ref('account_id') }))
    .where('account_id', '=', accountId)
    .returning(['email', 'username'])
    .executeTakeFirst()

/** Returns whether an account, or one of its tenants, has an e-mail address. @param key of the address (`emailKey`) */
export async function accountHasEmail(services: Services, accountId: string, key: string): Promise<boolean> {
  const match = await services.db.read
    .selectFrom('accounts')
    .leftJoin('tenants', 'tenants.account_id', 'accounts.account_id')
    .select('accounts.account_id')
    .where('accounts.account_id', '=', accountId)
    .where((eb) => eb.or([eb('accounts.email', '=', key), eb('tenants.email_key', '=', key)]))
    .executeTakeFirst()
  return match !== undefined
}
