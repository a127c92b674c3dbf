import { type OfficeRole, type RoleScope, roleNames } from '../../../domain/office/roles-and-permissions.ts'

/** A role of a staff member, with its scope. */
export interface ScopedRole {
  role: OfficeRole
  scope: RoleScope
}

/** Returns roles as text, such as 'Manager (ATL01), Field (GA)'; '' for none. */
export const formatRoles = (roles: readonly ScopedRole[]): string =>
  roles
    .map(({ role, scope }) => {
      const where = 'all' in scope ? 'all' : 'state' in scope ? scope.state : scope.facility
      return `${roleNames[role]} (${where})`
    })
    .join(', ')

/** Returns scopes as a line for people, such as 'ATL01, GA'; 'everything' for the whole operator. */
export const formatScopes = (scopes: readonly RoleScope[]): string =>
  scopes.map((scope) => ('all' in scope ? 'everything' : 'state' in scope ? scope.state : scope.facility)).join(', ')
