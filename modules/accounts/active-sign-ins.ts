import type { Kysely } from 'kysely'
import { DAY } from '../../domain/durations.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import { tokenHash } from '../../platform/encryption/token-hash.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { AUTH_COOKIE_SECONDS, SIGN_IN_RETENTION_DAYS } from './rules/tenant-sign-in-lifetime-and-retention.ts'

/** Maximum duration of a sign-in, however often it is extended, milliseconds. */
const SIGN_IN_MAX_MS = 30 * DAY

/** Returns the id that pages and forms use for a sign-in, so that they do not contain the whole token hash. */
const idOf = (hash: string) => hash.slice(0, 16)

const selectActiveSignIns = (services: Services, accountId: string) =>
  services.db.read
    .selectFrom('sign_ins')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('kind', '=', 'tenant')
    .where('ended_at', 'is', null)
    .where('expires_at', '>', services.clock.now())

/** Returns the account's active sign-ins: this browser's first, then the newest. */
export async function loadActiveSignIns(services: Services, accountId: string, token: string) {
  const rows = await selectActiveSignIns(services, accountId)
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .execute()
  const ownHash = tokenHash(token)
  return rows
    .map((row) => ({
      id: idOf(row.token_hash),
      agent: row.agent,
      address: row.address,
      since: row.created_at,
      passkeyId: row.passkey_id,
      current: row.token_hash === ownHash,
    }))
    .sort((a, b) => Number(b.current) - Number(a.current))
}

/**
 * Ends one of the account's sign-ins.
 * @returns whether it was active
 */
export async function endSignInById(services: Services, accountId: string, id: string): Promise<boolean> {
  const rows = await selectActiveSignIns(services, accountId).execute()
  const found = rows.find((row) => idOf(row.token_hash) === id)
  if (!found) return false
  const ended = await services.db.write
    .updateTable('sign_ins')
    .set({ ended_at: services.clock.now() })
    .where('token_hash', '=', found.token_hash)
    .where('ended_at', 'is', null)
    .returning('token_hash')
    .executeTakeFirst()
  return ended !== undefined
}

/** Ends every sign-in of the account but that of `exceptToken`, if given. Runs in the caller's transaction. */
export async function endAccountSignIns(
  tx: Kysely<Tables>,
  accountId: string,
  now: Instant,
  exceptToken?: string,
): Promise<void> {
  await tx
    .updateTable('sign_ins')
    .set({ ended_at: now })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .$call(optionalCondition(exceptToken, (query, token) => query.where('token_hash', '!=', tokenHash(token))))
    .execute()
}

/**
 * Ends all of the account's sign-ins but the caller's own.
 * @returns number of ended sign-ins
 */
export async function endOtherSignIns(services: Services, accountId: string, token: string): Promise<number> {
  const ended = await services.db.write
    .updateTable('sign_ins')
    .set({ ended_at: services.clock.now() })
    .where('account_id', '=', accountId)
    .where('kind', '=', 'tenant')
    .where('token_hash', '!=', tokenHash(token))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', services.clock.now())
    .returning('token_hash')
    .execute()
  return ended.length
}

/**
 * Extends a sign-in ('Stay signed in') to 86,400 seconds from now, at most 30 days from its log-in.
 * @returns its new end in epoch milliseconds; null for one that has ended or does not exist
 */
export async function renewSignIn(services: Services, token: string): Promise<Instant | null> {
  const now = services.clock.now()
  const later = now + AUTH_COOKIE_SECONDS * 1000
  const row = await services.db.write
    .updateTable('sign_ins')
    .set((eb) => ({
      expires_at: eb
        .case()
        .when('created_at', '<', later - SIGN_IN_MAX_MS)
        .then(eb('created_at', '+', SIGN_IN_MAX_MS))
        .else(later)
        .end(),
    }))
    .where('token_hash', '=', tokenHash(token))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('expires_at')
    .executeTakeFirst()
  return row?.expires_at ?? null
}

/**
 * Deletes sign-ins that ended or expired more than `SIGN_IN_RETENTION_DAYS` ago.
 * @returns number of deleted sign-ins
 */
export function deleteOldSignIns({ db, clock }: Services, stopping: () => boolean): Promise<number> {
  const before = clock.now() - SIGN_IN_RETENTION_DAYS * DAY
  return deleteInBatches((maximum) => {
    const old = db.write
      .selectFrom('sign_ins')
      .select('token_hash')
      .where((eb) => eb.or([eb('ended_at', '<', before), eb('expires_at', '<', before)]))
      .limit(maximum)
    return db.write.deleteFrom('sign_ins').where('token_hash', 'in', old).executeTakeFirstOrThrow()
  }, stopping)
}
