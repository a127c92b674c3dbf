import type { Services } from '../../../platform/operations/services.ts'
import { loadBrand } from '../../facilities/operator-settings-and-brand.ts'
import { loadStaffMember } from '../../staff/staff-members.ts'

/**
 * Loads a staff member's e-mail address, or the brand's for ''; null when the staff member is unknown or has left, or the
 * brand has none.
 */
export async function loadStaffOrBrandEmail(services: Services, staffId: string): Promise<string | null> {
  if (staffId === '') return (await loadBrand(services)).email || null
  const staffMember = await loadStaffMember(services.db.read, staffId)
  return staffMember === null || staffMember.state === 'ended' ? null : staffMember.email
}
