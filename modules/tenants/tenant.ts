import type { Insertable, Kysely, Selectable } from 'kysely'
import { emailKey, nameKey } from '../../domain/name-and-email-keys.ts'
import { internalServerError } from '../../domain/texts/general-errors.ts'
import { engineOf } from '../../platform/database/engine-differences.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import { nextNumber } from '../../platform/database/sequences.ts'
import { refuse } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables, TenantsTable } from '../../platform/schema/tables.ts'
import { profile } from '../accounts/rules/account-forms.ts'
import type { Contact } from '../reservations/rules/reservation-form.ts'

export type Tenant = Selectable<TenantsTable>

/** Loads a tenant, who may be erased (`erased_at`); undefined when the facility has no such tenant. */
export async function loadTenant(
  db: Kysely<Tables>,
  locationCode: string,
  tenantId: number,
): Promise<Tenant | undefined> {
  return db
    .selectFrom('tenants')
    .selectAll()
    .where((eb) => eb.and({ location_code: locationCode, tenant_id: tenantId }))
    .executeTakeFirst()
}

/**
 * Locks a tenant's row until the transaction ends. SQLite needs no lock, since it runs one write transaction at a time.
 */
export async function lockTenant(tx: Kysely<Tables>, key: Pick<Tenant, 'location_code' | 'tenant_id'>): Promise<void> {
  if (engineOf(tx) === 'postgres')
    await tx
      .selectFrom('tenants')
      .select('tenant_id')
      .where((eb) => eb.and({ location_code: key.location_code, tenant_id: key.tenant_id }))
      .forNoKeyUpdate()
      .execute()
}

/**
 * Locks a tenant.
 * @returns false when the tenant was erased or does not exist, so that nothing new may be written about them
 */
export async function lockUnerasedTenant(
  tx: Kysely<Tables>,
  key: Pick<Tenant, 'location_code' | 'tenant_id'>,
): Promise<boolean> {
  await lockTenant(tx, key)
  return (await loadTenant(tx, key.location_code, key.tenant_id))?.erased_at === null
}

/** Number of a facility's first tenant, unless an import has advanced the numbering. */
const firstTenantId = 1001

export type NewTenant = Pick<
  TenantsTable,
  'first' | 'last' | 'email' | 'cell_phone' | 'address' | 'city' | 'state' | 'zip'
> &
  Partial<TenantsTable>

/**
 * Inserts a tenant at a facility, with the next tenant number.
 * @returns tenant id
 */
export async function insertTenant(
  tx: Kysely<Tables>,
  services: Services,
  locationCode: string,
  newTenant: NewTenant,
): Promise<number> {
  const tenantId = await nextNumber(tx, locationCode, 'tenant', firstTenantId)
  const tenant: Insertable<TenantsTable> = {
    location_code: locationCode,
    tenant_id: tenantId,
    account_id: newTenant.account_id ?? null,
    first: newTenant.first,
    first_key: nameKey(newTenant.first),
    middle: newTenant.middle ?? '',
    last: newTenant.last,
    last_key: nameKey(newTenant.last),
    company: newTenant.company ?? '',
    email: newTenant.email,
    email_key: emailKey(newTenant.email),
    cell_phone: newTenant.cell_phone,
    home_phone: newTenant.home_phone ?? '',
    work_phone: newTenant.work_phone ?? '',
    address: newTenant.address,
    city: newTenant.city,
    state: newTenant.state,
    zip: newTenant.zip,
    company_address: newTenant.company_address ?? '',
    company_city: newTenant.company_city ?? '',
    company_state: newTenant.company_state ?? '',
    company_zip: newTenant.company_zip ?? '',
    company_phone: newTenant.company_phone ?? '',
    company_email: newTenant.company_email ?? '',
    active_military: newTenant.active_military ?? 0,
    military: newTenant.military ?? '{}',
    // Identity data is encrypted for one facility and tenant id, so a profile copied from another facility lacks it.
    identity_sealed: null,
    grant_online_access: newTenant.grant_online_access ?? 0,
    created_at: services.clock.now(),
  }
  await tx.insertInto('tenants').values(tenant).execute()
  return tenantId
}

/**
 * Returns a tenant's `active_military` after a renter has answered whether they serve. The answer no takes away no flag
 * that a staff member has set.
 */
export async function militaryAfterAnswer(
  tx: Kysely<Tables>,
  key: Pick<Tenant, 'location_code' | 'tenant_id'>,
  serves: boolean,
): Promise<0 | 1> {
  if (serves) return 1
  const flag = await tx
    .selectFrom('tenant_flags')
    .select('flag')
    .where((eb) => eb.and({ ...key, flag: 'military' }))
    .executeTakeFirst()
  return flag ? 1 : 0
}

/** Updates a tenant's contact data and military status. */
export async function changeContact(
  tx: Kysely<Tables>,
  locationCode: string,
  tenantId: number,
  contact: Contact,
): Promise<void> {
  const { designated_agent: _, active_military, ...fields } = contact
  const key = { location_code: locationCode, tenant_id: tenantId }
  await updateTenant(tx, key, { ...fields, active_military: await militaryAfterAnswer(tx, key, active_military) })
}

/**
 * Updates a tenant that is not erased, and the search keys of changed names and e-mail address.
 * @param key an `account_id` restricts the update to a tenant with this account; null, to one without an account
 * @returns whether such a tenant exists
 */
export async function updateTenant(
  db: Kysely<Tables>,
  key: Pick<Tenant, 'location_code' | 'tenant_id'> & { account_id?: string | null },
  change: Partial<Omit<TenantsTable, 'location_code' | 'tenant_id' | 'first_key' | 'last_key' | 'email_key'>>,
): Promise<boolean> {
  const { first, last, email } = change
  const { account_id } = key
  const row = await db
    .updateTable('tenants')
    .set({
      ...change,
      ...(first !== undefined && { first_key: nameKey(first) }),
      ...(last !== undefined && { last_key: nameKey(last) }),
      ...(email !== undefined && { email_key: emailKey(email) }),
    })
    .where((eb) => eb.and({ location_code: key.location_code, tenant_id: key.tenant_id }))
    .where('erased_at', 'is', null)
    .$if(account_id === null, (query) => query.where('account_id', 'is', null))
    .$call(optionalCondition(account_id, (query, account) => query.where('account_id', '=', account)))
    .returning('tenant_id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Grants online access to a tenant who has an account.
 * @returns whether the tenant has an account
 */
export async function grantOnlineAccess(
  db: Kysely<Tables>,
  key: Pick<Tenant, 'location_code' | 'tenant_id'>,
): Promise<boolean> {
  const row = await db
    .updateTable('tenants')
    .set({ grant_online_access: 1 })
    .where((eb) => eb.and({ location_code: key.location_code, tenant_id: key.tenant_id }))
    .where('account_id', 'is not', null)
    .returning('tenant_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the 404 refusal for a tenant that does not exist. */
export const tenantNotFound = () => refuse(404, 'tenant_not_found', internalServerError)

export const { first, middle, last, email, cell_phone, home_phone, work_phone, address, city, state, zip, birthday } =
  profile.entries

export const { company, company_address, company_city, company_state, company_zip, company_phone, company_email } =
  profile.entries
