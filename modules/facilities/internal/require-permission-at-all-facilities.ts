import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { facilitiesFor } from '../../../platform/operations/facilities-of-staff.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { wholeSiteOnly } from '../texts/setup-and-appointment-errors.ts'

/**
 * Checks that the staff member has `setup.save` at all facilities, which settings of the whole site require.
 * @throws RefusalError with 403
 */
export function requireWholeSite(staff: StaffCaller): void {
  if (facilitiesFor(staff, 'setup.save') !== 'all') throw refusalError(403, 'forbidden', wholeSiteOnly)
}
