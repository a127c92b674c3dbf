import type { Permission } from '../../../domain/office/roles-and-permissions.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type FacilityFacts, loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import type { Lease } from '../../leases/lease.ts'
import { loadTenantLeases } from '../../leases/lease.ts'
import { hasPermissionForTenant } from '../../staff/staff-tasks.ts'
import { loadTenant, type Tenant } from '../../tenants/tenant.ts'

interface TenantViewKey {
  locationCode: string
  tenantId: number
}

/** A tenant with their facility and leases, as `loadTenantForStaff` loads them for a staff member. */
export interface OpenedTenant {
  facts: FacilityFacts
  tenant: Tenant
  /** Open leases before closed leases, leases with a balance due before others, then by unit number. */
  leases: Lease[]
}

/**
 * Loads a tenant with their facility and leases, for a staff member.
 * @returns null when the tenant does not exist, or was erased and the permission is not one to read or export, or the
 * staff member lacks the permission
 */
export async function loadTenantForStaff(
  services: Services,
  caller: StaffCaller,
  tenantKey: TenantViewKey,
  permission: Permission = 'file.read',
): Promise<OpenedTenant | null> {
  const { read } = services.db
  if (!(await hasPermissionForTenant(read, caller, permission, tenantKey))) return null
  const [facts, tenant, leases] = await Promise.all([
    loadFacilityFacts(services, [tenantKey.locationCode]),
    loadTenant(read, tenantKey.locationCode, tenantKey.tenantId),
    loadTenantLeases(read, tenantKey),
  ])
  const tenantFacility = facts.get(tenantKey.locationCode)
  // An erased tenant can be read and exported; nothing else is allowed.
  const isClosedByErasure = tenant?.erased_at != null && permission !== 'file.read' && permission !== 'tenant.export'
  return tenantFacility && tenant && !isClosedByErasure ? { facts: tenantFacility, tenant, leases } : null
}
