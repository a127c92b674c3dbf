import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/schema/tables.ts'
import { loadTenant, type Tenant } from '../tenants/tenant.ts'

/** Keys by which all rows about a tenant are found. */
export interface TenantKeys {
  locationCode: string
  tenantId: number
  tenant: Tenant
  accountId: string | null
  /** The account id if no other tenant signs in with it; otherwise null. */
  ownAccountId: string | null
  /** Normalized e-mail address; '' without one, or if another tenant of the facility has the same address. */
  ownEmail: string
  leaseNumbers: number[]
  reservationCodes: string[]
  draftIds: string[]
  /** Orders with the tenant's id, or of the tenant's leases or drafts; orders of auction winners are not included. */
  orderIds: string[]
}

/**
 * Loads the keys by which all rows about a tenant are found: account, e-mail address, leases, reservations, drafts and
 * orders.
 * @returns null for an unknown tenant
 */
export async function loadTenantKeys(
  db: Kysely<Tables>,
  { locationCode, tenantId }: { locationCode: string; tenantId: number },
): Promise<TenantKeys | null> {
  const tenant = await loadTenant(db, locationCode, tenantId)
  if (!tenant) return null
  const tenantKey = { location_code: locationCode, tenant_id: tenantId }
  const [leases, reservations, sameAccount, sameEmail] = await Promise.all([
    db
      .selectFrom('leases')
      .select('lease_number')
      .where((eb) => eb.and(tenantKey))
      .execute(),
    db
      .selectFrom('reservations')
      .select('reservation_code')
      .where((eb) => eb.and(tenantKey))
      .execute(),
    tenant.account_id === null
      ? []
      : db.selectFrom('tenants').select('tenant_id').where('account_id', '=', tenant.account_id).limit(2).execute(),
    tenant.email_key === ''
      ? []
      : db
          .selectFrom('tenants')
          .select('tenant_id')
          .where('email_key', '=', tenant.email_key)
          .where('location_code', '=', locationCode)
          .limit(2)
          .execute(),
  ])
  const leaseNumbers = leases.map((lease) => lease.lease_number)
  const reservationCodes = reservations.map((reservation) => reservation.reservation_code)
  const drafts = await db
    .selectFrom('rental_drafts')
    .select('draft_id')
    .where('location_code', '=', locationCode)
    .where((eb) =>
      eb.or([
        eb('tenant_id', '=', tenantId),
        eb('reservation_code', 'in', reservationCodes.length > 0 ? reservationCodes : ['']),
      ]),
    )
    .execute()
  const draftIds = drafts.map((draft) => draft.draft_id)
  const orders = await db
    .selectFrom('payments')
    .select('order_id')
    .where('location_code', '=', locationCode)
    .where('payer', '!=', 'auction')
    .where((eb) =>
      eb.or([
        eb('tenant_id', '=', tenantId),
        ...(leaseNumbers.length > 0 ? [eb('lease_number', 'in', leaseNumbers)] : []),
        ...(draftIds.length > 0 ? [eb('draft_id', 'in', draftIds)] : []),
      ]),
    )
    .execute()
  return {
    locationCode,
    tenantId,
    tenant,
    leaseNumbers,
    reservationCodes,
    draftIds,
    accountId: tenant.account_id,
    ownAccountId: sameAccount.length < 2 ? tenant.account_id : null,
    ownEmail: sameEmail.length < 2 ? tenant.email_key : '',
    orderIds: orders.map((order) => order.order_id),
  }
}

/**
 * Removes the account id from a tenant's record ids if other tenants sign in with the same account, so that erasing
 * this tenant does not erase the account's records.
 */
export const withoutShared = (keys: TenantKeys): TenantKeys => ({ ...keys, accountId: keys.ownAccountId })

/**
 * Returns a hash that changes with the tenant's row, and when the tenant gets another lease, reservation or order, so
 * that a stale form is refused.
 */
export const tenantVersionOf = ({ tenant, leaseNumbers, reservationCodes, orderIds }: TenantKeys): string =>
  createHash('sha256')
    .update(JSON.stringify([tenant, leaseNumbers.toSorted(), reservationCodes.toSorted(), orderIds.toSorted()]))
    .digest('hex')
    .slice(0, 32)
