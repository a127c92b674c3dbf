import type { Services } from '../../../platform/operations/services.ts'

/** Returns whether to offer a passkey: not to an account that has one or has declined. */
export async function isPasskeyOffered(services: Services, accountId: string): Promise<boolean> {
  const row = await services.db.read
    .selectFrom('accounts')
    .leftJoin('passkeys', 'passkeys.account_id', 'accounts.account_id')
    .select('passkey_id')
    .where('accounts.account_id', '=', accountId)
    .where('passkey_offer_declined_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined && row.passkey_id === null
}
