import type { Kysely } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import { type FactorKind, FINANCE_IDLE_MS, OFFICE_IDLE_MS, OFFICE_SIGN_IN_MS } from '../../domain/office/factors.ts'
import { audit, staffActor } from '../../platform/audit/audit.ts'
import type { Callers, StaffCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { tokenHash } from '../../platform/sealing/token-hash.ts'
import { heldRoles } from './people.ts'

/** How often a sign-in's last use is written down. */
const SEEN_EVERY_MS = 60_000

/** Names a sign-in on pages and in the audit; proves nothing. */
export const signInId = (token: string) => tokenHash(token).slice(0, 16)

/**
 * A sign-in after the right password. It opens nothing until a factor is given.
 * @param device the browser's own mark
 * @returns the bearer token
 */
export async function openSignIn(
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

const liveRow = (services: Pick<Services, 'db' | 'clock'>, token: string) =>
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
    .where('staff_sign_ins.created_at', '>', services.clock.now() - OFFICE_SIGN_IN_MS)
    .executeTakeFirst()

const isToken = (token: string) => /^[0-9a-f]{64}$/.test(token)

/** Who has given the password and owes the factor; null where no such sign-in is live. */
export async function halfSignedIn(
  services: Pick<Services, 'db' | 'clock'>,
  token: string,
): Promise<{ staffId: string; name: string; email: string } | null> {
  const row = isToken(token) ? await liveRow(services, token) : undefined
  if (!row || row.factor !== null || row.last_seen_at <= services.clock.now() - OFFICE_IDLE_MS) return null
  return { staffId: row.staff_id, name: row.name, email: row.email }
}

/** The person whom a bearer token proves; undefined where it has ended, was idle too long or owes the factor. */
export async function staffOfToken(services: Services, token: string): Promise<StaffCaller | undefined> {
  const row = isToken(token) ? await liveRow(services, token) : undefined
  if (!row || row.factor === null || row.proven_at === null) return undefined
  const now = services.clock.now()
  const roles = await heldRoles(services.db.read, row.staff_id)
  const idle = roles.some(({ role }) => role === 'finance') ? FINANCE_IDLE_MS : OFFICE_IDLE_MS
  if (row.last_seen_at <= now - idle) return undefined
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
 * The factor was given: the sign-in opens the office from now on, under another token.
 * @returns the new token; null where it has ended meanwhile
 */
export async function completeSignIn(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  token: string,
  factor: FactorKind,
): Promise<{ token: string; newDevice: boolean } | null> {
  const next = services.random.hex(32)
  const now = services.clock.now()
  const row = await tx
    .updateTable('staff_sign_ins')
    .set({ token_hash: tokenHash(next), factor, proven_at: now, last_seen_at: now })
    .where('token_hash', '=', tokenHash(token))
    .where('ended_at', 'is', null)
    .returning(['staff_id', 'device'])
    .executeTakeFirst()
  if (!row) return null
  const before = await tx
    .selectFrom('staff_sign_ins')
    .select('token_hash')
    .where('staff_id', '=', row.staff_id)
    .where('device', '=', row.device)
    .where('factor', 'is not', null)
    .where('token_hash', '!=', tokenHash(next))
    .executeTakeFirst()
  return { token: next, newDevice: before === undefined }
}

/** The factor was given again, before an act that matters. */
export async function renewProof(tx: Kysely<Tables>, services: Pick<Services, 'clock'>, token: string): Promise<void> {
  await tx
    .updateTable('staff_sign_ins')
    .set({ proven_at: services.clock.now() })
    .where('token_hash', '=', tokenHash(token))
    .where('ended_at', 'is', null)
    .execute()
}

/** As the page of a person shows it. */
export interface OfficeSignIn {
  id: string
  agent: string
  address: string
  factor: FactorKind
  since: Instant
  lastSeen: Instant
}

/** A person's live sign-ins, the newest first. */
export async function signInsOf(services: Pick<Services, 'db' | 'clock'>, staffId: string): Promise<OfficeSignIn[]> {
  const now = services.clock.now()
  const rows = await services.db.read
    .selectFrom('staff_sign_ins')
    .selectAll()
    .where('staff_id', '=', staffId)
    .where('ended_at', 'is', null)
    .where('factor', 'is not', null)
    .where('created_at', '>', now - OFFICE_SIGN_IN_MS)
    .where('last_seen_at', '>', now - OFFICE_IDLE_MS)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.token_hash.slice(0, 16),
    agent: row.agent,
    address: row.address,
    factor: row.factor as FactorKind,
    since: row.created_at,
    lastSeen: row.last_seen_at,
  }))
}

/** Ends one sign-in of a person, by its id. In the caller's transaction. @returns whether there was one */
export async function endSignIn(tx: Kysely<Tables>, staffId: string, id: string, now: Instant): Promise<boolean> {
  const rows = await tx
    .updateTable('staff_sign_ins')
    .set({ ended_at: now })
    .where('staff_id', '=', staffId)
    .where('token_hash', 'like', `${id}%`)
    .where('ended_at', 'is', null)
    .returning('token_hash')
    .execute()
  return rows.length > 0
}

/** Signing out. */
export async function endOfficeSignIn(services: Services, token: string, callers: Callers): Promise<void> {
  await services.db.transaction(async (tx) => {
    await tx
      .updateTable('staff_sign_ins')
      .set({ ended_at: services.clock.now() })
      .where('token_hash', '=', tokenHash(token))
      .where('ended_at', 'is', null)
      .execute()
    if (callers.staff) await audit(tx, services, staffActor(callers), { kind: 'staff.signed_out', details: {} })
  })
}
