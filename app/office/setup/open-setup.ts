import { officeNotFound } from '../../../domain/texts/office.ts'
import { facilityFacts } from '../../../modules/facilities/facts.ts'
import { grantAt } from '../../../platform/operations/callers.ts'
import { openOfficePage } from '../open-office-page.ts'

/** The facility in the address, for who sets it up. @throws 404 */
export async function openSetup(args: Parameters<typeof openOfficePage>[0] & { params: { location: string } }) {
  const page = await openOfficePage(args, 'setup.save')
  const { location } = args.params
  const facts = grantAt(page.staff, 'setup.save', location)
    ? (await facilityFacts(page.site.services, [location])).get(location)
    : undefined
  if (!facts) throw new Response(officeNotFound, { status: 404 })
  return { page, facts }
}
