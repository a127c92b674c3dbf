import type { Kysely } from 'kysely'
import { DAY } from '../../domain/durations.ts'
import type { Cents } from '../../domain/money.ts'
import { officeRoles } from '../../domain/office/roles-and-permissions.ts'
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { recordOf } from '../../domain/typed-keys.ts'
import { sumAuditedCents } from '../../platform/audit/audit.ts'
import type { StaffCaller } from '../../platform/operations/callers.ts'
import { grantAt } from '../../platform/operations/facilities-of-staff.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { loadSetting } from '../facilities/operator-settings-and-brand.ts'
import {
  type Allowance,
  DUAL_CONTROL_ABOVE_CENTS,
  defaultLimits,
  isWithin,
  type LimitedPermission,
  type OfficeLimits,
} from './rules/approval-limits.ts'
import { lockStaffMember } from './staff-members.ts'

/** Window of the daily limits in milliseconds: the last 24 hours, independent of the facility's time zone. */
const WINDOW_MS = DAY

export const LIMITS_SETTING = 'office_limits'

/** Returns the limits of all office roles: the owner's settings over the defaults. */
export async function loadOfficeLimits(db: Kysely<Tables>): Promise<OfficeLimits> {
  const stored = parseJson((await loadSetting(db, LIMITS_SETTING)) ?? '{}', hasFields<Partial<OfficeLimits>>())
  return recordOf(officeRoles, (role) => ({ ...defaultLimits[role], ...stored[role] }))
}

/**
 * Checks whether the staff member may do an operation with money without a second staff member. A grant 'limited' needs
 * an amount within the limit for one operation and, together with the last 24 hours, within the daily limit; the staff
 * member is then locked, so that concurrent operations are counted one after the other. A grant 'yes' has only the
 * limit `DUAL_CONTROL_ABOVE_CENTS`. Runs in the operation's transaction.
 * @returns `alone` is false when a second staff member has to approve
 */
export async function checkLimits(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  caller: StaffCaller,
  act: { permission: LimitedPermission; locationCode: string; cents: Cents },
): Promise<{ alone: boolean; allowance: Allowance }> {
  const { permission, locationCode, cents } = act
  const grant = grantAt(caller, permission, locationCode)
  if (grant === 'yes') {
    const allowance = { act: DUAL_CONTROL_ABOVE_CENTS, day: Number.MAX_SAFE_INTEGER, spent: 0 }
    return { alone: isWithin(allowance, cents), allowance }
  }
  if (grant !== 'limited') return { alone: false, allowance: { act: 0, day: 0, spent: 0 } }
  const limits = await loadOfficeLimits(tx)
  const roleLimits = caller.roles
    .filter(({ facilities }) => facilities === 'all' || facilities.has(locationCode))
    .flatMap(({ role }) => limits[role][permission] ?? [])
  await lockStaffMember(tx, caller.staffId)
  const allowance = {
    act: Math.min(Math.max(0, ...roleLimits.map((limit) => limit.act)), DUAL_CONTROL_ABOVE_CENTS),
    day: Math.max(0, ...roleLimits.map((limit) => limit.day)),
    spent: await sumAuditedCents(tx, caller.staffId, permission, services.clock.now() - WINDOW_MS),
  }
  return { alone: isWithin(allowance, cents), allowance }
}
