/** What can be done from a tenant's file and a lease's: the bar of buttons of both, as the operations declare them. */
import { officeOperations } from '../../api/catalogue.ts'
import { grantAt, type StaffCaller } from '../../platform/operations/callers.ts'
import type { FileButton } from '../../platform/operations/operation.ts'
import { type FileKey, leasePath, tenantPath } from './file-paths.ts'

const buttons: readonly FileButton[] = officeOperations
  .flatMap(({ button }) => button ?? [])
  .sort((a, b) => a.place - b.place)

export interface ActLink {
  href: string
  label: string
  key: string
}

/**
 * The bar of buttons of a file; of an erased tenant what is kept can be exported.
 * @param lease the one that is looked at, `others` the tenant's further ones; null where there is none
 */
export function actLinks(
  staff: StaffCaller,
  key: FileKey,
  lease: { number: number; status: string; balance: number; others: number } | null,
  erased = false,
): ActLink[] {
  const offered = erased ? buttons.filter(({ page }) => page === 'export') : buttons
  return offered.flatMap(({ page, label, key: letter, permission, about, when }) => {
    const grant = grantAt(staff, permission, key.location)
    if (grant === undefined || grant === 'reads') return []
    // Notes are written on the tenant's file itself.
    if (page === 'note') return [{ href: `${tenantPath(key)}#note`, label, key: letter }]
    // A payment goes back to the lease that is looked at, and begins with it.
    if (page === 'receive' && lease && lease.others > 0)
      return [{ href: `${tenantPath(key)}/receive?lease=${lease.number}`, label, key: letter }]
    if (about === 'tenant') return [{ href: `${tenantPath(key)}/${page}`, label, key: letter }]
    if (!lease || (when && !when(lease))) return []
    return [{ href: `${leasePath(key, lease.number)}/${page}`, label, key: letter }]
  })
}

/** The page that waives a fee of a lease; null for who may not. */
export const waivePath = (staff: StaffCaller, key: FileKey, lease: number): string | null =>
  ['yes', 'limited', 'asks'].includes(grantAt(staff, 'fee.waive', key.location) ?? '')
    ? `${leasePath(key, lease)}/waive`
    : null
