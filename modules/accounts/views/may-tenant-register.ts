import type { Services } from '../../../platform/operations/services.ts'
import { loadFacility } from '../../facilities/views/facility-lookups.ts'
import { loadSupportPhone } from '../../facilities/views/support-phone.ts'
import { loadFirstUnit } from '../../leases/views/rented-units-of-tenant.ts'
import { maskMailbox } from '../../tenants/contact-masking.ts'
import { loadTenant, type Tenant } from '../../tenants/tenant.ts'

interface TenantKey {
  locationCode: string
  tenantId: number
}

/** Permission to register an account, or the reason why the tenant may not. */
export type RegistrationAccess = 'register' | 'existing_tenant' | 'has_account'

const accessOf = (tenant: Pick<Tenant, 'account_id'>): RegistrationAccess =>
  tenant.account_id === null ? 'register' : 'has_account'

/** The tenant that a visitor has proven to be, by entered details or a mailed link, in order to register. */
export interface LookedUpTenant {
  unitNumber: string
  /** Phone number to call about the facility, formatted (`loadSupportPhone`). */
  phone: string
  /** Masked e-mail address; '' when the profile has none. */
  email: string
  may: RegistrationAccess
}

/**
 * Loads the tenant that a visitor has proven to be, in order to register.
 * @returns null where the facility or tenant no longer exists or the tenant no longer rents there, 'coming_soon' where the
 *   facility is not taken over yet
 */
export async function loadLookedUpTenant(
  services: Services,
  registrant: TenantKey,
): Promise<LookedUpTenant | 'coming_soon' | null> {
  const { locationCode, tenantId } = registrant
  const [facility, tenant, unitNumber] = await Promise.all([
    loadFacility(services, locationCode),
    loadTenant(services.db.read, locationCode, tenantId),
    loadFirstUnit(services, registrant),
  ])
  if (facility?.comingSoon) return 'coming_soon'
  if (!facility || !tenant || unitNumber === null) return null
  return {
    unitNumber,
    phone: await loadSupportPhone(services, facility),
    email: maskMailbox(tenant.email),
    may: accessOf(tenant),
  }
}

/**
 * Loads whether the tenant of a completed move-in may register.
 * @param existingTenant whether the tenant existed before the rental, and so is not asked to register
 * @returns `phone`: formatted number to call about the facility; `may` is null where the tenant no longer exists
 */
export async function loadMovedInTenant(
  services: Services,
  { locationCode, tenantId }: TenantKey,
  existingTenant: boolean,
  location: { phone: string; state: string },
): Promise<{ phone: string; may: RegistrationAccess | null }> {
  const phone = await loadSupportPhone(services, location)
  if (existingTenant) return { phone, may: 'existing_tenant' }
  const tenant = await loadTenant(services.db.read, locationCode, tenantId)
  return { phone, may: tenant ? accessOf(tenant) : null }
}
