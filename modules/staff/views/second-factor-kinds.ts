import type { FactorKind } from '../../../domain/office/second-factors.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { factorsAllowed, loadFactors } from '../mfa.ts'
import { loadRoles } from '../staff-members.ts'

/** Kinds of second factor that a staff member may use. */
export interface FactorRequirement {
  allowed: readonly FactorKind[]
  /** Allowed kinds that the staff member has. */
  has: readonly FactorKind[]
  /**
   * Whether the staff member has factors, but none of an allowed kind, as after a promotion. The password alone must not
   * replace them, so a new invitation is needed.
   */
  isInvitationNeeded: boolean
}

/** Returns which kinds of second factor the staff member may use and has. */
export async function loadFactorRequirement(services: Services, staffId: string): Promise<FactorRequirement> {
  const roles = (await loadRoles(services.db.read, staffId)).map(({ role }) => role)
  const allowed = factorsAllowed(roles, services)
  const { factors, recoveryCodes } = await loadFactors(services.db.read, staffId)
  const kinds: FactorKind[] = [...factors.map(({ kind }) => kind), ...(recoveryCodes > 0 ? ['recovery' as const] : [])]
  const has = allowed.filter((kind) => kinds.includes(kind))
  return { allowed, has, isInvitationNeeded: has.length === 0 && factors.length > 0 }
}
