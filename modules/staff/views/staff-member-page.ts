import { formatScope, type OfficeRole } from '../../../domain/office/roles-and-permissions.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { formatRoles } from '../rules/format-roles.ts'
import { loadStaffMember, type StaffMember } from '../staff-members.ts'
import { loadScopeOptions } from './role-and-scope-fields.ts'

/** A staff member with the choices of the form that changes their roles. */
export interface StaffMemberPage extends Pick<StaffMember, 'name' | 'email' | 'state'> {
  roles: { role: OfficeRole; scope: string }[]
  /** Roles as text, by which a form proves that it displayed the current ones. */
  before: string
  /** Scopes to choose from; null when they are typed. */
  scopes: { value: string; label: string }[] | null
}

/**
 * Returns a staff member as their page shows them; null for an unknown id.
 * @param mostScopes number of facilities above which scopes are typed
 */
export async function loadStaffMemberPage(
  services: Pick<Services, 'db'>,
  staffId: string,
  mostScopes: number,
): Promise<StaffMemberPage | null> {
  const staffMember = await loadStaffMember(services.db.read, staffId)
  if (!staffMember) return null
  const { name, email, state, roles } = staffMember
  return {
    name,
    email,
    state,
    roles: roles.map(({ role, scope }) => ({ role, scope: formatScope(scope) })),
    before: formatRoles(roles),
    scopes: await loadScopeOptions(services, mostScopes),
  }
}
