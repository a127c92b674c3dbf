import { redirect } from 'react-router'
import { findLeasesByNumber } from '../../modules/leases/views/rented-units-of-tenant.ts'
import { redirectWithAlert } from '../request/context.ts'
import { type OpenPortalPage, tenantKey } from './open-portal-page.ts'

export type Lease = Awaited<ReturnType<typeof findLeasesByNumber>>[number]

/** Returns the lease key that `session.ids.lease` stores: 'ATL01:1001:10001'. */
export const leaseKey = (lease: Pick<Lease, 'location_code' | 'tenant_id' | 'lease_number'>): string =>
  `${tenantKey({ locationCode: lease.location_code, tenantId: lease.tenant_id })}:${lease.lease_number}`

/**
 * Lease as addresses and forms name it: lease number and tenant key, since two facilities may use the same lease number.
 */
export interface LeaseReference {
  lease: string | null
  at: string | null
}

export function readLeaseReference(request: Request): LeaseReference {
  const searchParams = new URL(request.url).searchParams
  return { lease: searchParams.get('lease'), at: searchParams.get('at') }
}

/** Returns the query that names a lease: 'lease=10001&at=ATL01%3A1001'. */
export const leaseQuery = (lease: Pick<Lease, 'location_code' | 'tenant_id' | 'lease_number'>): string =>
  `lease=${lease.lease_number}&at=${encodeURIComponent(tenantKey({ locationCode: lease.location_code, tenantId: lease.tenant_id }))}`

/**
 * Finds the account's lease and stores it in the session. Without a number, the session's lease is meant; a number
 * without tenant prefers the session's lease, then a lease of the tenant in view.
 * @param reference lease number and tenant from the address or form
 * @param includeClosed also accepts closed leases
 * @throws a redirect to /my-units when the number is missing or invalid, the account has no such lease, or the lease is
 *   closed and closed leases are not accepted
 */
export async function selectLease(
  page: OpenPortalPage,
  reference: LeaseReference,
  { includeClosed = false }: { includeClosed?: boolean } = {},
): Promise<Lease> {
  const { site, tenants, tenantInView } = page
  const sessionKey = site.session.ids.lease ?? ''
  const leaseNumber = reference.lease ?? sessionKey.split(':')[2]
  if (leaseNumber === undefined || leaseNumber === '') throw redirect('/my-units')
  if (!/^\d{1,9}$/.test(leaseNumber)) return redirectWithAlert(site, 'invalidLeaseNumber', '/my-units')
  const rows = await findLeasesByNumber(site.services, tenants, Number(leaseNumber))
  const tenantKeyOf = (row: Lease) => tenantKey({ locationCode: row.location_code, tenantId: row.tenant_id })
  const candidates = rows.filter(
    (row) => (includeClosed || row.status !== 'Closed') && (reference.at === null || tenantKeyOf(row) === reference.at),
  )
  const lease =
    candidates.find((row) => leaseKey(row) === sessionKey) ??
    candidates.find((row) => tenantKeyOf(row) === tenantKey(tenantInView)) ??
    candidates[0]
  if (!lease) return redirectWithAlert(site, 'noLeaseFound', '/my-units')
  if (site.session.ids.lease !== leaseKey(lease)) site.session.set({ lease: leaseKey(lease) })
  return lease
}
