import type { Kysely } from 'kysely'
import { formatScope, parseScope } from '../../domain/office/roles-and-permissions.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { tokenHash } from '../../platform/encryption/token-hash.ts'
import type { HeldRole } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { ScopedRole } from './rules/format-roles.ts'
import { INVITATION_MS } from './rules/invitation-duration.ts'

/** A staff member, as the staff page shows them. */
export interface StaffMember {
  staffId: string
  email: string
  name: string
  roles: ScopedRole[]
  /** State of access: 'invited' until the invitation is accepted. */
  state: 'invited' | 'active' | 'ended'
  createdAt: Instant
}

export const selectStaff = (db: Kysely<Tables>) =>
  db.selectFrom('staff').select(['staff_id', 'email', 'name', 'password_hash', 'created_at', 'ended_at'])

type StaffRow = Awaited<ReturnType<ReturnType<typeof selectStaff>['executeTakeFirstOrThrow']>>

export const toStaffMember = (row: StaffRow, roles: ScopedRole[]): StaffMember => ({
  staffId: row.staff_id,
  email: row.email,
  name: row.name,
  roles,
  state: row.ended_at !== null ? 'ended' : row.password_hash === null ? 'invited' : 'active',
  createdAt: row.created_at,
})

/** Returns the roles of staff members, by staff id. */
export async function loadRolesByStaffId(
  db: Kysely<Tables>,
  staffIds: readonly string[],
): Promise<Map<string, ScopedRole[]>> {
  const rolesByStaffId = new Map<string, ScopedRole[]>(staffIds.map((id) => [id, []]))
  if (staffIds.length === 0) return rolesByStaffId
  const rows = await db
    .selectFrom('staff_roles')
    .selectAll()
    .where('staff_id', 'in', staffIds)
    .orderBy('role')
    .orderBy('scope')
    .execute()
  for (const { staff_id, role, scope: text } of rows) {
    const scope = parseScope(text)
    if (scope) rolesByStaffId.get(staff_id)?.push({ role, scope })
  }
  return rolesByStaffId
}

/** Loads a staff member with roles; null for an unknown id. */
export async function loadStaffMember(db: Kysely<Tables>, staffId: string): Promise<StaffMember | null> {
  const row = await selectStaff(db).where('staff_id', '=', staffId).executeTakeFirst()
  return row ? toStaffMember(row, (await loadRolesByStaffId(db, [staffId])).get(staffId) ?? []) : null
}

