/**
 * The link that undoes a new e-mail address or password. It goes to the address from before the change and is good for 7 days.
 * Undoing a change undoes every later one, so that the first link wins (docs/decisions/accounts.md).
 */
import type { Kysely, Selectable } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import { whenGiven } from '../../platform/database/when-given.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { AccountUndosTable, Tables } from '../../platform/schema/tables.ts'
import { lockAccount } from './account.ts'

export const UNDO_MS = 7 * 86_400_000

const undoContext = 'account undo'

export type AccountUndo = Selectable<AccountUndosTable>

export type TenantAddress = { location_code: string; tenant_id: number; email: string }

/**
 * Keeps the account as it is, before a change. In the caller's transaction.
 * @returns what the mail's link names; null where the account has no address to write to
 */
export async function keepUndo(
  tx: Kysely<Tables>,
  services: Services,
  of: { accountId: string; kind: AccountUndosTable['kind']; tenants?: TenantAddress[] },
): Promise<string | null> {
  const account = await lockAccount(tx, of.accountId)
  if (!account || account.email === '') return null
  const last = await tx
    .selectFrom('account_undos')
    .select((eb) => eb.fn.max<number | null>('number').as('number'))
    .where('account_id', '=', of.accountId)
    .executeTakeFirst()
  const now = services.clock.now()
  const undo_id = services.random.uuid()
  await tx
    .insertInto('account_undos')
    .values({
      undo_id,
      account_id: of.accountId,
      number: Number(last?.number ?? 0) + 1,
      kind: of.kind,
      email: account.email,
      username: account.username,
      tenants: JSON.stringify(of.tenants ?? []),
      state: 'open',
      created_at: now,
      expires_at: now + UNDO_MS,
    })
    .execute()
  return undo_id
}

export const undoNamed = (services: Services, undoId: string): Promise<AccountUndo | undefined> =>
  services.db.read.selectFrom('account_undos').selectAll().where('undo_id', '=', undoId).executeTakeFirst()

/** Sealed, so that the mailbox alone has it. */
export const undoPath = (services: Services, undoId: string): string =>
  `/account-undo?${new URLSearchParams({ change: services.sealer.seal(undoId, undoContext) })}`

/** The change that a link undoes; null for a link that is not ours, expired, used or void. */
export async function undoOfLink(services: Services, link: string): Promise<AccountUndo | null> {
  let undoId: string
  try {
    undoId = services.sealer.open(link, undoContext)
  } catch {
    return null
  }
  const undo = await undoNamed(services, undoId)
  return undo?.state === 'open' && undo.expires_at > services.clock.now() ? undo : null
}

/** Whether a link may still give this address back to another account. */
export async function isKeptForAnother(
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
    .$call(whenGiven(accountId, (query, id) => query.where('account_id', '!=', id)))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
