import type { StaffCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { grantAt } from '../../../platform/operations/staff-scope.ts'
import { type FacilityFacts, facilityFacts } from '../facility-price-facts.ts'

/** A facility with its unit types, for the setup pages. */
export type FacilityToSetUp = Pick<FacilityFacts, 'location' | 'unitTypes'>

/** Returns a facility that the staff member may set up; null for an unknown one, or without the permission. */
export async function loadFacilityToSetUp(
  services: Services,
  staff: StaffCaller,
  locationCode: string,
): Promise<FacilityToSetUp | null> {
  if (!grantAt(staff, 'setup.save', locationCode)) return null
  const facts = (await facilityFacts(services, [locationCode])).get(locationCode)
  return facts ? { location: facts.location, unitTypes: facts.unitTypes } : null
}
