import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Permission } from '../../../domain/office/roles.ts'
import { grantAt } from '../../../platform/operations/callers.ts'
import { leasePath, tenantPath } from '../file-paths.ts'
import type { OpenLeaseFile } from '../open-file.ts'
import { OfficePageFrame } from '../page.tsx'

/** What the page of an act on a lease says of it. */
export const actFacts = ({ page, tenant, lease, location }: OpenLeaseFile, permission?: Permission) => {
  const key = { location: location.location_code, tenant: tenant.tenant_id }
  return {
    brand: page.site.brand.name,
    name: `${tenant.first} ${tenant.last}`,
    unit: lease.unit_number,
    facility: location.name,
    /** The person never does it alone. */
    asks: permission !== undefined && grantAt(page.staff, permission, key.location) === 'asks',
    /** The tenant's file with this lease's ledger, where an act returns to. */
    back: `${tenantPath(key)}?lease=${lease.lease_number}`,
    lease: leasePath(key, lease.lease_number),
  }
}

/** Head of an act on a lease: who, which unit, where. */
export function ActPage({
  about,
  title,
  failed = false,
  children,
}: {
  about: ReturnType<typeof actFacts>
  title: string
  failed?: boolean
  children: ReactNode
}) {
  return (
    <OfficePageFrame
      title={title}
      brand={about.brand}
      failed={failed}
      lead={
        <>
          <Link to={about.back}>{about.name}</Link> · <Link to={about.lease}>unit {about.unit}</Link> · {about.facility}
        </>
      }
    >
      {children}
    </OfficePageFrame>
  )
}
