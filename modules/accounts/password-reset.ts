import { timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { checkAndCountGuess, countWrongGuess, guessLimits } from '../../platform/operations/brute-force-limits.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import { findPasswordProblem } from '../../platform/passwords/find-password-problem.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { endAccountSignIns } from './active-sign-ins.ts'
import { recordPasswordChange } from './change-notices.ts'
import { trustedBrowserMark } from './internal/find-trusted-browser-mark.ts'
import { lockAccountRow } from './internal/lock-account-row.ts'
import { resetPasswordAttempts } from './internal/password-attempt-limits.ts'
import { removePasskeysSince } from './passkeys/store.ts'
import { RESET_CODE_MAX_ATTEMPTS } from './rules/generate-reset-code.ts'

/** Returns the encryption context of the code of a password reset. */
export const resetContext = (resetId: string) => `reset:${resetId}:code`

export type ResetStep = 'none' | 'code' | 'password'

/**
 * Loads the step that this browser's password reset has reached; 'none' without a reset, or once it has ended or the
 * attempts at its code are used up.
 */
export async function loadResetStep(services: Services, resetId: string | undefined): Promise<ResetStep> {
  if (!resetId) return 'none'
  const row = await services.db.read
    .selectFrom('reset_codes')
    .select(['matched_at', 'tries', 'expires_at', 'used_at'])
    .where('reset_id', '=', resetId)
    .executeTakeFirst()
  if (!row || row.used_at !== null || row.expires_at <= services.clock.now()) return 'none'
  if (row.matched_at !== null) return 'password'
  return row.tries >= RESET_CODE_MAX_ATTEMPTS ? 'none' : 'code'
}

/** Ends a password reset, also one whose code was entered. */
export async function endReset(db: Kysely<Tables>, resetId: string, now: Instant): Promise<void> {
  await db
    .updateTable('reset_codes')
    .set({ used_at: now })
    .where('reset_id', '=', resetId)
    .where('used_at', 'is', null)
    .execute()
}

export const loadAccountOfReset = (services: Services, resetId: string) =>
  services.db.read
    .selectFrom('reset_codes')
    .innerJoin('accounts', 'accounts.account_id', 'reset_codes.account_id')
    .select(['accounts.account_id', 'password_changed_at', 'username', 'email'])
    .where('reset_id', '=', resetId)
    .executeTakeFirst()

/**
 * Checks a reset code. Attempts are counted before the comparison: at most `RESET_CODE_MAX_ATTEMPTS` per code, and, by the
 * 'reset code' limits of `guessLimits`, per network address and per account. Those limits also bound the wrong attempts at
 * all accounts together. For a trusted browser, a count of its own replaces all of these but the count per code.
 * @returns 'over' where the reset has ended, its code was already entered, or attempts are used up
 */
export async function checkResetCode(
  services: Services,
  resetId: string,
  code: string,
  callers: Pick<Callers, 'address' | 'trustedAccounts'>,
): Promise<'matched' | 'wrong' | 'over'> {
  const now = services.clock.now()
  const account = await loadAccountOfReset(services, resetId)
  if (!account) return 'over'
  const mark = trustedBrowserMark(account, callers)
  const isTrustedBrowser = mark !== undefined
  const lockOut = () => {
    services.security.record('reset.locked', { account: account.account_id })
    return 'over' as const
  }
  if (
    !isTrustedBrowser &&
    !(await services.limits.consumeFrom(callers.address, 'reset code', guessLimits['reset code'].address)).allowed
  )
    return lockOut()
  if (
    await checkAndCountGuess(services, 'reset code', {
      name: `reset code:${mark ?? account.account_id}`,
      isTrustedBrowser,
    })
  )
    return lockOut()
  const row = await services.db.write
    .updateTable('reset_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('reset_id', '=', resetId)
    .where('tries', '<', RESET_CODE_MAX_ATTEMPTS)
    .where('matched_at', 'is', null)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['code_sealed', 'tries'])
    .executeTakeFirst()
  if (!row) return 'over'
  const expectedCode = Buffer.from(services.sealer.open(row.code_sealed, resetContext(resetId)))
  const enteredCode = Buffer.from(code)
  if (enteredCode.length !== expectedCode.length || !timingSafeEqual(enteredCode, expectedCode)) {
    services.security.record('reset.refused', { account: account.account_id, why: 'wrong_code' })
    if (!isTrustedBrowser) await countWrongGuess(services, 'reset code')
    return row.tries >= RESET_CODE_MAX_ATTEMPTS ? 'over' : 'wrong'
  }
  const matched = await services.db.write
    .updateTable('reset_codes')
    .set({ matched_at: now })
    .where('reset_id', '=', resetId)
    .where('matched_at', 'is', null)
    .where('used_at', 'is', null)
    .returning('reset_id')
    .executeTakeFirst()
  return matched ? 'matched' : 'over'
}

export type PasswordResetResult =
  | { ok: true; accountId: string }
  /** `passwordError`: why the password is refused; null where the reset has ended or its code was not entered. */
  | { ok: false; passwordError: string | null }

/**
 * Sets the new password, once, and ends every sign-in and every other reset of the account.
 * @param options `removePasskeys`: whether to remove the passkeys, which stay by default (docs/decisions/signing-in.md)
 */
export async function resetPassword(
  services: Services,
  resetId: string,
  password: string,
  options: { removePasskeys: boolean } = { removePasskeys: false },
): Promise<PasswordResetResult> {
  const account = await loadAccountOfReset(services, resetId)
  if (!account || (await loadResetStep(services, resetId)) !== 'password') return { ok: false, passwordError: null }
  const passwordError = await findPasswordProblem(services, password, [account.username, account.email])
  if (passwordError) return { ok: false, passwordError }
  const password_hash = await services.passwords.hash(password)
  const accountId = account.account_id
  const isFinished = await services.db.transaction(async (tx) => {
    const now = services.clock.now()
    // The account is locked before the code: the lock order of `lockAccountRow`.
    await lockAccountRow(tx, accountId)
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
    if (options.removePasskeys) await removePasskeysSince(tx, services, accountId, 0)
    await recordPasswordChange(tx, services, accountId)
    await endAccountSignIns(tx, accountId, now)
    return true
  })
  if (!isFinished) return { ok: false, passwordError: null }
  services.security.record('reset.completed', { account: accountId })
  await resetPasswordAttempts(services, accountId)
  return { ok: true, accountId }
}
