import type { OfficeRole } from '../../../domain/office/roles-and-permissions.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadOfficeLimits } from '../check-approval-limits.ts'
import { type AmountLimit, type LimitedPermission, limitedGrants } from '../rules/approval-limits.ts'

/** Limit that the owner may set for a role. */
export interface RoleLimit extends AmountLimit {
  role: OfficeRole
  permission: LimitedPermission
}

/** Loads the limits that the owner may set: one for each permission and each role that has it with a limit. */
export async function loadApprovalLimitsPage({ db }: Pick<Services, 'db'>): Promise<RoleLimit[]> {
  const limits = await loadOfficeLimits(db.read)
  return limitedGrants.map(({ role, permission }) => {
    const limit = limits[role][permission]
    return { role, permission, act: limit?.act ?? 0, day: limit?.day ?? 0 }
  })
}
