import type { FactorKind } from '../../../domain/office/second-factors.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { factorsAllowed, loadFactors } from '../mfa.ts'
import { loadRoles } from '../staff-members.ts'

/**
 * Returns which kinds of second factor the staff member may use and which of these kinds they have. A staff member who
 * has none adds a factor first.
 */
export async function loadFactorRequirement(
  services: Services,
  staffId: string,
): Promise<{ allowed: readonly FactorKind[]; has: readonly FactorKind[] }> {
  const roles = (await loadRoles(services.db.read, staffId)).map(({ role }) => role)
  const allowed = factorsAllowed(roles, services)
  const { factors, recoveryCodes } = await loadFactors(services.db.read, staffId)
  const kinds: FactorKind[] = [...factors.map(({ kind }) => kind), ...(recoveryCodes > 0 ? ['recovery' as const] : [])]
  return { allowed, has: allowed.filter((kind) => kinds.includes(kind)) }
}
