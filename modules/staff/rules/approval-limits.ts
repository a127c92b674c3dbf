/** Amounts that a staff member may move alone, and permissions that always need a second staff member. */
import type { Cents } from '../../../domain/money.ts'
import { grantOf, type OfficeRole, officeRoles, type Permission } from '../../../domain/office/roles-and-permissions.ts'

/** Permissions that move money by hand, with a limit for each operation and for a staff member's last 24 hours. */
export const limitedPermissions = [
  'fee.waive',
  'charge.add',
  'lease.credit',
  'money.refund',
  'balance.settle',
  'balance.write-off',
] as const satisfies readonly Permission[]
export type LimitedPermission = (typeof limitedPermissions)[number]

/** Roles with the permissions that they have with a limit. */
export const limitedGrants: readonly { role: OfficeRole; permission: LimitedPermission }[] = limitedPermissions.flatMap(
  (permission) =>
    officeRoles.flatMap((role) => (grantOf(role, permission) === 'limited' ? [{ role, permission }] : [])),
)

/** Limits in cents for one operation and for a staff member's last 24 hours. */
export interface AmountLimit {
  act: Cents
  day: Cents
}

export type OfficeLimits = Record<OfficeRole, Partial<Record<LimitedPermission, AmountLimit>>>

/** Permissions whose operations always need a second staff member, whose role has the grant 'yes' for them. */
export const dualControlPermissions = ['tenant.erase'] as const satisfies readonly Permission[]
export type DualControlPermission = (typeof dualControlPermissions)[number]

/** Amount in cents above which an operation with a limited permission needs a second staff member, in every role. */
export const DUAL_CONTROL_ABOVE_CENTS: Cents = 100_000

const limitsExceptWaivers = (act: Cents, day: Cents): Record<Exclude<LimitedPermission, 'fee.waive'>, AmountLimit> => ({
  'charge.add': { act, day },
  'lease.credit': { act, day },
  'money.refund': { act, day },
  'balance.settle': { act, day },
  'balance.write-off': { act, day },
})

/** Limits until the owner changes them (setting `office_limits`). */
export const defaultLimits: OfficeLimits = {
  agent: { 'fee.waive': { act: 2_500, day: 10_000 } },
  field: {},
  manager: { 'fee.waive': { act: 10_000, day: 50_000 }, ...limitsExceptWaivers(10_000, 50_000) },
  district: { 'fee.waive': { act: 50_000, day: 250_000 }, ...limitsExceptWaivers(50_000, 250_000) },
  finance: limitsExceptWaivers(100_000, 1_000_000),
  owner: limitsExceptWaivers(100_000, 1_000_000),
  auditor: {},
}

/**
 * Amounts that a staff member may authorize alone at a facility, for one operation and for the last 24 hours, and the
 * amount `spent` in the last 24 hours at all facilities. In cents.
 */
export interface Allowance {
  act: Cents
  day: Cents
  spent: Cents
}

/** Returns whether a staff member may move the amount alone. */
export const isWithin = ({ act, day, spent }: Allowance, cents: Cents): boolean => cents <= act && spent + cents <= day
