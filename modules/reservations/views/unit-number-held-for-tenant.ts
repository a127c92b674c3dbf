import type { Services } from '../../../platform/operations/services.ts'
import { loadActiveHold } from '../active-hold-of-tenant.ts'

/** Loads the number of the unit that is held for a tenant now; null without a hold. */
export async function loadHeldUnit(
  services: Services,
  tenant: { locationCode: string; tenantId: number },
): Promise<string | null> {
  const hold = await loadActiveHold(services.db.read, tenant, services.clock.now())
  return hold?.unit_number ?? null
}
