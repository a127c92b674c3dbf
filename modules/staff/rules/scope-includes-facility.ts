import type { RoleScope } from '../../../domain/office/roles-and-permissions.ts'

/** Returns whether the scope of a role or key includes a facility. */
export const includesFacility = (scope: RoleScope, facility: { location_code: string; state: string }): boolean =>
  'all' in scope || ('state' in scope ? scope.state === facility.state : scope.facility === facility.location_code)
