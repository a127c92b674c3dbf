import type { Kysely } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { TenantUpdate } from '../../platform/schema/job-kinds.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { insertUndo } from './account-undo-links.ts'

/**
 * Changes about which a `tenant_updated` mail is sent. All but `phone` are `email_template_type` values (spec 2 §7). A
 * new phone number causes such a mail too, since look-ups use the number.
 */
export type AccountChange = 'email' | 'name' | 'password' | 'phone'

/**
 * Enqueues the mail about an account change.
 * @param key makes the mail unique among those about this kind of change of the account
 */
export const enqueueChangeMail = (tx: Kysely<Tables>, services: Services, key: string, update: TenantUpdate) =>
  enqueue(tx, {
    kind: 'tenant_updated',
    once: `${update.accountId}:${update.changed}:${key}`,
    payload: update,
    runAt: services.clock.now(),
  })

/**
 * Enqueues a mail to the tenant's e-mail address on file that the tenant's name or cell phone was changed. Runs in the
 * caller's transaction.
 */
export const mailContactChange = (
  tx: Kysely<Tables>,
  services: Services,
  change: { accountId: string; locationCode: string; tenantId: number; changed: 'name' | 'phone' },
) => enqueueChangeMail(tx, services, services.random.uuid(), change)

/**
 * Records the time of a password change, ends open resets, and mails the account a link that undoes the change. Runs in
 * the caller's transaction.
 */
export async function recordPasswordChange(tx: Kysely<Tables>, services: Services, accountId: string): Promise<void> {
  const now = services.clock.now()
  const undoId = await insertUndo(tx, services, { accountId, kind: 'password' })
  await tx.updateTable('accounts').set({ password_changed_at: now }).where('account_id', '=', accountId).execute()
  await invalidateResets(tx, accountId, now)
  await enqueueChangeMail(tx, services, services.random.uuid(), { accountId, changed: 'password', undoId })
}

/** Invalidates all reset codes of an account, including those already entered. */
export const invalidateResets = (tx: Kysely<Tables>, accountId: string, now: Instant) =>
  tx
    .updateTable('reset_codes')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .execute()
