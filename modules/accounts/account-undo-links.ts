/**
 * Links that undo a change of e-mail address or password. They are mailed to the address from before the change and are
 * valid for 7 days. Undoing a change undoes all later ones too, so that an attacker who changes the account twice gains
 * nothing (docs/decisions/signing-in.md).
 */

import type { Kysely, Selectable } from 'kysely'
import { DAY } from '../../domain/durations.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { AccountUndosTable, Tables } from '../../platform/schema/tables.ts'
import { lockAccountRow } from './internal/lock-account-row.ts'

export const UNDO_MS = 7 * DAY

const undoContext = 'account undo'

export type AccountUndo = Selectable<AccountUndosTable>

export type TenantAddress = { location_code: string; tenant_id: number; email: string }

/**
 * Stores an account's state before a change, in the caller's transaction.
 * @returns the undo id for the mail's link; null where the account does not exist
 */
export async function insertUndo(
  tx: Kysely<Tables>,
  services: Services,
  change: { accountId: string; kind: AccountUndosTable['kind']; tenants?: TenantAddress[] },
): Promise<string | null> {
  const account = await lockAccountRow(tx, change.accountId)
  if (!account) return null
  const last = await tx
    .selectFrom('account_undos')
    .select((eb) => eb.fn.max<number | null>('number').as('number'))
    .where('account_id', '=', change.accountId)
    .executeTakeFirst()
  const now = services.clock.now()
  const undo_id = services.random.uuid()
  await tx
    .insertInto('account_undos')
    .values({
      undo_id,
      account_id: change.accountId,
      number: Number(last?.number ?? 0) + 1,
      kind: change.kind,
      email: account.email,
      username: account.username,
      tenants: JSON.stringify(change.tenants ?? []),
      state: 'open',
      created_at: now,
      expires_at: now + UNDO_MS,
    })
    .execute()
  return undo_id
}

/**
 * Loads the account state that an undo link restores, by undo id. Used, void and expired links are included.
 * @returns undefined for an unknown id
 */
export const findUndoById = (services: Services, undoId: string): Promise<AccountUndo | undefined> =>
  services.db.read.selectFrom('account_undos').selectAll().where('undo_id', '=', undoId).executeTakeFirst()

/** Returns the path of an undo link. The id in it is encrypted, so that an id read in the database opens nothing. */
export const undoPath = (services: Services, undoId: string): string =>
  `/account-undo?${new URLSearchParams({ change: services.sealer.seal(undoId, undoContext) })}`

/**
 * Returns the stored account state that an undo link from a mail restores; null for an invalid, expired, used or void
 * link.
 */
export async function findUndoByLink(services: Services, link: string): Promise<AccountUndo | null> {
  let undoId: string
  try {
    undoId = services.sealer.open(link, undoContext)
  } catch {
    return null
  }
  const undo = await findUndoById(services, undoId)
  return undo?.state === 'open' && undo.expires_at > services.clock.now() ? undo : null
}

/**
 * Returns whether an open undo link of another account could still restore this address.
 * @param accountId account whose own links do not count; null to count those of all accounts
 */
export async function isEmailRestorableByOther(
  db: Kysely<Tables>,
  email: string,
  accountId: string | null,
  now: Instant,
): Promise<boolean> {
  const row = await db
    .selectFrom('account_undos')
    .select('undo_id')
    .where('email', '=', email)
    .where('state', '=', 'open')
    .where('expires_at', '>', now)
    .$call(optionalCondition(accountId, (query, id) => query.where('account_id', '!=', id)))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
