import type { Instant } from '../../../domain/time-zone-dates.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type Factor, factorsAllowed, isLastFactor, loadFactors } from '../mfa.ts'
import { formatRoles } from '../rules/format-roles.ts'
import { OFFICE_SIGN_IN_MAX_MS } from '../rules/staff-sign-in-duration.ts'
import { maxIdleMs } from '../sign-ins.ts'
import { loadStaffMember } from '../staff-members.ts'

/** A live sign-in (a browser that is signed in), as the staff member's own account page lists it. */
export interface OfficeSignIn {
  id: string
  agent: string
  address: string
  since: Instant
}

/** A staff member's own account: roles as text, second factors and sign-ins. */
export interface MyAccountPage {
  email: string
  roles: string
  /** `last`: whether the factor cannot be removed (`isLastFactor`). */
  factors: (Factor & { last: boolean })[]
  /** Number of unused recovery codes. */
  recoveryCodes: number
  signIns: OfficeSignIn[]
}

/** Returns the staff member's own account. */
export async function loadMyAccountPage(
  services: Pick<Services, 'db' | 'clock' | 'allowsAnyFactor'>,
  staff: StaffCaller,
): Promise<MyAccountPage> {
  const { read } = services.db
  const [staffMember, { factors, recoveryCodes }, signIns] = await Promise.all([
    loadStaffMember(read, staff.staffId),
    loadFactors(read, staff.staffId),
    loadStaffSignIns(services, staff),
  ])
  const allowed = factorsAllowed(
    staff.roles.map(({ role }) => role),
    services,
  )
  return {
    email: staffMember?.email ?? '',
    roles: formatRoles(staffMember?.roles ?? []),
    factors: factors.map((factor) => ({ ...factor, last: isLastFactor(factors, factor, allowed) })),
    recoveryCodes,
    signIns,
  }
}

/** Returns a staff member's live sign-ins that were completed by a second factor, newest first. */
async function loadStaffSignIns(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { staffId, roles }: Pick<StaffCaller, 'staffId' | 'roles'>,
): Promise<OfficeSignIn[]> {
  const now = clock.now()
  const rows = await db.read
    .selectFrom('staff_sign_ins')
    .select(['token_hash', 'agent', 'address', 'created_at'])
    .where('staff_id', '=', staffId)
    .where('ended_at', 'is', null)
    .where('factor', 'is not', null)
    .where('created_at', '>', now - OFFICE_SIGN_IN_MAX_MS)
    .where('last_seen_at', '>', now - maxIdleMs(roles))
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.token_hash.slice(0, 16),
    agent: row.agent,
    address: row.address,
    since: row.created_at,
  }))
}
