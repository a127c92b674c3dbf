import type { Permission } from '../../../domain/office/roles-and-permissions.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { grantAt } from '../../../platform/operations/facilities-of-staff.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type FacilityFacts, loadFacilityFacts } from '../facility-facts-for-pricing.ts'

/** A facility that a staff member opened, with all its facts, since a move-in at the desk is priced from them. */
export type OpenedFacility = FacilityFacts

/**
 * Opens a facility for a staff member.
 * @returns null when the facility does not exist or the staff member lacks the permission there
 */
export async function loadFacilityForStaff(
  services: Services,
  caller: StaffCaller,
  locationCode: string,
  permission: Permission,
): Promise<OpenedFacility | null> {
  if (!grantAt(caller, permission, locationCode)) return null
  return (await loadFacilityFacts(services, [locationCode])).get(locationCode) ?? null
}
