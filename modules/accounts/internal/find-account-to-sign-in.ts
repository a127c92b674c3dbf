import type { Selectable } from 'kysely'
import { emailKey } from '../../../domain/name-and-email-keys.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { AccountsTable } from '../../../platform/schema/tables.ts'

/** Finds an account by username, or by e-mail address if exactly one account has it; undefined when there is none. */
export async function findAccountByUsername(
  services: Services,
  username: string,
): Promise<Selectable<AccountsTable> | undefined> {
  const key = emailKey(username)
  const byName = await services.db.read
    .selectFrom('accounts')
    .selectAll()
    .where('username', '=', key)
    .executeTakeFirst()
  if (byName) return byName
  const byEmail = await services.db.read.selectFrom('accounts').selectAll().where('email', '=', key).limit(2).execute()
  return byEmail.length === 1 ? byEmail[0] : undefined
}

/**
 * Loads the tenants that a sign-in would cover, at one facility or all.
 * @returns `comingSoon`: whether the account has further tenants there, at facilities not taken over yet (spec 2 §4)
 */
export async function loadSignInTenants(services: Services, accountId: string, locationCode?: string) {
  const rows = await services.db.read
    .selectFrom('tenants')
    .innerJoin('locations', 'locations.location_code', 'tenants.location_code')
    .selectAll('tenants')
    .select('coming_soon')
    .where('account_id', '=', accountId)
    .where('grant_online_access', '=', 1)
    .orderBy('tenants.location_code')
    .orderBy('tenant_id')
    .execute()
  // The facility is not in the statement, since SQLite might then scan all tenants of the facility.
  const matching = rows.filter((tenant) => locationCode === undefined || tenant.location_code === locationCode)
  const tenants = matching.filter((tenant) => tenant.coming_soon === 0)
  return { tenants, comingSoon: tenants.length < matching.length }
}
