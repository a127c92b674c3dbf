import type { Services } from '../../../platform/operations/services.ts'
import { type FacilityFacts, loadFacilityFacts } from '../facility-facts-for-pricing.ts'
import { toFacility } from '../internal/facility-from-row.ts'
import type { Facility } from '../rules/facility.ts'
import { loadSupportPhone } from './support-phone.ts'

/** Facility of a signed-in tenant: its facts, the facility as pages show it, and its phone, formatted. */
export interface TenantFacility {
  facts: FacilityFacts
  facility: Facility
  phone: string
}

/** Loads the facility of a signed-in tenant's pages; null where it no longer exists. */
export async function loadTenantFacility(services: Services, locationCode: string): Promise<TenantFacility | null> {
  const facts = (await loadFacilityFacts(services, [locationCode])).get(locationCode)
  if (!facts) return null
  const facility = toFacility(facts.location)
  return { facts, facility, phone: await loadSupportPhone(services, facility) }
}

/**
 * Returns the facts of a facility; undefined where it no longer exists.
 * @param loaded facts that the page has loaded, perhaps of another facility; null for none
 */
export const loadFactsAt = async (
  services: Services,
  loaded: FacilityFacts | null,
  locationCode: string,
): Promise<FacilityFacts | undefined> =>
  loaded?.location.location_code === locationCode
    ? loaded
    : (await loadFacilityFacts(services, [locationCode])).get(locationCode)
