/**
 * Creates, lists, rotates and revokes machine keys, mails owners about keys that expire soon, and finds the machine that
 * a bearer token authenticates.
 */

import { timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import { MINUTE } from '../../domain/durations.ts'
import {
  KEY_EXPIRY_NOTICE_MS,
  type KeyState,
  keyState,
  type MachineRole,
  parseKeyToken,
  ROTATION_GRACE_MS,
} from '../../domain/machine-key-role-names-and-limits.ts'
import { formatScope, parseScope, type RoleScope } from '../../domain/office/roles-and-permissions.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { lockName } from '../../platform/database/lock-by-name.ts'
import { tokenHash } from '../../platform/encryption/token-hash.ts'
import { enqueueAll, type NewJob } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { MachineCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { loadActiveOwners } from './staff-members.ts'

/** Interval at which a key's last use is stored, in milliseconds. */
const USED_EVERY_MS = MINUTE

/** A machine key as the office shows it, without its secret. */
export interface MachineKey {
  keyId: string
  name: string
  role: MachineRole
  scopes: RoleScope[]
  pii: boolean
  perMinute: number
  state: KeyState
  createdAt: Instant
  expiresAt: Instant | null
  revokedAt: Instant | null
  /** Instant until which the secret before the last rotation works while the key does; null if past, or without rotation. */
  previousUntil: Instant | null
  lastUsedAt: Instant | null
  lastAddress: string
}

/** Properties of a machine key to create. */
export type NewMachineKey = Pick<MachineKey, 'name' | 'role' | 'scopes' | 'pii' | 'perMinute' | 'expiresAt'>

const scopesOf = (stored: string): RoleScope[] => stored.split(' ').flatMap((text) => parseScope(text) ?? [])

const generateToken = (random: Services['random'], keyId: string) =>
  `lk_${keyId}_${Buffer.from(random.hex(32), 'hex').toString('base64url')}`

/**
 * Creates a key.
 * @param by staff id of the owner who creates the key
 * @returns key id and token, which is shown once and of which only a hash is stored; null when a working key has this
 * name
 */
export async function makeMachineKey(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  by: string,
  newKey: NewMachineKey,
): Promise<{ keyId: string; token: string } | null> {
  const now = services.clock.now()
  await lockName(tx, `machine key ${newKey.name}`)
  const sameName = await tx.selectFrom('machine_keys').selectAll().where('name', '=', newKey.name).execute()
  if (sameName.some((row) => toMachineKey(row, now).state === 'working')) return null
  const keyId = services.random.hex(6)
  const token = generateToken(services.random, keyId)
  await tx
    .insertInto('machine_keys')
    .values({
      key_id: keyId,
      name: newKey.name,
      role: newKey.role,
      scopes: newKey.scopes.map(formatScope).join(' '),
      pii: newKey.pii ? 1 : 0,
      per_minute: newKey.perMinute,
      secret_hash: tokenHash(token),
      previous_hash: null,
      previous_until: null,
      expires_at: newKey.expiresAt,
      created_by: by,
      created_at: now,
      revoked_at: null,
      last_used_at: null,
      last_address: '',
    })
    .execute()
  return { keyId, token }
}

/**
 * Replaces a working key's secret; the old secret works for 24 more hours.
 * @returns the new token; null when the key is not working, or the secret before the last rotation still works
 */
export async function rotateMachineKey(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  keyId: string,
): Promise<string | null> {
  const now = services.clock.now()
  const token = generateToken(services.random, keyId)
  const rotated = await tx
    .updateTable('machine_keys')
    .set((eb) => ({
      previous_hash: eb.ref('secret_hash'),
      previous_until: now + ROTATION_GRACE_MS,
      secret_hash: tokenHash(token),
    }))
    .where('key_id', '=', keyId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .where((eb) => eb.or([eb('previous_until', 'is', null), eb('previous_until', '<=', now)]))
    .returning('key_id')
    .executeTakeFirst()
  return rotated ? token : null
}

/**
 * Revokes a key: every process refuses its requests from then on.
 * @returns whether the key exists and had not been revoked before
 */
export async function revokeMachineKey(tx: Kysely<Tables>, keyId: string, now: Instant): Promise<boolean> {
  const revoked = await tx
    .updateTable('machine_keys')
    .set({ revoked_at: now })
    .where('key_id', '=', keyId)
    .where('revoked_at', 'is', null)
    .returning('key_id')
    .executeTakeFirst()
  return revoked !== undefined
}

const selectKeys = (db: Kysely<Tables>) => db.selectFrom('machine_keys').selectAll()

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['executeTakeFirstOrThrow']>>

const toMachineKey = (row: KeyRow, now: Instant): MachineKey => ({
  keyId: row.key_id,
  name: row.name,
  role: row.role,
  scopes: scopesOf(row.scopes),
  pii: row.pii === 1,
  perMinute: row.per_minute,
  state: keyState({ revokedAt: row.revoked_at, expiresAt: row.expires_at }, now),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  previousUntil: row.previous_until !== null && row.previous_until > now ? row.previous_until : null,
  lastUsedAt: row.last_used_at,
  lastAddress: row.last_address,
})

/** Returns all machine keys: working ones first, then by name. */
export async function loadMachineKeys({ clock }: Pick<Services, 'clock'>, db: Kysely<Tables>): Promise<MachineKey[]> {
  const now = clock.now()
  const keys = (await selectKeys(db).orderBy('name').orderBy('created_at').execute()).map((row) =>
    toMachineKey(row, now),
  )
  return [...keys.filter(({ state }) => state === 'working'), ...keys.filter(({ state }) => state !== 'working')]
}

export async function loadMachineKey(
  { clock }: Pick<Services, 'clock'>,
  db: Kysely<Tables>,
  keyId: string,
): Promise<MachineKey | null> {
  const row = await selectKeys(db).where('key_id', '=', keyId).executeTakeFirst()
  return row ? toMachineKey(row, clock.now()) : null
}

const isHashOf = (token: string, hash: string): boolean =>
  timingSafeEqual(Buffer.from(tokenHash(token)), Buffer.from(hash))

/**
 * Returns the machine that a bearer token authenticates. The row is read at each request, so that a revoked key fails
 * at its next request in every process.
 * @param address network address of the caller, stored as the key's last address
 * @returns 'wrong' for an unknown token, or one that was replaced twice; 'ended' for one whose key was revoked or has
 *   expired, or whose 24 hours after its replacement are over
 */
export async function findMachineByToken(
  services: Services,
  bearer: string,
  address: string,
): Promise<MachineCaller | 'wrong' | 'ended'> {
  const parsed = parseKeyToken(bearer)
  const row = parsed
    ? await selectKeys(services.db.read).where('key_id', '=', parsed.keyId).executeTakeFirst()
    : undefined
  if (!parsed || !row) return 'wrong'
  const now = services.clock.now()
  const isNewest = isHashOf(parsed.token, row.secret_hash)
  if (!isNewest && (row.previous_hash === null || !isHashOf(parsed.token, row.previous_hash))) return 'wrong'
  if (keyState({ revokedAt: row.revoked_at, expiresAt: row.expires_at }, now) !== 'working') return 'ended'
  if (!isNewest && (row.previous_until === null || row.previous_until <= now)) return 'ended'
  if (row.last_used_at === null || row.last_used_at <= now - USED_EVERY_MS)
    await storeUse(services, row.key_id, address)
  return {
    keyId: row.key_id,
    name: row.name,
    role: row.role,
    facilities: await loadFacilities(services.db.read, scopesOf(row.scopes)),
    pii: row.pii === 1,
    perMinute: row.per_minute,
  }
}

/**
 * Stores when and from which address a machine key was last used. A power cut may lose the last uses, which is
 * harmless.
 */
async function storeUse({ db, clock }: Services, keyId: string, address: string): Promise<void> {
  const now = clock.now()
  await db.withoutFsync((tx) =>
    tx
      .updateTable('machine_keys')
      .set({ last_used_at: now, last_address: address.slice(0, 100) })
      .where('key_id', '=', keyId)
      .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', now - USED_EVERY_MS)]))
      .execute(),
  )
}

async function loadFacilities(db: Kysely<Tables>, scopes: readonly RoleScope[]): Promise<MachineCaller['facilities']> {
  if (scopes.some((scope) => 'all' in scope)) return 'all'
  const states = scopes.flatMap((scope) => ('state' in scope ? [scope.state] : []))
  const inStates =
    states.length === 0
      ? []
      : await db.selectFrom('locations').select('location_code').where('state', 'in', states).execute()
  return new Set([
    ...scopes.flatMap((scope) => ('facility' in scope ? [scope.facility] : [])),
    ...inStates.map(({ location_code }) => location_code),
  ])
}

/**
 * Mails each owner, or the business if there is none, once about each key that expires within 14 days, except keys that
 * were made for at most 14 days.
 * @returns number of new mails
 */
export async function mailExpiringKeys(services: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const { db, clock } = services
  const now = clock.now()
  const expiring = await selectKeys(db.read)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('expires_at', '<=', now + KEY_EXPIRY_NOTICE_MS)
    .execute()
  const due = expiring.flatMap(({ key_id, created_at, expires_at }) =>
    expires_at !== null && expires_at - created_at > KEY_EXPIRY_NOTICE_MS
      ? [{ keyId: key_id, endsAt: expires_at }]
      : [],
  )
  if (due.length === 0) return 0
  const owners = await loadActiveOwners(db.read)
  // Without an owner, '' sends the mail to the business's own address.
  const jobs = due.flatMap(({ keyId, endsAt }) =>
    (owners.length > 0 ? owners : ['']).map(
      (staffId): NewJob => ({
        kind: 'machine_key_ending',
        once: `${keyId}:${endsAt}:${staffId}`,
        payload: { staffId, keyId, endsAt },
        runAt: now,
      }),
    ),
  )
  return enqueueAll(db.write, jobs)
}
