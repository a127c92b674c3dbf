import { emailKey } from '../../../domain/name-and-email-keys.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { OFFICE_FACILITY_ID } from '../../facilities/rules/operator-office-facility-id.ts'
import { isProtectedTenant } from '../../leases/tenants-with-protected-identity.ts'

/** Pattern of stored brochure file names. */
const fileNamePattern = /^[a-z0-9][a-z0-9._-]{0,100}$/

/**
 * Returns the paths of the insurance brochures of facilities where a tenant whose data is protected
 * (`isProtectedTenant`) has this e-mail address. The path of a brochure that several facilities share names the first of
 * them, so that it does not reveal at which of them the tenant rents.
 */
export async function loadBrochurePaths(services: Services, email: string): Promise<string[]> {
  const [tenants, facilities] = await Promise.all([
    services.db.read
      .selectFrom('tenants')
      .select(['location_code', 'tenant_id', 'account_id'])
      .where('email_key', '=', emailKey(email))
      .orderBy('location_code')
      .execute(),
    services.db.read
      .selectFrom('locations')
      .select(['location_code', 'sboa_brochure'])
      .where('sboa', '=', 1)
      .where('facility_id', '!=', OFFICE_FACILITY_ID)
      .where('sboa_brochure', '!=', '')
      .orderBy('location_code')
      .execute(),
  ])
  const names = new Set<string>()
  for (const tenant of tenants) {
    const name = facilities.find((facility) => facility.location_code === tenant.location_code)?.sboa_brochure
    if (name !== undefined && fileNamePattern.test(name) && (await isProtectedTenant(services.db.read, tenant)))
      names.add(name)
  }
  const paths: string[] = []
  for (const name of names) {
    const first = facilities.find((facility) => facility.sboa_brochure === name)
    if (first && (await services.files.get(`brochures/${name}`))) paths.push(`/brochure/${first.location_code}`)
  }
  return paths
}
