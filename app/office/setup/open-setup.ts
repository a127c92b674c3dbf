import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { facilityPath } from '../../../modules/facilities/rules/facility-path.ts'
import { loadFacilityForStaff } from '../../../modules/facilities/views/facility-for-staff.ts'
import { facilitiesFor } from '../../../platform/operations/facilities-of-staff.ts'
import { openOfficePage } from '../open-office-page.ts'
import type { SetupAbout } from './setup-frame.tsx'

/**
 * Opens a setup page of the whole operator.
 * @throws a redirect to sign-in; 404 unless the staff member may set up all facilities
 */
export async function openWholeSetup(args: Parameters<typeof openOfficePage>[0]) {
  const page = await openOfficePage(args, 'setup.save')
  if (facilitiesFor(page.staff, 'setup.save') !== 'all') throw new Response(officeNotFound, { status: 404 })
  return page
}

/**
 * Opens a setup page of the facility that the URL names.
 * @throws a redirect to sign-in; 404 if the facility does not exist or the staff member may not set it up
 */
export async function openSetup(args: Parameters<typeof openOfficePage>[0] & { params: { location: string } }) {
  const page = await openOfficePage(args, 'setup.save')
  const { location } = args.params
  const facts = await loadFacilityForStaff(page.site.services, page.staff, location, 'setup.save')
  if (!facts) throw new Response(officeNotFound, { status: 404 })
  const { name, retired_on } = facts.location
  const about: SetupAbout = {
    brand: page.site.brand.name,
    code: location,
    facility: name,
    publicPath: retired_on === null ? facilityPath(facts.location) : '',
  }
  return { page, facts, about }
}
