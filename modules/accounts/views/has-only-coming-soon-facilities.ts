import type { TenantCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'

/**
 * Returns whether no facility at which the account has online access is taken over yet (spec 2 §4); false for an account
 * without online access to any facility.
 */
export async function hasOnlyComingSoonFacilities(
  services: Services,
  { accountId }: Pick<TenantCaller, 'accountId'>,
): Promise<boolean> {
  const rows = await services.db.read
    .selectFrom('tenants')
    .innerJoin('locations', 'locations.location_code', 'tenants.location_code')
    .select('coming_soon')
    .where('account_id', '=', accountId)
    .where('grant_online_access', '=', 1)
    .execute()
  return rows.length > 0 && rows.every((row) => row.coming_soon === 1)
}
