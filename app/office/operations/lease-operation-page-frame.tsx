import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Permission } from '../../../domain/office/roles-and-permissions.ts'
import { grantAt } from '../../../platform/operations/facilities-of-staff.ts'
import { OfficePageFrame } from '../office-page-heading-and-sections.tsx'
import type { OpenedLeasePage } from '../open-tenant-or-lease-page.ts'
import { leasePath, tenantPath } from '../tenant-paths.ts'

/**
 * Returns the facts about a lease that the pages of lease operations show.
 * @param permission permission of the operation, to tell whether this staff member needs approval
 */
export const operationFactsOf = ({ page, tenant, lease, location }: OpenedLeasePage, permission?: Permission) => {
  const key = { location: location.location_code, tenant: tenant.tenant_id }
  return {
    brand: page.site.brand.name,
    name: `${tenant.first} ${tenant.last}`,
    unit: lease.unit_number,
    facility: location.name,
    /** True when this staff member always needs a second person's approval for the page's operation. */
    needsApproval: permission !== undefined && grantAt(page.staff, permission, key.location) === 'asks',
    /** Address of the tenant's page with this lease's ledger, to return to afterwards. */
    back: `${tenantPath(key)}?lease=${lease.lease_number}`,
    lease: leasePath(key, lease.lease_number),
  }
}

/** Frame of a lease operation's page, headed by tenant, unit and facility. */
export function OperationPage({
  about,
  title,
  failed = false,
  children,
}: {
  about: ReturnType<typeof operationFactsOf>
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
