import type { Permission } from '../../../domain/office/roles.ts'
import { officeNotFound } from '../../../domain/texts/office.ts'
import { type FacilityFacts, facilityFacts } from '../../../modules/facilities/facts.ts'
import { grantAt } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type OfficePage, openOfficePage } from '../open-office-page.ts'

type Args = Parameters<typeof openOfficePage>[0] & { params: { location?: string } }

export interface OpenUnits {
  page: OfficePage
  services: Services
  facts: FacilityFacts
  location: string
  /** Names, rents and balances: not for who sees own tasks alone. */
  seesTenants: boolean
  may: (permission: Permission) => boolean
}

/** A facility's units. @throws 404 for one that does not exist, or of others */
export async function openUnits(args: Args, permission: Permission = 'file.read'): Promise<OpenUnits> {
  const page = await openOfficePage(args)
  const location = args.params.location ?? ''
  const { services } = page.site
  const grant = (one: Permission) => grantAt(page.staff, one, location)
  const facts = grant(permission) && (await facilityFacts(services, [location])).get(location)
  if (!facts) throw new Response(officeNotFound, { status: 404 })
  const may = (one: Permission) => ['yes', 'limited', 'asks'].includes(grant(one) ?? '')
  return { page, services, facts, location, seesTenants: grant('file.read') !== 'own', may }
}
