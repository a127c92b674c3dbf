import type { TenantCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { leaseDetailsOf } from '../../leases/renter-answers-stored-with-lease.ts'
import type { DesignatedAgent } from '../rules/reservation-form.ts'

/** Returns the designated agent on the account's newest lease with an agent; null where no lease has one. */
export async function loadDesignatedAgent(services: Services, account: TenantCaller): Promise<DesignatedAgent | null> {
  if (account.tenants.length === 0) return null
  const leases = await services.db.read
    .selectFrom('leases')
    .select('details')
    .where((eb) =>
      eb.or(
        account.tenants.map((tenant) =>
          eb.and([eb('location_code', '=', tenant.locationCode), eb('tenant_id', '=', tenant.tenantId)]),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .execute()
  for (const lease of leases) {
    const { designatedAgent } = leaseDetailsOf(lease)
    if (designatedAgent) return designatedAgent
  }
  return null
}
