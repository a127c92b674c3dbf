/**
 * Finds protected tenants, who have or had a lease, or have an account; decides who may overwrite a tenant's identity
 * data.
 */
import type { Kysely } from 'kysely'
import { emailKey } from '../../domain/name-and-email-keys.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { isTenantOfSession } from '../tenants/contact-masking.ts'
import { isOwnTenant } from '../tenants/identity-data.ts'
import type { Tenant } from '../tenants/tenant.ts'

/**
 * Returns whether the tenant has or had a lease, or has an account, and so is protected. A reservation alone is not
 * enough.
 */
export async function isProtectedTenant(
  db: Kysely<Tables>,
  tenant: Pick<Tenant, 'location_code' | 'tenant_id' | 'account_id'>,
): Promise<boolean> {
  if (tenant.account_id !== null) return true
  const lease = await db
    .selectFrom('leases')
    .select('lease_number')
    .where((eb) => eb.and({ location_code: tenant.location_code, tenant_id: tenant.tenant_id }))
    .limit(1)
    .executeTakeFirst()
  return lease !== undefined
}

/**
 * Returns protected tenants (`isProtectedTenant`) of a facility with this e-mail address, those with an account first.
 */
export async function findProtectedTenants(db: Kysely<Tables>, locationCode: string, email: string): Promise<Tenant[]> {
  const rows = await db
    .selectFrom('tenants')
    .selectAll()
    .where('location_code', '=', locationCode)
    .where('email_key', '=', emailKey(email))
    .orderBy('tenant_id')
    .execute()
  const protectedTenants: Tenant[] = []
  for (const row of rows) if (await isProtectedTenant(db, row)) protectedTenants.push(row)
  return protectedTenants.sort((a, b) => Number(b.account_id !== null) - Number(a.account_id !== null))
}

/**
 * Returns whether the caller may overwrite identity data: the tenant, or the session that entered the tenant as long as
 * the tenant is not protected (`isProtectedTenant`).
 */
export const mayOverwriteIdentity = async (db: Kysely<Tables>, callers: Callers, tenant: Tenant): Promise<boolean> =>
  isOwnTenant(callers, tenant) ||
  (callers.rental !== undefined && isTenantOfSession(callers.rental, tenant) && !(await isProtectedTenant(db, tenant)))
