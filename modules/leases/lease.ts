import { type Expression, type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { compareUnitNumbers } from '../../domain/unit-number-order.ts'
import { isLease } from '../../platform/database/where-tenant-or-lease-key.ts'
import { type Callers, ownTenant, type RentalCaller } from '../../platform/operations/callers.ts'
import { refuse } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LeasesTable, Tables } from '../../platform/schema/tables.ts'
import { noLeaseFound } from './texts/portal.ts'

export type Lease = Selectable<LeasesTable>

export type LeaseKey = Pick<Lease, 'location_code' | 'lease_number'>

/** Returns the encryption context of a lease's encrypted answers (`SealedAnswers` of `renter-answers-stored-with-lease.ts`). */
export const detailsContext = (locationCode: string, leaseNumber: number): string =>
  `lease:${locationCode}:${leaseNumber}:details`

/** Input that names a tenant of a facility. */
export interface TenantInput {
  location_code: string
  tenant_id: number
}

/**
 * Returns whether a rental session rents for this tenant. The session may access only the lease that it created, as
 * `mayAccessLease` checks.
 */
export const isSessionTenant = (caller: RentalCaller, input: TenantInput): boolean =>
  caller.locationCode === input.location_code && caller.tenantId === input.tenant_id

/** Returns whether the machine key, tenant, guest payer or rental session may access this lease of the tenant. */
export const mayAccessLease = (callers: Callers, input: TenantInput, reservation: string | null): boolean =>
  // The operation's access has checked the key's role and facility.
  callers.machine !== undefined ||
  (callers.tenant !== undefined && ownTenant(callers.tenant, input)) ||
  (callers.guest !== undefined && ownTenant(callers.guest, input)) ||
  (callers.rental !== undefined &&
    isSessionTenant(callers.rental, input) &&
    reservation !== null &&
    reservation === callers.rental.reservationCode)

/** Returns the 404 refusal for an unknown lease, which is also used for another tenant's lease. */
export const leaseNotFound = () => refuse(404, 'lease_not_found', noLeaseFound)

/** Loads a lease of the tenant that the input names; undefined when the tenant has no lease with this number. */
export const loadLease = (services: Services, input: TenantInput, leaseNumber: number): Promise<Lease | undefined> =>
  services.db.read
    .selectFrom('leases')
    .selectAll()
    .where(isLease({ location_code: input.location_code, lease_number: leaseNumber }))
    .where('tenant_id', '=', input.tenant_id)
    .executeTakeFirst()

/** Returns all leases of a tenant: open ones first, those with a balance due before others, then by unit number. */
export async function loadTenantLeases(
  db: Kysely<Tables>,
  tenant: { locationCode: string; tenantId: number },
): Promise<Selectable<LeasesTable>[]> {
  const leases = await db
    .selectFrom('leases')
    .selectAll()
    .where((eb) => eb.and({ location_code: tenant.locationCode, tenant_id: tenant.tenantId }))
    .execute()
  const rank = (lease: Selectable<LeasesTable>) => (lease.status === 'Closed' ? 2 : 0) + (lease.balance > 0 ? 0 : 1)
  return leases.sort((a, b) => rank(a) - rank(b) || compareUnitNumbers(a.unit_number, b.unit_number))
}

/** Returns the category name of a lease's unit type; '' when the type no longer exists. */
export async function loadUnitCategory(
  services: Pick<Services, 'db'>,
  lease: Pick<Selectable<LeasesTable>, 'location_code' | 'unit_type_id'>,
): Promise<string> {
  const type = await services.db.read
    .selectFrom('unit_types')
    .select('category_name')
    .where((eb) => eb.and({ location_code: lease.location_code, unit_type_id: lease.unit_type_id }))
    .executeTakeFirst()
  return type?.category_name ?? ''
}

/**
 * Requires the tenants of open leases to accept updated terms at their next log-in. With `isRequired` false, withdraws
 * the requirement from leases whose tenants have not accepted yet.
 * @param only facility or lease; null for all facilities
 * @returns number of open leases that require acceptance now, or that no longer do
 */
export async function requireTerms(
  db: Kysely<Tables>,
  only: { locationCode: string; leaseNumber?: number } | null,
  isRequired = true,
): Promise<number> {
  const changed = await db
    .updateTable('leases')
    .set({ terms_required: isRequired ? 1 : 0 })
    .where('status', '!=', 'Closed')
    .$if(!isRequired, (query) => query.where('terms_required', '=', 1))
    .$if(only !== null, (query) => query.where('location_code', '=', only!.locationCode))
    .$if(only?.leaseNumber !== undefined, (query) => query.where('lease_number', '=', only!.leaseNumber!))
    .executeTakeFirst()
  return Number(changed.numUpdatedRows)
}

/**
 * Marks updated terms as accepted.
 * @returns the unit's number; null where the lease requires no acceptance, is closed or is another tenant's
 */
export async function markTermsAccepted(
  tx: Kysely<Tables>,
  target: { locationCode: string; tenantId: number; leaseNumber: number },
  now: Instant,
): Promise<string | null> {
  const lease = await tx
    .updateTable('leases')
    .set({ terms_required: 0, terms_accepted_at: now })
    .where((eb) =>
      eb.and({ location_code: target.locationCode, lease_number: target.leaseNumber, tenant_id: target.tenantId }),
    )
    .where('terms_required', '=', 1)
    .where('status', '!=', 'Closed')
    .returning('unit_number')
    .executeTakeFirst()
  return lease?.unit_number ?? null
}

/** Inserts a lease. Its number and gate code are chosen by the caller. */
export async function insertLease(tx: Kysely<Tables>, lease: Insertable<LeasesTable>): Promise<void> {
  await tx.insertInto('leases').values(lease).execute()
}

/** Links a lease to its open lien case; null removes the link. */
export async function setLienCase(
  tx: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
  caseId: string | null,
): Promise<void> {
  await tx
    .updateTable('leases')
    .set({ lien_case: caseId })
    .where((eb) => eb.and({ location_code, lease_number }))
    .execute()
}

/** Stores one gate code in several leases of a facility. */
export async function setGateCode(
  tx: Kysely<Tables>,
  locationCode: string,
  leaseNumbers: readonly number[],
  gateCode: string,
): Promise<void> {
  await tx
    .updateTable('leases')
    .set({ gate_code: gateCode })
    .where('location_code', '=', locationCode)
    .where('lease_number', 'in', leaseNumbers)
    .execute()
}

/**
 * Records that an open lease is insured by the tenant's own policy. The caller must have locked the lease's row.
 * @param policy JSON of an `OwnInsurance`
 */
export async function setOwnInsurance(tx: Kysely<Tables>, lease: LeaseKey, policy: string): Promise<void> {
  await tx
    .updateTable('leases')
    .set({ insurance_status: 2, insurance_scheme_id: 0, insurance_premium: 0, insurance_notes: policy })
    .where((eb) => eb.and({ location_code: lease.location_code, lease_number: lease.lease_number }))
    .execute()
}

/**
 * Sets the balance of a lease, to repair it: triggers maintain balances. Locks the lease by a first update, so that a
 * sum over its entries includes every earlier entry.
 * @param sum expression of the balance, in cents
 */
export async function setBalance(
  tx: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
  sum: Expression<number>,
): Promise<void> {
  const isThisLease = sql`location_code = ${location_code} and lease_number = ${lease_number}`
  await sql`update leases set balance = balance where ${isThisLease}`.execute(tx)
  await sql`update leases set balance = ${sum} where ${isThisLease}`.execute(tx)
}
