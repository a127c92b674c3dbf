import type { Services } from '../../../platform/operations/services.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import { readInvite, registrantSessionValue } from '../registration-link.ts'

/**
 * Returns the session value for the tenant of a mailed registration link; null for an invalid or expired link, or one
 * mailed to an address that is no longer the tenant's.
 */
export async function loadRegistrantOfInvite(services: Services, token: string): Promise<string | null> {
  const invite = readInvite(services, token)
  if (!invite) return null
  const tenant = await loadTenant(services.db.read, invite.locationCode, invite.tenantId)
  return tenant && tenant.email_key === invite.to ? registrantSessionValue(services, invite) : null
}
