import { redirect } from 'react-router'
import type { leaseRow } from '../../modules/leases/lease.ts'
import { leasesNumbered } from '../../modules/leases/views/rented-units.ts'
import { alertAndGo } from '../request/context.ts'
import { type OpenPortalPage, tenantKey } from './open-portal-page.ts'

export type Lease = NonNullable<Awaited<ReturnType<typeof leaseRow>>>

/** What `session.ids.lease` holds: 'ATL01:1001:10001'. */
export const leaseKey = (lease: Pick<Lease, 'location_code' | 'tenant_id' | 'lease_number'>): string =>
  `${tenantKey({ locationCode: lease.location_code, tenantId: lease.tenant_id })}:${lease.lease_number}`

/** How addresses and forms name a lease: its number and, since two facilities may have leases of one number, the tenant. */
export interface NamedLease {
  lease: string | null
  at: string | null
}

export function leaseNamed(request: Request): NamedLease {
  const asked = new URL(request.url).searchParams
  return { lease: asked.get('lease'), at: asked.get('at') }
}

/** The query of an address that names a lease: 'lease=10001&at=ATL01%3A1001'. */
export const leaseQuery = (lease: Pick<Lease, 'location_code' | 'tenant_id' | 'lease_number'>): string =>
  `lease=${lease.lease_number}&at=${encodeURIComponent(tenantKey({ locationCode: lease.location_code, tenantId: lease.tenant_id }))}`

/**
 * The lease, kept in the session from now on; a bare number prefers the session's, then the facility that is looked at.
 * @throws a redirect to /my-units: no number, no valid number, or none that is theirs and open
 */
export async function leaseInFocus(
  page: OpenPortalPage,
  named: NamedLease,
  { ended = false }: { ended?: boolean } = {},
): Promise<Lease> {
  const { site, tenants, here } = page
  const focus = site.session.ids.lease ?? ''
  const number = named.lease ?? focus.split(':')[2]
  if (number === undefined || number === '') throw redirect('/my-units')
  if (!/^\d{1,9}$/.test(number)) return alertAndGo(site, 'invalidLeaseNumber', '/my-units')
  const rows = await leasesNumbered(site.services, tenants, Number(number))
  const of = (row: Lease) => tenantKey({ locationCode: row.location_code, tenantId: row.tenant_id })
  const open = rows.filter((row) => (ended || row.status !== 'Closed') && (named.at === null || of(row) === named.at))
  const lease =
    open.find((row) => leaseKey(row) === focus) ?? open.find((row) => of(row) === tenantKey(here)) ?? open[0]
  if (!lease) return alertAndGo(site, 'noLeaseFound', '/my-units')
  if (site.session.ids.lease !== leaseKey(lease)) site.session.set({ lease: leaseKey(lease) })
  return lease
}
