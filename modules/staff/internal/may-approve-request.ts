import type { Cents } from '../../../domain/money.ts'
import { grantOf, type Permission } from '../../../domain/office/roles-and-permissions.ts'
import { isOneOf } from '../../../domain/typed-keys.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { grantAt } from '../../../platform/operations/facilities-of-staff.ts'
import {
  type AmountLimit,
  DUAL_CONTROL_ABOVE_CENTS,
  dualControlPermissions,
  type OfficeLimits,
} from '../rules/approval-limits.ts'

/**
 * Returns whether the staff member may decide a request of this amount. Managers and district staff decide within their
 * own limit for one operation, Finance and Owner without a limit. For `dualControlPermissions` the amount does not
 * count; the staff member needs the grant 'yes' for the permission, and any grant to decide requests.
 */
export function mayApprove(
  caller: StaffCaller,
  request: { permission: Permission; locationCode: string; cents: Cents },
  limits: OfficeLimits,
): boolean {
  const { permission, locationCode, cents } = request
  const grant = grantAt(caller, 'approval.decide', locationCode)
  if (isOneOf(dualControlPermissions, permission))
    return grant !== undefined && grantAt(caller, permission, locationCode) === 'yes'
  if (grant === 'yes') return true
  if (grant !== 'limited' || cents > DUAL_CONTROL_ABOVE_CENTS) return false
  return caller.roles.some(({ role, facilities }) => {
    const roleLimits: Partial<Record<Permission, AmountLimit>> = limits[role]
    const limit = roleLimits[permission]
    const coversFacility = facilities === 'all' || facilities.has(locationCode)
    return coversFacility && grantOf(role, permission) === 'limited' && limit !== undefined && cents <= limit.act
  })
}
