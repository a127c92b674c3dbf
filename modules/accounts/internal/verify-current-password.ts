/**
 * Verifies that the account's holder is present, not only a signed-in browser, before their credentials change
 * (docs/decisions/signing-in.md).
 */
import type { Selectable } from 'kysely'
import { currentPasswordRequired, enterCorrectInformation } from '../../../domain/texts/account.ts'
import { checkAndCountGuess, countWrongGuess, targetKeys } from '../../../platform/operations/brute-force-limits.ts'
import { type Refusal, refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { AccountsTable } from '../../../platform/schema/tables.ts'

type Account = Pick<Selectable<AccountsTable>, 'account_id' | 'password_hash' | 'username' | 'email'>

export type PasswordCheck =
  /** The account as read before the password was compared. */
  | { result: 'proven'; account: Account }
  | { result: 'missing' }
  | { result: 'wrong' }
  | { result: 'refused'; refusal: Refusal }

/** Verifies the current password. Attempts are counted before the comparison. */
export async function verifyCurrentPassword(
  services: Services,
  accountId: string,
  { current_password }: { current_password: string },
): Promise<PasswordCheck> {
  if (current_password === '') return { result: 'missing' }
  const name = `password:${accountId}`
  const refusal = await checkAndCountGuess(services, 'presence', { name })
  if (refusal) return { result: 'refused', refusal }
  const account = await services.db.read
    .selectFrom('accounts')
    .select(['account_id', 'password_hash', 'username', 'email'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!account || !(await services.passwords.verify(account.password_hash, current_password))) {
    services.security.record('password.refused', { account: accountId, why: 'wrong_password' })
    await countWrongGuess(services, 'presence')
    return { result: 'wrong' }
  }
  for (const { key } of targetKeys('presence', name)) await services.limits.reset(key)
  return { result: 'proven', account }
}

/** Verifies the current password as `verifyCurrentPassword` does. Returns the refusal; null if it is right. */
export async function refuseWithoutCurrentPassword(
  services: Services,
  accountId: string,
  proof: { current_password: string },
): Promise<Refusal | null> {
  const check = await verifyCurrentPassword(services, accountId, proof)
  if (check.result === 'proven') return null
  if (check.result === 'refused') return check.refusal
  const isWrong = check.result === 'wrong'
  const sentence = isWrong ? enterCorrectInformation : currentPasswordRequired
  const fields = { current_password: sentence }
  return refuse(isWrong ? 403 : 400, isWrong ? 'wrong_password' : 'invalid_input', sentence, { fields })
}
