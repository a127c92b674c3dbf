/** Which lease a tenant's page is about: the one its address names, or the one that is being paid or moved out of. */
import type { Selectable } from 'kysely'
import { redirect } from 'react-router'
import type { LeasesTable } from '../../database/tables.ts'
import { alertAndGo } from '../site.ts'
import { type OpenTenantPage, tenantKey } from '../tenant.ts'

export type Lease = Selectable<LeasesTable>

/** What `session.ids.lease` holds: 'ATL01:1001:10001'. */
export const leaseKey = (lease: Pick<Lease, 'location_code' | 'tenant_id' | 'lease_number'>): string =>
  `${tenantKey({ locationCode: lease.location_code, tenantId: lease.tenant_id })}:${lease.lease_number}`

/**
 * The lease, kept in the session from now on. Two facilities may have leases of one number: that of the lease in focus
 * counts first, then the one of the facility that is looked at.
 * @param asked `?lease=`; null: the one of the session
 * @throws a redirect to /my-units: without a lease number; with 'Invalid lease number…' for what is no number; with
 * 'No lease found…' whether there is none, it is somebody else's, or it has ended
 */
export async function leaseInFocus(
  page: OpenTenantPage,
  asked: string | null,
  { ended = false }: { ended?: boolean } = {},
): Promise<Lease> {
  const { site, tenants, here } = page
  const focus = site.session.ids.lease ?? ''
  const number = asked ?? focus.split(':')[2]
  if (number === undefined || number === '') throw redirect('/my-units')
  if (!/^\d{1,9}$/.test(number)) return alertAndGo(site, 'invalidLeaseNumber', '/my-units')
  const rows = await site.house.db.read
    .selectFrom('leases')
    .selectAll()
    .where('lease_number', '=', Number(number))
    .where((eb) =>
      eb.or(
        tenants.map((one) => eb.and([eb('location_code', '=', one.locationCode), eb('tenant_id', '=', one.tenantId)])),
      ),
    )
    .execute()
  const open = rows.filter((row) => ended || row.status !== 'Closed')
  const isHere = (row: Lease) => row.location_code === here.locationCode && row.tenant_id === here.tenantId
  const lease = open.find((row) => leaseKey(row) === focus) ?? open.find(isHere) ?? open[0]
  if (!lease) return alertAndGo(site, 'noLeaseFound', '/my-units')
  if (site.session.ids.lease !== leaseKey(lease)) site.session.set({ lease: leaseKey(lease) })
  return lease
}
