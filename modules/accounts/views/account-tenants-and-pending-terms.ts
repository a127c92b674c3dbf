import type { Services } from '../../../platform/operations/services.ts'
import { missingInProfile, profileFields } from '../rules/complete-profile.ts'

/** One of an account's tenants, with facility and missing profile fields. */
export interface TenantAtFacility {
  locationCode: string
  tenantId: number
  facilityName: string
  name: string
  /** Labels of missing profile fields (spec 2 §5 'Information Missing'). */
  missing: string[]
}

/** An account's tenants, and the lease whose updated terms must be accepted. */
export interface AccountHeader {
  /** The account's tenants, in the order in which the caller listed them. */
  tenants: TenantAtFacility[]
  /** Lease whose updated terms must be accepted before anything else; null without one (spec 2 §4). */
  needsTerms: { locationCode: string; tenantId: number; leaseNumber: number } | null
}

/**
 * Loads an account's tenants with facilities and profiles, and the lease whose updated terms must be accepted, in one
 * statement.
 */
export async function loadAccountHeader(
  services: Services,
  account: { tenants: { locationCode: string; tenantId: number }[] },
): Promise<AccountHeader> {
  if (account.tenants.length === 0) return { tenants: [], needsTerms: null }
  const rows = await services.db.read
    .selectFrom('tenants')
    .leftJoin('locations', 'locations.location_code', 'tenants.location_code')
    .select(['tenants.location_code', 'tenants.tenant_id', 'last', 'locations.name as facility'])
    .select(profileFields.map((field) => `tenants.${field}` as const))
    .select((eb) => [
      eb
        .selectFrom('leases')
        .select((inner) => inner.fn.min<number | null>('lease_number').as('first'))
        .whereRef('leases.location_code', '=', 'tenants.location_code')
        .whereRef('leases.tenant_id', '=', 'tenants.tenant_id')
        .where('terms_required', '=', 1)
        .where('leases.status', '!=', 'Closed')
        .as('terms'),
    ])
    .where((eb) =>
      eb.or(
        account.tenants.map((tenant) =>
          eb.and([
            eb('tenants.location_code', '=', tenant.locationCode),
            eb('tenants.tenant_id', '=', tenant.tenantId),
          ]),
        ),
      ),
    )
    .execute()
  let needsTerms: AccountHeader['needsTerms'] = null
  for (const { location_code, tenant_id, terms } of rows) {
    if (terms === null) continue
    const isFirst =
      needsTerms === null ||
      location_code < needsTerms.locationCode ||
      (location_code === needsTerms.locationCode && terms < needsTerms.leaseNumber)
    if (isFirst) needsTerms = { locationCode: location_code, tenantId: tenant_id, leaseNumber: terms }
  }
  return {
    tenants: account.tenants.map((tenant) => {
      const row = rows.find((row) => row.location_code === tenant.locationCode && row.tenant_id === tenant.tenantId)
      if (!row) return { ...tenant, facilityName: tenant.locationCode, name: '', missing: [] }
      return {
        ...tenant,
        facilityName: row.facility ?? tenant.locationCode,
        name: `${row.first} ${row.last}`.trim(),
        missing: missingInProfile(row),
      }
    }),
    needsTerms,
  }
}
