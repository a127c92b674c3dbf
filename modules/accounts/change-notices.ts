import type { Kysely } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { TenantUpdate } from '../../platform/schema/job-kinds.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { keepUndo } from './account-undos.ts'

/** The notice's `email_template_type` (spec 2 §7); of a phone number, which look-ups go by, a notice goes out as well. */
export type AccountChange = 'email' | 'name' | 'password' | 'phone'

export const tell = (tx: Kysely<Tables>, services: Services, key: string, update: TenantUpdate) =>
  enqueue(tx, {
    kind: 'tenant_updated',
    once: `${update.accountId}:${update.changed}:${key}`,
    payload: update,
    runAt: services.clock.now(),
  })

/** A tenant's name or cell phone was changed: mails the address on file. In the caller's transaction. */
export const noteContactChange = (
  tx: Kysely<Tables>,
  services: Services,
  of: { accountId: string; locationCode: string; tenantId: number; changed: 'name' | 'phone' },
) => tell(tx, services, services.random.uuid(), of)

/**
 * The password was changed, whichever way: remembered, every reset that is under way is over, and the account's address is
 * told, with a link that undoes it. In the caller's transaction.
 */
export async function notePasswordChange(tx: Kysely<Tables>, services: Services, accountId: string): Promise<void> {
  const now = services.clock.now()
  const undoId = await keepUndo(tx, services, { accountId, kind: 'password' })
  await tx.updateTable('accounts').set({ password_changed_at: now }).where('account_id', '=', accountId).execute()
  await endResetsOf(tx, accountId, now)
  await tell(tx, services, services.random.uuid(), { accountId, changed: 'password', undoId })
}

/** The codes that were mailed are dead, also those that were given already. */
export const endResetsOf = (tx: Kysely<Tables>, accountId: string, now: Instant) =>
  tx
    .updateTable('reset_codes')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .execute()
