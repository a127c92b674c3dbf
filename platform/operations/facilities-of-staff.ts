/** Determines the facilities at which a staff member has a permission. */
import {
  type Grant,
  grantOf,
  type Permission,
  wholeOperatorPermissions,
} from '../../domain/office/roles-and-permissions.ts'
import type { HeldRole, StaffAccess, StaffCaller } from './callers.ts'

const grantOfRole = ({ role, facilities }: HeldRole, permission: Permission): Grant | undefined =>
  facilities === 'all' || !wholeOperatorPermissions.includes(permission) ? grantOf(role, permission) : undefined

/** Returns the facilities at which a staff member has a permission, or one of several. */
export function facilitiesFor(
  caller: Pick<StaffCaller, 'roles'>,
  permission: Permission | readonly Permission[],
): 'all' | ReadonlySet<string> {
  const sufficient = [permission].flat()
  const grantingRoles = caller.roles.filter((role) =>
    sufficient.some((candidate) => grantOfRole(role, candidate) !== undefined),
  )
  if (grantingRoles.some(({ facilities }) => facilities === 'all')) return 'all'
  return new Set(grantingRoles.flatMap(({ facilities }) => [...facilities]))
}

/** Returns the widest grant of a permission among the staff member's roles at a facility; undefined for none. */
export function grantAt(caller: StaffCaller, permission: Permission, locationCode: string): Grant | undefined {
  const grants = caller.roles
    .filter(({ facilities }) => facilities === 'all' || facilities.has(locationCode))
    .map((role) => grantOfRole(role, permission))
  return (['yes', 'limited', 'asks', 'own', 'reads'] as const).find((grant) => grants.includes(grant))
}

/** Returns whether a staff member may act on every tenant of a facility, alone, up to a limit or with an approval. */
export const mayActAt = (caller: StaffCaller, permission: Permission, locationCode: string): boolean =>
  ['yes', 'limited', 'asks'].includes(grantAt(caller, permission, locationCode) ?? '')

/** Access test: the staff member has the permission at the input's facility. */
export const mayAtFacility =
  (permission: Permission) =>
  (caller: StaffCaller, { location_code }: { location_code: string }): StaffAccess =>
    grantAt(caller, permission, location_code) !== undefined || (mayAnywhere(permission)(caller) && 'absent')

/** Access test: the staff member has the permission at any facility; the operation must filter by facility itself. */
export const mayAnywhere =
  (permission: Permission) =>
  (caller: Pick<StaffCaller, 'roles'>): boolean =>
    caller.roles.some((role) => grantOfRole(role, permission) !== undefined)
