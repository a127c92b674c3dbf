import type { Kysely } from 'kysely'
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { type Callers, ownTenant } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { loadTenant, type Tenant } from './tenant.ts'

/** Returns whether the caller is signed in as this tenant. */
export const isOwnTenant = (callers: Callers, input: { location_code: string; tenant_id: number }) =>
  callers.tenant !== undefined && ownTenant(callers.tenant, input)

/** Returns the encryption context of a tenant's identity data. */
export const identityContext = (locationCode: string, tenantId: number) => `tenant:${locationCode}:${tenantId}:identity`

/** Driver's license data, birth date and description of the stored goods, stored sealed with the tenant. */
export interface Identity {
  drivers_license?: string
  issued_state?: string
  birth_date?: string
  expiration_date?: string
  brief_description?: string
}

/** Decrypts a tenant's identity data; empty when none is stored. */
export function decryptIdentity(
  services: Services,
  tenant: Pick<Tenant, 'location_code' | 'tenant_id' | 'identity_sealed'>,
): Identity {
  return tenant.identity_sealed
    ? parseJson(
        services.sealer.open(tenant.identity_sealed, identityContext(tenant.location_code, tenant.tenant_id)),
        hasFields<Identity>(),
      )
    : {}
}

/** Changes a tenant's identity data, in the caller's transaction. Omitted fields stay. Does nothing for an unknown tenant. */
export async function changeIdentity(
  tx: Kysely<Tables>,
  services: Services,
  locationCode: string,
  tenantId: number,
  change: Identity,
): Promise<void> {
  const tenant = await loadTenant(tx, locationCode, tenantId)
  if (!tenant) return
  const identity = { ...decryptIdentity(services, tenant), ...change }
  await tx
    .updateTable('tenants')
    .set({ identity_sealed: services.sealer.seal(JSON.stringify(identity), identityContext(locationCode, tenantId)) })
    .where((eb) => eb.and({ location_code: locationCode, tenant_id: tenantId }))
    .execute()
}
