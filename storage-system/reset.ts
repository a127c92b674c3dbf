/**
 * The steps of a reset after the name was given: the code that was mailed, and the new password (spec 2 §4 "Password
 * reset"); and the mailed link that lets the owner in where strangers have used up the tries.
 */
import { timingSafeEqual } from 'node:crypto'
import { RESET_CODE_TRIES } from '../domain/business.ts'
import { enqueue } from '../platform/jobs/queue.ts'
import { notePasswordChange } from './account-changes.ts'
import { lockAccount } from './account-lock.ts'
import { resetContext } from './account-look-ups.ts'
import { countGuess, guessBounds, wrongGuess } from './guesses.ts'
import { passwordFault } from './new-password.ts'
import type { Callers, House } from './operation.ts'
import { passkeysOf, removePasskeysSince } from './passkeys/store.ts'
import { forgetWrongPasswords, markOf } from './sign-in.ts'
import { endSignInsOf } from './sign-ins.ts'

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
  return row.tries >= RESET_CODE_TRIES ? 'none' : 'code'
}

/** The account that a reset is of. */
const accountOfReset = (house: House, resetId: string) =>
  house.db.read
    .selectFrom('reset_codes')
    .innerJoin('accounts', 'accounts.account_id', 'reset_codes.account_id')
    .select(['accounts.account_id', 'password_changed_at', 'username', 'email'])
    .where('reset_id', '=', resetId)
    .executeTakeFirst()

/** The name to ask for another code with; '' where there is no such reset. */
export async function nameOfReset(house: House, resetId: string | undefined): Promise<string> {
  return (resetId && (await accountOfReset(house, resetId))?.username) || ''
}

/**
 * Tries a code. Each try counts before it is looked at, so that many at once are no more than five; besides, the tries of an
 * address, of an account over all of its codes, and wrong ones in all. A browser that its owner has signed in with has its own.
 */
export async function tryResetCode(
  house: House,
  resetId: string,
  code: string,
  callers: Pick<Callers, 'address' | 'knownAccounts'>,
): Promise<'matched' | 'wrong' | 'over'> {
  const now = house.clock.now()
  const account = await accountOfReset(house, resetId)
  if (!account) return 'over'
  const mark = markOf(account, callers)
  const known = mark !== undefined
  const over = () => {
    house.security.record('reset.locked', { account: account.account_id })
    return 'over' as const
  }
  if (
    !known &&
    !(await house.limits.consumeFrom(callers.address, 'reset code', guessBounds['reset code'].address)).allowed
  )
    return over()
  if (await countGuess(house, 'reset code', { name: `reset code:${mark ?? account.account_id}`, known })) return over()
  const row = await house.db.write
    .updateTable('reset_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('reset_id', '=', resetId)
    .where('tries', '<', RESET_CODE_TRIES)
    .where('matched_at', 'is', null)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['code_sealed', 'tries'])
    .executeTakeFirst()
  if (!row) return 'over'
  const right = Buffer.from(house.sealer.open(row.code_sealed, resetContext(resetId)))
  const given = Buffer.from(code)
  if (given.length !== right.length || !timingSafeEqual(given, right)) {
    house.security.record('reset.refused', { account: account.account_id, why: 'wrong_code' })
    if (!known) await wrongGuess(house, 'reset code')
    return row.tries >= RESET_CODE_TRIES ? 'over' : 'wrong'
  }
  const matched = await house.db.write
    .updateTable('reset_codes')
    .set({ matched_at: now })
    .where('reset_id', '=', resetId)
    .where('matched_at', 'is', null)
    .where('used_at', 'is', null)
    .returning('reset_id')
    .executeTakeFirst()
  return matched ? 'matched' : 'over'
}

export type Finished =
  | { ok: true; accountId: string }
  /** `weak`: why the password is refused; null where the reset has ended. */
  | { ok: false; weak: string | null }

/** The names of the passkeys that the account of a reset has: whoever resets decides whether they stay. */
export async function passkeysOfReset(house: House, resetId: string | undefined): Promise<string[]> {
  const account = resetId ? await accountOfReset(house, resetId) : undefined
  return account ? (await passkeysOf(house, account.account_id)).map((one) => one.name) : []
}

/**
 * Sets the new password, once, and ends every sign-in and every other reset of the account.
 * @param wish `removePasskeys`: they stay unless asked for (docs/decisions/passkeys.md)
 */
export async function finishReset(
  house: House,
  resetId: string,
  password: string,
  wish: { removePasskeys: boolean } = { removePasskeys: false },
): Promise<Finished> {
  const account = await accountOfReset(house, resetId)
  if (!account || (await resetStep(house, resetId)) !== 'password') return { ok: false, weak: null }
  const weak = await passwordFault(house, password, [account.username, account.email])
  if (weak) return { ok: false, weak }
  const password_hash = await house.passwords.hash(password)
  const accountId = account.account_id
  const finished = await house.db.transaction(async (tx) => {
    const now = house.clock.now()
    // Before the code: see the lock order there.
    await lockAccount(tx, accountId)
    const used = await tx
      .updateTable('reset_codes')
      .set({ used_at: now })
      .where('reset_id', '=', resetId)
      .where('matched_at', 'is not', null)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('reset_id')
      .executeTakeFirst()
    if (!used) return false
    await tx.updateTable('accounts').set({ password_hash }).where('account_id', '=', accountId).execute()
    if (wish.removePasskeys) await removePasskeysSince(tx, house, accountId, 0)
    await notePasswordChange(tx, house, accountId)
    await endSignInsOf(tx, accountId, now)
    return true
  })
  if (!finished) return { ok: false, weak: null }
  house.security.record('reset.completed', { account: accountId })
  await forgetWrongPasswords(house, accountId)
  return { ok: true, accountId }
}

// ── Let in again ──────────────────────────────────────────────────────────────────────────────────────────────────────

const unlockContext = 'unlock'
/** How long the mailed link is good for. */
export const UNLOCK_MS = 30 * 60 * 1000

/** Mails the owner of an account whose tries are used up a link that lets them in; at most one in half an hour. */
export async function mailUnlock(house: House, account: { account_id: string } | undefined): Promise<void> {
  if (!account) return
  const now = house.clock.now()
  await enqueue(house.db.write, {
    kind: 'unlock',
    once: `${account.account_id}:${Math.floor(now / UNLOCK_MS)}`,
    payload: { accountId: account.account_id },
    runAt: now,
  })
}

/** What the mailed link carries. */
export const unlockToken = (house: House, accountId: string): string =>
  house.sealer.seal(JSON.stringify({ accountId, until: house.clock.now() + UNLOCK_MS }), unlockContext)

/**
 * Reads a mailed link. Nothing is forgiven to strangers by it: the browser that opened it becomes one of the owner's and
 * has tries of its own (`withMark`), so a guesser gains nothing where the owner, or a mail scanner, opens links.
 * @returns the account, or null for a link that is not ours or too old
 */
export async function unlockLink(house: House, token: string): Promise<{ accountId: string; username: string } | null> {
  let said: { accountId: string; until: number }
  try {
    said = JSON.parse(house.sealer.open(token, unlockContext))
  } catch {
    return null
  }
  if (said.until <= house.clock.now()) return null
  const account = await house.db.read
    .selectFrom('accounts')
    .select('username')
    .where('account_id', '=', said.accountId)
    .executeTakeFirst()
  return account ? { accountId: said.accountId, username: account.username } : null
}
