import { grantOf, type OfficeRole, officeRoles } from '../../../domain/office/roles.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { officeLimits } from '../check-approval-limits.ts'
import { type AmountLimit, type LimitedPermission, limitedPermissions } from '../rules/approval-limits.ts'

/** Limit that the owner may set for a role. */
export interface RoleLimit extends AmountLimit {
  role: OfficeRole
  permission: LimitedPermission
}

/** Returns the limits that the owner may set: of each permission, those of the roles that have it with a limit. */
export async function loadApprovalLimitsPage({ db }: Pick<Services, 'db'>): Promise<RoleLimit[]> {
  const limits = await officeLimits(db.read)
  return limitedPermissions.flatMap((permission) =>
    officeRoles
      .filter((role) => grantOf(role, permission) === 'limited')
      .map((role) => ({ role, permission, ...(limits[role][permission] ?? { act: 0, day: 0 }) })),
  )
}
