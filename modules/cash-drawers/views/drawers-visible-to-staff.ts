/** Decides which drawers a staff member may see. */

import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { facilitiesFor, grantAt } from '../../../platform/operations/facilities-of-staff.ts'
import type { Drawer } from '../load-drawers.ts'

/** Permissions that each allow seeing a facility's drawers. */
const viewPermissions = ['payment.receive', 'deposit.match', 'report.read'] as const

/** Returns whether a staff member has a permission at the drawer's facility that allows seeing drawers. */
export const maySeeDrawer = (caller: StaffCaller, { location_code }: Pick<Drawer, 'location_code'>): boolean =>
  viewPermissions.some((permission) => grantAt(caller, permission, location_code) !== undefined)

type Places = 'all' | ReadonlySet<string>

/** Returns the facilities whose drawers the staff member may see. */
export const facilitiesWithDrawers = (caller: StaffCaller): Places => facilitiesFor(caller, viewPermissions)

/** Returns whether the staff member may see drawers at one facility at least. */
export function maySeeAnyDrawer(caller: StaffCaller): boolean {
  const permitted = facilitiesWithDrawers(caller)
  return permitted === 'all' || permitted.size > 0
}

/**
 * Returns the chosen facilities at which the staff member has the permission (`permitted`). 'all' includes the
 * operator's own office.
 */
export function allowedFacilities(permitted: Places, chosen: readonly string[] | 'all'): 'all' | string[] {
  if (chosen === 'all') return permitted === 'all' ? 'all' : [...permitted]
  return permitted === 'all' ? [...chosen] : chosen.filter((code) => permitted.has(code))
}
