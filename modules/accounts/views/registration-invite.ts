import { writtenByUs } from '../../../domain/parse-json.ts'
import { openMailedToken } from '../../../platform/encryption/mailed-token.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import { inviteContext, registrantSessionValue } from '../registration-link.ts'

const isInvite = writtenByUs<{ locationCode: string; tenantId: number; to: string; until: number }>('tenantId', 'until')

/**
 * Returns the session value for the tenant of a mailed registration link; null for an invalid or expired link, or one
 * mailed to an address that is no longer the tenant's.
 */
export async function registrantFromInvite(services: Services, token: string): Promise<string | null> {
  const invite = openMailedToken(services, token, { context: inviteContext, isContent: isInvite })
  if (!invite) return null
  const tenant = await loadTenant(services.db.read, invite.locationCode, invite.tenantId)
  return tenant && tenant.email_key === invite.to ? registrantSessionValue(services, invite) : null
}
