import { createHash } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { isTextList, parseJson } from '../../../domain/parse-json-and-check-shape.ts'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Credential, NewCredential } from '../../../platform/passkeys/passkey-ceremony.ts'
import { deleteChallengesOf } from '../../../platform/passkeys/passkey-challenges.ts'
import type { PasskeysTable, Tables } from '../../../platform/schema/tables.ts'
import { lockAccountRow } from '../internal/lock-account-row.ts'

type Passkey = Selectable<PasskeysTable>

/** Maximum number of passkeys per account. */
export const MAX_PASSKEYS = 10

/**
 * Returns the WebAuthn user handle of an account: equal for all of its passkeys and without personal data. 32 bytes,
 * base64url.
 */
export const userHandleOf = (accountId: string): string =>
  createHash('sha256').update(`passkeys of ${accountId}`).digest('base64url')

/** Converts a stored passkey to the credential that a sign-in response is verified with. */
export const credentialOf = (row: Passkey): Credential => ({
  credentialId: row.credential_id,
  publicKey: row.public_key,
  counter: row.counter,
  transports: parseJson(row.transports, isTextList),
})

export const loadPasskeys = (services: Services, accountId: string): Promise<Passkey[]> =>
  services.db.read
    .selectFrom('passkeys')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('passkey_id')
    .execute()

/** Loads a passkey by its WebAuthn credential id; undefined when no account has it. */
export const loadPasskeyByCredential = (services: Services, credentialId: string): Promise<Passkey | undefined> =>
  services.db.read.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()

/**
 * Mails the account that a passkey was added or removed, in case the account's holder did not do it. Runs in the
 * caller's transaction.
 */
const enqueuePasskeyMail = (
  tx: Kysely<Tables>,
  services: Services,
  passkey: Pick<Passkey, 'passkey_id' | 'account_id' | 'name'>,
  change: 'added' | 'removed',
) =>
  enqueue(tx, {
    kind: 'passkey_changed',
    once: `${passkey.passkey_id}:${change}`,
    payload: { accountId: passkey.account_id, name: passkey.name, change, at: services.clock.now() },
    runAt: services.clock.now(),
  })

/**
 * Inserts a passkey.
 * @returns its id; 'known' where any account has the credential; 'full' where the account has the maximum number
 */
export function insertPasskey(
  services: Services,
  accountId: string,
  credential: NewCredential,
  name: string,
): Promise<{ passkeyId: string } | 'known' | 'full'> {
  return services.db.transaction(async (tx) => {
    // Concurrent additions must not exceed the maximum.
    await lockAccountRow(tx, accountId)
    const { count } = await tx
      .selectFrom('passkeys')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MAX_PASSKEYS) return 'full'
    const passkey = { passkey_id: services.random.uuid(), account_id: accountId, name }
    const inserted = await tx
      .insertInto('passkeys')
      .values({
        ...passkey,
        credential_id: credential.credentialId,
        public_key: credential.publicKey,
        counter: credential.counter,
        transports: JSON.stringify(credential.transports),
        synced: credential.synced ? 1 : 0,
        created_at: services.clock.now(),
        last_used_at: null,
      })
      .onConflict((clash) => clash.column('credential_id').doNothing())
      .returning('passkey_id')
      .executeTakeFirst()
    if (!inserted) return 'known'
    await enqueuePasskeyMail(tx, services, passkey, 'added')
    return { passkeyId: inserted.passkey_id }
  })
}

/**
 * Records a use of a passkey, unless its counter was used before. Runs in the transaction that signs in, so that
 * removing the passkey waits for it and then ends that sign-in too.
 * @returns whether the passkey still exists and its counter has increased, or stays 0 as for a synced passkey
 */
export async function recordPasskeyUse(
  tx: Kysely<Tables>,
  services: Services,
  passkeyId: string,
  used: { counter: number; synced: boolean },
): Promise<boolean> {
  const row = await tx
    .updateTable('passkeys')
    .set({ counter: used.counter, synced: used.synced ? 1 : 0, last_used_at: services.clock.now() })
    .where('passkey_id', '=', passkeyId)
    .where((eb) => (used.counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', used.counter)))
    .returning('passkey_id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Renames one of the account's passkeys.
 * @returns whether the account has that passkey
 */
export async function renamePasskey(services: Services, accountId: string, passkeyId: string, name: string) {
  const row = await services.db.write
    .updateTable('passkeys')
    .set({ name })
    .where('passkey_id', '=', passkeyId)
    .where('account_id', '=', accountId)
    .returning('passkey_id')
    .executeTakeFirst()
  return row !== undefined
}

const endPasskeySignIns = (tx: Kysely<Tables>, passkeyIds: string[], now: Instant, exceptHash: string) =>
  tx
    .updateTable('sign_ins')
    .set({ ended_at: now })
    .where('passkey_id', 'in', passkeyIds)
    .where('token_hash', '!=', exceptHash)
    .where('ended_at', 'is', null)
    .execute()

/**
 * Removes one of the account's passkeys, ends sign-ins made with it, and mails the account.
 * @param exceptHash token hash of the caller's sign-in, which stays
 * @returns whether the account had that passkey
 */
export function removePasskey(services: Services, accountId: string, passkeyId: string, exceptHash: string) {
  return services.db.transaction(async (tx) => {
    const removed = await tx
      .deleteFrom('passkeys')
      .where('passkey_id', '=', passkeyId)
      .where('account_id', '=', accountId)
      .returning(['passkey_id', 'account_id', 'name'])
      .executeTakeFirst()
    if (!removed) return false
    await endPasskeySignIns(tx, [passkeyId], services.clock.now(), exceptHash)
    await enqueuePasskeyMail(tx, services, removed, 'removed')
    return true
  })
}

/**
 * Removes an account's passkeys created since an instant, ends sign-ins made with them, and deletes the account's
 * challenges for adding another. Runs in the caller's transaction and sends no mail about the passkeys.
 * @param since epoch milliseconds
 * @returns names of the removed passkeys
 */
export async function removePasskeysSince(tx: Kysely<Tables>, services: Services, accountId: string, since: Instant) {
  await deleteChallengesOf(tx, accountId)
  const removed = await tx
    .deleteFrom('passkeys')
    .where('account_id', '=', accountId)
    .where('created_at', '>=', since)
    .returning(['passkey_id', 'name'])
    .execute()
  if (removed.length > 0)
    await endPasskeySignIns(
      tx,
      removed.map((passkey) => passkey.passkey_id),
      services.clock.now(),
      '',
    )
  return removed.map((passkey) => passkey.name)
}
