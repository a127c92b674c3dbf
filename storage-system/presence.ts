/**
 * Proof that an account's holder is present, and not only a browser that is signed in: asked for before what they sign in with
 * changes (docs/decisions/signing-in.md).
 */
import type { Selectable } from 'kysely'
import type { AccountsTable } from '../database/tables.ts'
import { messages } from '../domain/messages.ts'
import { type House, type Refusal, refuse } from './operation.ts'

type Account = Pick<Selectable<AccountsTable>, 'account_id' | 'password_hash' | 'username' | 'email'>

export type Presence =
  /** As it was read before the password was compared. */
  | { result: 'proven'; account: Account }
  | { result: 'missing' }
  | { result: 'wrong' }
  | { result: 'refused'; refusal: Refusal }

/** Wrong passwords of a browser that is signed in. */
const tries = [
  { suffix: '', points: 10, perSeconds: 900 },
  { suffix: ':day', points: 60, perSeconds: 86_400 },
]

/** The proof is the current password. Each try counts before it is looked at. */
export async function provePresence(
  house: House,
  accountId: string,
  { current_password }: { current_password: string },
): Promise<Presence> {
  if (current_password === '') return { result: 'missing' }
  const keys = tries.map(({ suffix, ...limit }) => ({ key: `password:${accountId}${suffix}`, limit }))
  const spent = await house.limits.spendAll(keys)
  if (!spent.allowed) {
    const retryAfter = spent.retryAfterSeconds
    return { result: 'refused', refusal: refuse(429, 'too_many', messages.tooManyTries, { retryAfter }) }
  }
  const account = await house.db.read
    .selectFrom('accounts')
    .select(['account_id', 'password_hash', 'username', 'email'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!account || !(await house.passwords.verify(account.password_hash, current_password))) return { result: 'wrong' }
  for (const { key } of keys) await house.limits.forget(key)
  return { result: 'proven', account }
}
