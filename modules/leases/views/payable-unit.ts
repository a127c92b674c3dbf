import type { Services } from '../../../platform/operations/services.ts'
import { loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { type Lease, loadLease } from '../lease.ts'
import { type PayableLease, payableLease } from './rented-units-of-tenant.ts'

/** Unit of a guest payer's tenant. */
interface GuestUnit {
  locationCode: string
  tenantId: number
  leaseNumber: number
}

/** Returns a lease with its online prices; null where its facility no longer exists. */
export async function loadPayableLease(services: Services, lease: Lease): Promise<PayableLease | null> {
  const facts = (await loadFacilityFacts(services, [lease.location_code])).get(lease.location_code)
  return facts ? payableLease(services, facts, lease) : null
}

/** Loads a guest payer's unit with its online prices; null where its lease or facility no longer exists. */
export async function loadPayableUnit(services: Services, unit: GuestUnit): Promise<PayableLease | null> {
  const [lease, factsByCode] = await Promise.all([
    loadLease(services, { location_code: unit.locationCode, tenant_id: unit.tenantId }, unit.leaseNumber),
    loadFacilityFacts(services, [unit.locationCode]),
  ])
  const facts = factsByCode.get(unit.locationCode)
  return lease && facts ? payableLease(services, facts, lease) : null
}

/** Data of a guest payer's page about the units that may be paid. */
export interface GuestUnitsPage {
  /** The selected unit with its online prices; null without one. */
  payable: PayableLease | null
  facilityNames: ReadonlyMap<string, string>
}

/** Loads the selected unit of a guest payer, and the names of the facilities of all units, by location code. */
export async function loadGuestUnitsPage(
  services: Services,
  units: readonly GuestUnit[],
  selected: GuestUnit | undefined,
): Promise<GuestUnitsPage> {
  const [payable, facilities] = await Promise.all([
    selected ? loadPayableUnit(services, selected) : null,
    loadFacilityFacts(services, [...new Set(units.map((unit) => unit.locationCode))]),
  ])
  return {
    payable,
    facilityNames: new Map([...facilities].map(([code, { location }]) => [code, location.name])),
  }
}
