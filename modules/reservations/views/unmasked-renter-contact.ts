import { recordOf } from '../../../domain/typed-keys.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { findProtectedTenants } from '../../leases/tenants-with-protected-identity.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import type { Draft } from '../rules/journey/draft.ts'
import { requiredContactFields } from '../rules/required-contact-fields.ts'

const fields = [...requiredContactFields, 'company'] as const

/** Contact data of a draft's tenant; '' for an empty field. */
export interface RenterOnFile {
  tenantId: number
  contact: Record<(typeof fields)[number], string>
}

/** Loads the contact data of a draft's tenant, unmasked; null where the draft has no tenant. */
export async function loadRenterOnFile(
  services: Services,
  { locationCode, tenantId }: Pick<Draft, 'locationCode' | 'tenantId'>,
): Promise<RenterOnFile | null> {
  const tenant = tenantId === null ? undefined : await loadTenant(services.db.read, locationCode, tenantId)
  return tenant ? { tenantId: tenant.tenant_id, contact: recordOf(fields, (name) => tenant[name]) } : null
}

/** Returns whether a tenant of the facility with this e-mail address has or had a lease, or has an account. */
export const hasEstablishedTenant = async (services: Services, locationCode: string, email: string): Promise<boolean> =>
  (await findProtectedTenants(services.db.read, locationCode, email)).length > 0
