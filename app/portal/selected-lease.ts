import { redirect } from 'react-router'
import type { loadLease } from '../../modules/leases/lease.ts'
import { findLeasesByNumber } from '../../modules/leases/views/rented-units.ts'
import { redirectWithAlert } from '../request/context.ts'
import { type OpenPortalPage, tenantKey } from './open-portal-page.ts'

export type Lease = NonNullable<Awaited<ReturnType<typeof loadLease>>>

/** Returns the lease key that `session.ids.lease` stores: 'ATL01:1001:10001'. */
export const leaseKey = (lease: Pick<Lease, 'location_code' | 'tenant_id' | 'lease_number'>): string =>
  `${tenantKey({ locationCode: lease.location_code, tenantId: lease.tenant_id })}:${lease.lease_number}`

/**
 * Lease as addresses and forms name it: its number and the tenant, since two facilities may use the same lease number.
 */
export interface LeaseReference {
  lease: string | null
  at: string | null
}

export function readLeaseReference(request: Request): LeaseReference {
  const asked = new URL(request.url).searchParams
  return { lease: asked.get('lease'), at: asked.get('at') }
}

/** Returns the query that names a lease: 'lease=10001&at=ATL01%3A1001'. */
export const leaseQuery = (lease: Pick<Lease, 'location_code' | 'tenant_id' | 'lease_number'>): string =>
  `lease=${lease.lease_number}&at=${encodeURIComponent(tenantKey({ locationCode: lease.location_code, tenantId: lease.tenant_id }))}`

/**
 * Finds the tenant's lease and stores it in the session. A number without tenant prefers the session's lease, then a
 * lease at the current facility.
 * @param named lease number and tenant from the address or form
 * @param ended also accepts closed leases
 * @throws a redirect to /my-units when the number is missing or invalid, or the account has no such open lease
 */
export async function selectLease(
  page: OpenPortalPage,
  named: LeaseReference,
  { ended = false }: { ended?: boolean } = {},
): Promise<Lease> {
  const { site, tenants, here } = page
  const focus = site.session.ids.lease ?? ''
  const number = named.lease ?? focus.split(':')[2]
  if (number === undefined || number === '') throw redirect('/my-units')
  if (!/^\d{1,9}$/.test(number)) return redirectWithAlert(site, 'invalidLeaseNumber', '/my-units')
  const rows = await findLeasesByNumber(site.services, tenants, Number(number))
  const of = (row: Lease) => tenantKey({ locationCode: row.location_code, tenantId: row.tenant_id })
  const open = rows.filter((row) => (ended || row.status !== 'Closed') && (named.at === null || of(row) === named.at))
  const lease =
    open.find((row) => leaseKey(row) === focus) ?? open.find((row) => of(row) === tenantKey(here)) ?? open[0]
  if (!lease) return redirectWithAlert(site, 'noLeaseFound', '/my-units')
  if (site.session.ids.lease !== leaseKey(lease)) site.session.set({ lease: leaseKey(lease) })
  return lease
}
