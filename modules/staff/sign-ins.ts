import type { Kysely } from 'kysely'
import { MINUTE } from '../../domain/durations.ts'
import type { FactorKind } from '../../domain/office/second-factors.ts'
import { tokenHash } from '../../platform/encryption/token-hash.ts'
import type { Callers, HeldRole, StaffCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { FINANCE_IDLE_MS, OFFICE_IDLE_MS, OFFICE_SIGN_IN_MAX_MS } from './rules/staff-sign-in-duration.ts'
import { loadRoles } from './staff-members.ts'

/** The sign-in of a browser, at its second factor. */
export interface SignInAttempt {
  token: string
  /** Device id from the browser's cookie. Passkey challenges are bound to it. */
  device: string
}

/** Interval in milliseconds at which a sign-in's last use is stored. */
const SEEN_EVERY_MS = MINUTE

/** Returns the public id of a sign-in, for pages and the audit. It grants no access. */
export const signInId = (token: string) => tokenHash(token).slice(0, 16)

/**
 * Stores a sign-in after the password was entered or set. It grants no access until a second factor is given.
 * @param device device id from the browser's cookie
 * @returns bearer token
 */
export async function insertStaffSignIn(
  db: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  staffId: string,
  { device, address, agent }: { device: string } & Pick<Callers, 'address' | 'agent'>,
): Promise<string> {
  const token = services.random.hex(32)
  const now = services.clock.now()
  await db
    .insertInto('staff_sign_ins')
    .values({
      token_hash: tokenHash(token),
      staff_id: staffId,
      device: tokenHash(device),
      agent: agent.slice(0, 400),
      address,
      factor: null,
      proven_at: null,
      created_at: now,
      last_seen_at: now,
      ended_at: null,
    })
    .execute()
  return token
}

const loadLiveRow = (services: Pick<Services, 'db' | 'clock'>, token: string) =>
  services.db.read
    .selectFrom('staff_sign_ins')
    .innerJoin('staff', 'staff.staff_id', 'staff_sign_ins.staff_id')
    .select([
      'staff.staff_id',
      'staff.name',
      'staff.email',
      'staff_sign_ins.factor',
      'proven_at',
      'last_seen_at',
      'device',
    ])
    .where('token_hash', '=', tokenHash(token))
    .where('staff_sign_ins.ended_at', 'is', null)
    .where('staff.ended_at', 'is', null)
    .where('staff_sign_ins.created_at', '>', services.clock.now() - OFFICE_SIGN_IN_MAX_MS)
    .executeTakeFirst()

/** Returns the idle time in milliseconds after which a staff member with these roles is signed out. */
export const maxIdleMs = (roles: readonly Pick<HeldRole, 'role'>[]): number =>
  roles.some(({ role }) => role === 'finance') ? FINANCE_IDLE_MS : OFFICE_IDLE_MS

const isToken = (token: string) => /^[0-9a-f]{64}$/.test(token)

/**
 * Returns the staff member of a sign-in that still needs its second factor; null when there is no such live sign-in.
 */
export async function findPartialSignIn(
  services: Pick<Services, 'db' | 'clock'>,
  token: string,
): Promise<{ staffId: string; name: string; email: string } | null> {
  const row = isToken(token) ? await loadLiveRow(services, token) : undefined
  if (!row || row.factor !== null || row.last_seen_at <= services.clock.now() - OFFICE_IDLE_MS) return null
  return { staffId: row.staff_id, name: row.name, email: row.email }
}

/**
 * Returns the staff member whom a bearer token signs in, and stores the use, at most once a minute. Undefined when the
 * sign-in or the staff member has ended, or the sign-in is 12 hours old, was idle too long or needs its second factor.
 */
export async function findStaffByToken(services: Services, token: string): Promise<StaffCaller | undefined> {
  const row = isToken(token) ? await loadLiveRow(services, token) : undefined
  if (!row || row.factor === null || row.proven_at === null) return undefined
  const now = services.clock.now()
  const roles = await loadRoles(services.db.read, row.staff_id)
  if (row.last_seen_at <= now - maxIdleMs(roles)) return undefined
  if (row.last_seen_at <= now - SEEN_EVERY_MS)
    await services.db.write
      .updateTable('staff_sign_ins')
      .set({ last_seen_at: now })
      .where('token_hash', '=', tokenHash(token))
      .where('last_seen_at', '<', now)
      .execute()
  return { staffId: row.staff_id, name: row.name, signIn: signInId(token), provenAt: row.proven_at, roles }
}

/**
 * Completes a sign-in after its second factor and replaces its token.
 * @returns new token, and whether no earlier sign-in of the staff member was completed on this device; null if the
 *   sign-in has ended
 */
export async function completeSignIn(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  token: string,
  factor: FactorKind,
): Promise<{ token: string; newDevice: boolean } | null> {
  const newToken = services.random.hex(32)
  const now = services.clock.now()
  const row = await tx
    .updateTable('staff_sign_ins')
    .set({ token_hash: tokenHash(newToken), factor, proven_at: now, last_seen_at: now })
    .where('token_hash', '=', tokenHash(token))
    .where('ended_at', 'is', null)
    .returning(['staff_id', 'device'])
    .executeTakeFirst()
  if (!row) return null
  const earlierSignIn = await tx
    .selectFrom('staff_sign_ins')
    .select('token_hash')
    .where('staff_id', '=', row.staff_id)
    .where('device', '=', row.device)
    .where('factor', 'is not', null)
    .where('token_hash', '!=', tokenHash(newToken))
    .executeTakeFirst()
  return { token: newToken, newDevice: earlierSignIn === undefined }
}

/** Records that a staff member has entered the second factor again, which sensitive operations require. */
export async function recordFreshFactor(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  token: string,
): Promise<void> {
  await tx
    .updateTable('staff_sign_ins')
    .set({ proven_at: services.clock.now() })
    .where('token_hash', '=', tokenHash(token))
    .where('ended_at', 'is', null)
    .execute()
}
