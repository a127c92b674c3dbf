import type { Services } from '../../../platform/operations/services.ts'
import { loadOpenLeases } from '../../leases/views/rented-units-of-tenant.ts'
import type { TenantAtFacility } from './account-tenants-and-pending-terms.ts'

/**
 * Returns the labels between which a tenant of an account is chosen, in the order of `tenants`: the facility, and for
 * several tenants at one facility their names and units as well.
 */
export async function loadTenantLabels(services: Services, tenants: TenantAtFacility[]): Promise<string[]> {
  const neighbors = tenants.filter(({ locationCode, tenantId }) =>
    tenants.some((other) => other.locationCode === locationCode && other.tenantId !== tenantId),
  )
  if (neighbors.length === 0) return tenants.map(({ facilityName }) => facilityName)
  const leases = await loadOpenLeases(services, neighbors)
  return tenants.map((tenant) => {
    if (!neighbors.includes(tenant)) return tenant.facilityName
    const units = leases
      .filter((lease) => lease.location_code === tenant.locationCode && lease.tenant_id === tenant.tenantId)
      .map((lease) => lease.unit_number)
    return [
      tenant.facilityName,
      tenant.name,
      units.length > 0 && `${units.length === 1 ? 'unit' : 'units'} ${units.join(' and ')}`,
    ]
      .filter(Boolean)
      .join(', ')
  })
}
