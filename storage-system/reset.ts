/** The second and third step of a reset: the code that was mailed, and the new password (spec 2 §4 "Password reset"). */
import { enqueue } from '../database/jobs.ts'
import { notePasswordChange } from './account-changes.ts'
import { RESET_TRIES, resetContext } from './account-look-ups.ts'
import type { House } from './operation.ts'
import { endSignInsOf } from './sign-in.ts'

export type ResetStep = 'none' | 'code' | 'password'

/** How far this browser's reset has come; 'none' once it has ended. */
export async function resetStep(house: House, resetId: string | undefined): Promise<ResetStep> {
  if (!resetId) return 'none'
  const row = await house.db.read
    .selectFrom('reset_codes')
    .select(['matched_at', 'tries', 'expires_at', 'used_at'])
    .where('reset_id', '=', resetId)
    .executeTakeFirst()
  if (!row || row.used_at !== null || row.expires_at <= house.clock.now()) return 'none'
  if (row.matched_at !== null) return 'password'
  return row.tries >= RESET_TRIES ? 'none' : 'code'
}

/** Tries a code. Each try counts before it is looked at, so that many at once are no more than five. */
export async function tryResetCode(house: House, resetId: string, code: string): Promise<'matched' | 'wrong' | 'over'> {
  const now = house.clock.now()
  const row = await house.db.write
    .updateTable('reset_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('reset_id', '=', resetId)
    .where('tries', '<', RESET_TRIES)
    .where('matched_at', 'is', null)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['code_sealed', 'tries'])
    .executeTakeFirst()
  if (!row) return 'over'
  if (house.sealer.open(row.code_sealed, resetContext(resetId)) !== code) {
    return row.tries >= RESET_TRIES ? 'over' : 'wrong'
  }
  await house.db.write.updateTable('reset_codes').set({ matched_at: now }).where('reset_id', '=', resetId).execute()
  return 'matched'
}

/** Sets the new password, once, and ends every sign-in of the account. @returns false where the reset has ended */
export async function finishReset(house: House, resetId: string, password: string): Promise<boolean> {
  if ((await resetStep(house, resetId)) !== 'password') return false
  const password_hash = await house.passwords.hash(password)
  const accountId = await house.db.transaction(async (tx) => {
    const now = house.clock.now()
    const used = await tx
      .updateTable('reset_codes')
      .set({ used_at: now })
      .where('reset_id', '=', resetId)
      .where('matched_at', 'is not', null)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('account_id')
      .executeTakeFirst()
    if (!used?.account_id) return null
    await tx.updateTable('accounts').set({ password_hash }).where('account_id', '=', used.account_id).execute()
    await notePasswordChange(tx, house, used.account_id)
    await endSignInsOf(tx, used.account_id, now)
    return used.account_id
  })
  if (accountId === null) return false
  const account = await house.db.read
    .selectFrom('accounts')
    .select(['username', 'email'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  // Whoever was kept out by wrong passwords is let in with the new one.
  for (const name of new Set([account?.username, account?.email])) if (name) await house.limits.forget(`login:${name}`)
  return true
}

// ── Let in again ──────────────────────────────────────────────────────────────────────────────────────────────────────

const unlockContext = 'unlock'
const UNLOCK_MS = 30 * 60 * 1000

/** Mails the owner of a name that too many wrong passwords were tried for a link that lets them in; nobody else a word. */
export async function mailUnlock(
  house: House,
  account: { account_id: string; username: string } | undefined,
): Promise<void> {
  if (!account) return
  const now = house.clock.now()
  await house.db.transaction((tx) =>
    enqueue(tx, {
      kind: 'unlock',
      once: `${account.account_id}:${Math.floor(now / UNLOCK_MS)}`,
      payload: { accountId: account.account_id },
      runAt: now,
    }),
  )
}

/** What the mailed link carries. */
export const unlockToken = (house: House, accountId: string): string =>
  house.sealer.seal(JSON.stringify({ accountId, until: house.clock.now() + UNLOCK_MS }), unlockContext)

/** Opens a mailed link: the wrong tries are forgotten. @returns the account, or null for a link that is not ours or too old */
export async function unlock(house: House, token: string): Promise<{ accountId: string; username: string } | null> {
  let said: { accountId: string; until: number }
  try {
    said = JSON.parse(house.sealer.open(token, unlockContext))
  } catch {
    return null
  }
  if (said.until <= house.clock.now()) return null
  const account = await house.db.read
    .selectFrom('accounts')
    .select(['username', 'email'])
    .where('account_id', '=', said.accountId)
    .executeTakeFirst()
  if (!account) return null
  for (const name of new Set([account.username, account.email])) await house.limits.forget(`login:${name}`)
  return { accountId: said.accountId, username: account.username }
}
