import type { Permission } from '../../domain/office/roles-and-permissions.ts'
import { officeNotFound } from '../../domain/texts/office-refusals.ts'
import { loadFacilityForStaff, type OpenedFacility } from '../../modules/facilities/views/facility-for-staff.ts'
import { grantAt, mayActAt } from '../../platform/operations/facilities-of-staff.ts'
import type { Services } from '../../platform/operations/services.ts'
import { type OfficePage, openOfficePage } from './open-office-page.ts'

type Args = Parameters<typeof openOfficePage>[0] & { params: { location?: string } }

export interface OfficePageAtFacility {
  page: OfficePage
  services: Services
  facts: OpenedFacility
  location: string
  /** Whether names, rents and balances may be shown; false for staff members whose `file.read` grant is 'own'. */
  maySeeTenants: boolean
  /** Returns whether the staff member has the permission at this facility, with another grant than 'own' or 'reads'. */
  may: (permission: Permission) => boolean
}

/**
 * Opens an office page of one facility.
 * @throws a redirect to sign-in; 404 when the facility does not exist or the staff member lacks the permission there
 */
export async function openOfficePageAtFacility(
  args: Args,
  permission: Permission = 'file.read',
): Promise<OfficePageAtFacility> {
  const page = await openOfficePage(args)
  const location = args.params.location ?? ''
  const { services } = page.site
  const facts = await loadFacilityForStaff(services, page.staff, location, permission)
  if (!facts) throw new Response(officeNotFound, { status: 404 })
  const maySeeTenants = grantAt(page.staff, 'file.read', location) !== 'own'
  const may = (permission: Permission) => mayActAt(page.staff, permission, location)
  return { page, services, facts, location, maySeeTenants, may }
}
