/** Georgia: the agent whom a tenant has named on an earlier lease. */

import type { TenantCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { DesignatedAgent } from '../rules/reservation-form.ts'

/** Of the account's latest lease that has one; null where none does. */
export async function namedAgent(services: Services, account: TenantCaller): Promise<DesignatedAgent | null> {
  if (account.tenants.length === 0) return null
  const leases = await services.db.read
    .selectFrom('leases')
    .select('details')
    .where((eb) =>
      eb.or(
        account.tenants.map((one) =>
          eb.and([eb('location_code', '=', one.locationCode), eb('tenant_id', '=', one.tenantId)]),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .execute()
  for (const { details } of leases) {
    const { designatedAgent } = JSON.parse(details) as { designatedAgent?: DesignatedAgent }
    if (designatedAgent) return designatedAgent
  }
  return null
}
