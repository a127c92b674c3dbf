/** Lists the links of the tenant and lease pages that a staff member may use, as the office operations declare them. */
import { officeOperations } from '../../api/catalogue.ts'
import type { Permission } from '../../domain/office/roles-and-permissions.ts'
import type { StaffCaller } from '../../platform/operations/callers.ts'
import { grantAt, mayActAt } from '../../platform/operations/facilities-of-staff.ts'
import type { TenantPageButton } from '../../platform/operations/operation.ts'
import type { TenantsTable } from '../../platform/schema/tables.ts'
import { leasePath, type TenantPageKey, tenantPath } from './tenant-paths.ts'

const buttons: readonly (TenantPageButton & { permission: Permission })[] = officeOperations
  .flatMap(({ button, permission }) => (button && permission ? { ...button, permission } : []))
  .sort((a, b) => a.place - b.place)

type ErasableTenant = Pick<TenantsTable, 'erased_at'>

export interface OperationLink {
  href: string
  label: string
  key: string
}

/**
 * Lists the buttons that the staff member may use. For an erased tenant only the export is left.
 * @param tenant.erased_at time of the tenant's erasure; null if the tenant is not erased
 * @param lease the lease shown, `others` the number of the tenant's further leases; null without a lease
 */
export function listOperationLinks(
  staff: StaffCaller,
  key: TenantPageKey,
  { erased_at }: ErasableTenant,
  lease: { number: number; status: string; balance: number; others: number } | null,
): OperationLink[] {
  const available = erased_at === null ? buttons : buttons.filter(({ page }) => page === 'export')
  return available.flatMap(({ page, label, key: letter, permission, about, when }) => {
    const grant = grantAt(staff, permission, key.location)
    if (grant === undefined || grant === 'reads') return []
    // Notes are written on the tenant's page itself.
    if (page === 'note') return [{ href: `${tenantPath(key)}#note`, label, key: letter }]
    // The payment form includes the lease shown, also when not all leases fit on one receipt, and returns to it.
    if (page === 'receive' && lease && lease.others > 0)
      return [{ href: `${tenantPath(key)}/receive?lease=${lease.number}`, label, key: letter }]
    if (about === 'tenant') return [{ href: `${tenantPath(key)}/${page}`, label, key: letter }]
    if (!lease || (when && !when(lease))) return []
    return [{ href: `${leasePath(key, lease.number)}/${page}`, label, key: letter }]
  })
}

/**
 * Returns the address of the page that waives a fee of a lease; null when the staff member may not waive one, or the
 * tenant is erased.
 */
export const waivePath = (
  staff: StaffCaller,
  key: TenantPageKey,
  { erased_at }: ErasableTenant,
  lease: number,
): string | null =>
  erased_at === null && mayActAt(staff, 'fee.waive', key.location) ? `${leasePath(key, lease)}/waive` : null
