import type { Kysely } from 'kysely'
import { lockName } from '../../../platform/database/lock-by-name.ts'
import type { Tables } from '../../../platform/schema/tables.ts'

/**
 * Locks an e-mail address until the caller's transaction ends, so that no two accounts take it. Callers lock rows only
 * after it (`lock-account-row.ts`).
 * @param accountId account that takes the address
 * @returns whether another account has it as e-mail address or username
 */
export async function lockAccountEmail(tx: Kysely<Tables>, email: string, accountId: string): Promise<boolean> {
  // No index keeps an address unique: only usernames are, and a username may be another address or no address.
  await lockName(tx, `account-email:${email}`)
  const other = await tx
    .selectFrom('accounts')
    .select('account_id')
    .where('account_id', '!=', accountId)
    .where((eb) => eb.or([eb('username', '=', email), eb('email', '=', email)]))
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}
