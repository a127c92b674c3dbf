/** Undoes an account change by its mailed link (account-undo-links.ts), and requires a new password. */

import type { Kysely } from 'kysely'
import { DAY } from '../../../domain/durations.ts'
import { hasFields, isListOf, parseJson } from '../../../domain/parse-json-and-check-shape.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { type AccountUndo, findUndoByLink, type TenantAddress } from '../account-undo-links.ts'
import { endAccountSignIns } from '../active-sign-ins.ts'
import { invalidateResets } from '../change-notices.ts'
import { setTenantEmail, withdrawOpenEmailChanges } from '../email-change.ts'
import { removePasskeysSince } from '../passkeys/store.ts'
import { resetContext } from '../password-reset.ts'
import { RESET_CODE_MS } from '../rules/generate-reset-code.ts'
import { lockAccountRow } from './lock-account-row.ts'
import { resetPasswordAttempts } from './password-attempt-limits.ts'

/** Thrown when the account no longer exists, or the link was used, voided or has expired meanwhile. Rolls back. */
class Gone extends Error {}

/**
 * Time in milliseconds before an account change that is undone, within which added passkeys are removed too: an
 * attacker may have added one before changing the account.
 */
const PASSKEYS_BEFORE_MS = DAY

/**
 * Ends all sign-ins and open resets, and removes passkeys added since a day before the change. Runs in the caller's
 * transaction.
 */
async function endCredentials(tx: Kysely<Tables>, services: Services, undo: AccountUndo): Promise<void> {
  const now = services.clock.now()
  await invalidateResets(tx, undo.account_id, now)
  await removePasskeysSince(tx, services, undo.account_id, undo.created_at - PASSKEYS_BEFORE_MS)
  await endAccountSignIns(tx, undo.account_id, now)
}

/**
 * Restores the account's username and the e-mail addresses of the account and its tenants, voids the undo links of
 * later changes, ends sign-ins and resets, removes new passkeys (`endCredentials`), and replaces the password, which an
 * attacker may know, by a random one. Mails the address that the account had until now, if it is another.
 * @returns the reset with which the user continues, since the link proves the mailbox; null for a link that is invalid,
 *   expired, used or void
 */
export async function undoChange(
  services: Services,
  link: string,
): Promise<{ accountId: string; resetId: string } | null> {
  const undo = await findUndoByLink(services, link)
  if (!undo) return null
  const { account_id } = undo
  const password_hash = await services.passwords.hash(services.random.hex(32))
  const resetId = services.random.hex(16)
  try {
    await services.db.transaction(async (tx) => {
      const now = services.clock.now()
      await withdrawOpenEmailChanges(tx, account_id)
      const account = await lockAccountRow(tx, account_id)
      if (!account) throw new Gone()
      await claimUndo(tx, undo, now)
      await restoreTenants(tx, undo)
      await tx
        .updateTable('account_undos')
        .set({ state: 'void' })
        .where('account_id', '=', account_id)
        .where('number', '>', undo.number)
        .where('state', '=', 'open')
        .execute()
      await tx
        .updateTable('accounts')
        .set({ email: undo.email, username: undo.username, password_hash, password_changed_at: now })
        .where('account_id', '=', account_id)
        .execute()
      await endCredentials(tx, services, undo)
      await tx
        .insertInto('reset_codes')
        .values({
          reset_id: resetId,
          account_id,
          tries: 0,
          created_at: now,
          matched_at: now,
          used_at: null,
          code_sealed: services.sealer.seal(services.random.hex(16), resetContext(resetId)),
          expires_at: now + RESET_CODE_MS,
        })
        .execute()
      if (account.email !== '' && account.email !== undo.email)
        await enqueue(tx, {
          kind: 'change_undone',
          once: undo.undo_id,
          payload: { accountId: account_id, to: account.email },
          runAt: now,
        })
    })
  } catch (error) {
    if (error instanceof Gone) return null
    throw error
  }
  services.security.record('email.change_undone', { account: account_id, why: `new_${undo.kind}` })
  await resetPasswordAttempts(services, account_id)
  return { accountId: account_id, resetId }
}

async function claimUndo(tx: Kysely<Tables>, undo: AccountUndo, now: number): Promise<void> {
  const claimed = await tx
    .updateTable('account_undos')
    .set({ state: 'used' })
    .where('undo_id', '=', undo.undo_id)
    .where('state', '=', 'open')
    .where('expires_at', '>', now)
    .returning('undo_id')
    .executeTakeFirst()
  if (!claimed) throw new Gone()
}

/**
 * Restores the tenants' e-mail addresses, undoing the newest change first, so that each address returns to its value
 * before the undone change.
 */
async function restoreTenants(tx: Kysely<Tables>, undo: AccountUndo): Promise<void> {
  const changes = await tx
    .selectFrom('account_undos')
    .select('tenants')
    .where('account_id', '=', undo.account_id)
    .where('number', '>=', undo.number)
    .orderBy('number', 'desc')
    .execute()
  for (const { tenants } of changes)
    for (const tenant of parseJson(tenants, isListOf(hasFields<TenantAddress>())))
      await setTenantEmail(tx, undo.account_id, tenant)
}
