import { type Expression, type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import { invalidTenantId } from '../../domain/texts/payment.ts'
import { isLease } from '../../platform/database/record-keys.ts'
import { type Callers, ownTenant, type RentalCaller } from '../../platform/operations/callers.ts'
import { integer, locationCode } from '../../platform/operations/input-fields.ts'
import { refuse } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LeasesTable, Tables } from '../../platform/schema/tables.ts'
import { noLeaseFound } from './texts/portal.ts'

export type Lease = Selectable<LeasesTable>

export type LeaseKey = Pick<Lease, 'location_code' | 'lease_number'>

export const whose = { location_code: locationCode(), tenant_id: integer(invalidTenantId) }

export interface Whose {
  location_code: string
  tenant_id: number
}

/** The session's own reservation, also where its tenant was on file before: then only the lease it made is shown. */
export const sessionsTenant = (caller: RentalCaller, input: Whose): boolean =>
  caller.locationCode === input.location_code && caller.tenantId === input.tenant_id

/** Whether a call that a credential for the tenant allows may touch this very lease. */
export const reaches = (callers: Callers, input: Whose, reservation: string | null): boolean =>
  (callers.tenant !== undefined && ownTenant(callers.tenant, input)) ||
  (callers.guest !== undefined && ownTenant(callers.guest, input)) ||
  (callers.rental !== undefined &&
    sessionsTenant(callers.rental, input) &&
    reservation !== null &&
    reservation === callers.rental.reservationCode)

/** The same for a lease that does not exist and for another tenant's. */
export const noLease = () => refuse(404, 'lease_not_found', noLeaseFound)

export const leaseRow = (services: Services, input: Whose, leaseNumber: number): Promise<Lease | undefined> =>
  services.db.read
    .selectFrom('leases')
    .selectAll()
    .where(isLease({ location_code: input.location_code, lease_number: leaseNumber }))
    .where('tenant_id', '=', input.tenant_id)
    .executeTakeFirst()

const byNumber = new Intl.Collator('en-US', { numeric: true })

/** All leases of a tenant, closed ones last, what owes first, by unit number. */
export async function leasesOfTenant(
  db: Kysely<Tables>,
  of: { locationCode: string; tenantId: number },
): Promise<Selectable<LeasesTable>[]> {
  const leases = await db
    .selectFrom('leases')
    .selectAll()
    .where((eb) => eb.and({ location_code: of.locationCode, tenant_id: of.tenantId }))
    .execute()
  const rank = (lease: Selectable<LeasesTable>) => (lease.status === 'Closed' ? 2 : 0) + (lease.balance > 0 ? 0 : 1)
  return leases.sort((a, b) => rank(a) - rank(b) || byNumber.compare(a.unit_number, b.unit_number))
}

export async function unitCategoryOf(
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
 * Open leases ask for the updated terms from the next log-in on, or with `ask` false ask no more where they still wait.
 * @param only null for everywhere
 * @returns how many leases
 */
export async function requireTerms(
  db: Kysely<Tables>,
  only: { locationCode: string; leaseNumber?: number } | null,
  ask = true,
): Promise<number> {
  const changed = await db
    .updateTable('leases')
    .set({ terms_required: ask ? 1 : 0 })
    .where('status', '!=', 'Closed')
    .$if(!ask, (query) => query.where('terms_required', '=', 1))
    .$if(only !== null, (query) => query.where('location_code', '=', only!.locationCode))
    .$if(only?.leaseNumber !== undefined, (query) => query.where('lease_number', '=', only!.leaseNumber!))
    .executeTakeFirst()
  return Number(changed.numUpdatedRows)
}

/** Of the open leases of some facilities, how many wait for their tenant to accept the updated terms. */
export async function termsAwaited(
  db: Kysely<Tables>,
  codes: 'all' | readonly string[],
): Promise<{ open: number; waiting: number }> {
  const { open, waiting } = await db
    .selectFrom('leases')
    .select(({ fn }) => [fn.countAll<number>().as('open'), fn.sum<number | null>('terms_required').as('waiting')])
    .where('status', '!=', 'Closed')
    .$if(codes !== 'all', (query) => query.where('location_code', 'in', codes === 'all' ? [] : codes))
    .executeTakeFirstOrThrow()
  return { open: Number(open), waiting: Number(waiting ?? 0) }
}

/** @returns the unit's number; null where the lease asks for no terms (any more), or is another tenant's */
export async function markTermsAccepted(
  tx: Kysely<Tables>,
  of: { locationCode: string; tenantId: number; leaseNumber: number },
  now: Instant,
): Promise<string | null> {
  const lease = await tx
    .updateTable('leases')
    .set({ terms_required: 0, terms_accepted_at: now })
    .where((eb) => eb.and({ location_code: of.locationCode, lease_number: of.leaseNumber, tenant_id: of.tenantId }))
    .where('terms_required', '=', 1)
    .where('status', '!=', 'Closed')
    .returning('unit_number')
    .executeTakeFirst()
  return lease?.unit_number ?? null
}

/** Writes a new lease; its number and code are its caller's. */
export async function insertLease(tx: Kysely<Tables>, lease: Insertable<LeasesTable>): Promise<void> {
  await tx.insertInto('leases').values(lease).execute()
}

/** Ties a lease to its open lien case, or with null unties it. */
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

/** Sets the gate code of several leases of a facility. */
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

/** Records that a lease is insured elsewhere, unless its insurance has changed since it was read. @returns whether it was recorded */
export async function setOwnInsurance(
  tx: Kysely<Tables>,
  lease: LeaseKey & Pick<Lease, 'insurance_status'>,
  policy: string,
): Promise<boolean> {
  const changed = await tx
    .updateTable('leases')
    .set({ insurance_status: 2, insurance_scheme_id: 0, insurance_premium: 0, insurance_notes: policy })
    .where((eb) => eb.and({ location_code: lease.location_code, lease_number: lease.lease_number }))
    .where('status', '!=', 'Closed')
    .where('insurance_status', '=', lease.insurance_status)
    .returning('lease_number')
    .executeTakeFirst()
  return changed !== undefined
}

/** Sets the balance of a lease. Locks it first, so that a sum over its entries has every entry added before. @param sum in cents */
export async function setBalance(
  tx: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
  sum: Expression<number>,
): Promise<void> {
  const own = sql`location_code = ${location_code} and lease_number = ${lease_number}`
  await sql`update leases set balance = balance where ${own}`.execute(tx)
  await sql`update leases set balance = ${sum} where ${own}`.execute(tx)
}
