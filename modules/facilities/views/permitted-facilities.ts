import type { Permission } from '../../../domain/office/roles-and-permissions.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { facilitiesFor } from '../../../platform/operations/facilities-of-staff.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type FacilityName, loadFacilityNames } from '../facility-names.ts'

/** The facilities where a staff member has a permission, sorted by name. */
export interface PermittedFacilities {
  /** True when a role gives the staff member the permission for all facilities, not only for named ones. */
  everywhere: boolean
  facilities: FacilityName[]
}

/** Returns the facilities where a staff member has the permission, or one of several. */
export async function loadPermittedFacilities(
  services: Pick<Services, 'db'>,
  staff: StaffCaller,
  permission: Permission | readonly Permission[],
): Promise<PermittedFacilities> {
  const permitted = facilitiesFor(staff, permission)
  const all = await loadFacilityNames(services)
  if (permitted === 'all') return { everywhere: true, facilities: all }
  return { everywhere: false, facilities: all.filter(({ code }) => permitted.has(code)) }
}