/** Returns the names of staff members, by staff id. */
export async function loadStaffNames(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('staff')
    .select(['staff_id', 'name'])
    .where('staff_id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.staff_id, row.name]))
}

/** Returns a staff member's roles, with states resolved to their facilities. Access checks use this. */
export async function loadRoles(db: Kysely<Tables>, staffId: string): Promise<HeldRole[]> {
  const roles = (await loadRolesByStaffId(db, [staffId])).get(staffId) ?? []
  const states = roles.flatMap(({ scope }) => ('state' in scope ? [scope.state] : []))
  const facilities =
    states.length === 0
      ? []
      : await db.selectFrom('locations').select(['location_code', 'state']).where('state', 'in', states).execute()
  return roles.map(({ role, scope }) => {
    if ('all' in scope) return { role, facilities: 'all' }
    if ('facility' in scope) return { role, facilities: new Set([scope.facility]) }
    const codes = facilities.filter(({ state }) => state === scope.state).map((location) => location.location_code)
    return { role, facilities: new Set(codes) }
  })
}

/**
 * Locks a staff member until the transaction ends, so that limits and factors are counted one operation after the
 * other.
 */
export async function lockStaffMember(tx: Kysely<Tables>, staffId: string): Promise<void> {
  await tx
    .updateTable('staff')
    .set((eb) => ({ staff_id: eb.ref('staff_id') }))
    .where('staff_id', '=', staffId)
    .execute()
}

// ── Adding, changing and removing staff members ───────────────────────────────────────────────────────────────────────

/**
 * Adds an invited staff member.
 * @returns staff id, and token of the invitation link, valid for `INVITATION_MS`; null when the e-mail address is taken
 */
export async function inviteStaffMember(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  { email, name, roles }: { email: string; name: string; roles: readonly ScopedRole[] },
): Promise<{ staffId: string; token: string } | null> {
  const token = services.random.hex(32)
  const now = services.clock.now()
  const inserted = await tx
    .insertInto('staff')
    .values({
      staff_id: services.random.uuid(),
      email: email.toLowerCase(),
      name,
      password_hash: null,
      invite_hash: tokenHash(token),
      invite_expires_at: now + INVITATION_MS,
      created_at: now,
      ended_at: null,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('staff_id')
    .executeTakeFirst()
  if (!inserted) return null
  await writeRoles(tx, inserted.staff_id, roles)
  return { staffId: inserted.staff_id, token }
}

/**
 * Invites an existing or former staff member again: ends their sign-ins and deletes their password and second factors.
 * @returns token of the invitation link
 */
export async function inviteAgain(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  staffId: string,
): Promise<string> {
  const token = services.random.hex(32)
  const now = services.clock.now()
  await tx
    .updateTable('staff')
    .set({ password_hash: null, invite_hash: tokenHash(token), invite_expires_at: now + INVITATION_MS, ended_at: null })
    .where('staff_id', '=', staffId)
    .execute()
  await tx.deleteFrom('staff_factors').where('staff_id', '=', staffId).execute()
  await endAllSignIns(tx, staffId, now)
  // No browser counts as known any more, because one of the known browsers may be a thief's. Unlock links stay used.
  await tx.updateTable('staff_unlocks').set({ device: '' }).where('staff_id', '=', staffId).execute()
  await tx.updateTable('staff_sign_ins').set({ device: '' }).where('staff_id', '=', staffId).execute()
  return token
}

async function writeRoles(tx: Kysely<Tables>, staffId: string, roles: readonly ScopedRole[]): Promise<void> {
  const rows = new Map(
    roles.map(({ role, scope }) => [`${role} ${formatScope(scope)}`, { role, scope: formatScope(scope) }]),
  )
  if (rows.size === 0) return
  await tx
    .insertInto('staff_roles')
    .values([...rows.values()].map((role) => ({ staff_id: staffId, ...role })))
    .execute()
}

/** Replaces a staff member's roles and ends their sign-ins. */
export async function replaceRoles(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  staffId: string,
  roles: readonly ScopedRole[],
): Promise<void> {
  await tx.deleteFrom('staff_roles').where('staff_id', '=', staffId).execute()
  await writeRoles(tx, staffId, roles)
  await endAllSignIns(tx, staffId, services.clock.now())
}

/** Ends a staff member's sign-ins. */
export async function endAllSignIns(tx: Kysely<Tables>, staffId: string, now: Instant): Promise<void> {
  await tx
    .updateTable('staff_sign_ins')
    .set({ ended_at: now })
    .where('staff_id', '=', staffId)
    .where('ended_at', 'is', null)
    .execute()
}

/**
 * Returns whether another active owner of all facilities remains besides this staff member. Call it after `lockOwners`.
 */
export const hasAnotherOwner = async (tx: Kysely<Tables>, staffId: string): Promise<boolean> =>
  (await loadActiveOwners(tx)).some((owner) => owner !== staffId)

/** Returns the ids of owners of all facilities who can sign in. */
export async function loadActiveOwners(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db
    .selectFrom('staff_roles')
    .innerJoin('staff', 'staff.staff_id', 'staff_roles.staff_id')
    .select('staff.staff_id')
    .where('role', '=', 'owner')
    .where('scope', '=', 'all')
    .where('password_hash', 'is not', null)
    .where('ended_at', 'is', null)
    .orderBy('staff.staff_id')
    .execute()
  return rows.map((row) => row.staff_id)
}

/** Locks every owner, ordered by id, so that of two owners who remove each other only one succeeds. */
export async function lockOwners(tx: Kysely<Tables>): Promise<void> {
  const owners = await tx
    .selectFrom('staff_roles')
    .select('staff_id')
    .distinct()
    .where('role', '=', 'owner')
    .orderBy('staff_id')
    .execute()
  for (const { staff_id } of owners) await lockStaffMember(tx, staff_id)
}
