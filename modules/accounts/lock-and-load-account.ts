import type { Kysely } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { missingInProfile, profileFields } from './rules/complete-profile.ts'

/**
 * Locks an account's row until the caller's transaction ends, so that changes happen one at a time. Lock order:
 * email_changes, accounts, account_undos, tenants, reset_codes, passkeys, sign_ins.
 * @returns its e-mail address and username; undefined where the account does not exist
 */
export const lockAccount = (tx: Kysely<Tables>, accountId: string) =>
  tx
    .updateTable('accounts')
    .set((eb) => ({ account_id: eb.ref('account_id') }))
    .where('account_id', '=', accountId)
    .returning(['email', 'username'])
    .executeTakeFirst()

/** Loads an account's username and the dates of its password and creation; null where the account does not exist. */
export async function loadLogin(
  services: Services,
  accountId: string,
): Promise<{ username: string; passwordChangedAt: Instant | null; createdAt: Instant } | null> {
  const row = await services.db.read
    .selectFrom('accounts')
    .select(['username', 'password_changed_at', 'created_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row ? { username: row.username, passwordChangedAt: row.password_changed_at, createdAt: row.created_at } : null
}

/** Returns whether an account, or one of its tenants, has an e-mail address. @param key of the address (`emailKey`) */
export async function accountHasEmail(services: Services, accountId: string, key: string): Promise<boolean> {
  const match = await services.db.read
    .selectFrom('accounts')
    .leftJoin('tenants', 'tenants.account_id', 'accounts.account_id')
    .select('accounts.account_id')
    .where('accounts.account_id', '=', accountId)
    .where((eb) => eb.or([eb('accounts.email', '=', key), eb('tenants.email_key', '=', key)]))
    .executeTakeFirst()
  return match !== undefined
}

/** One of an account's tenants, as the header of every page shows it. */
export interface TenantAtFacility {
  locationCode: string
  tenantId: number
  facilityName: string
  name: string
  /** Labels of missing profile fields (spec 2 §5 'Information Missing'). */
  missing: string[]
}

/** Data shown around every page of an account, read in one statement. */
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
