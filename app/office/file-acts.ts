/** What can be done from a tenant's file and a lease's: the bar of buttons of both, in its order. */
import type { Permission } from '../../domain/office/roles.ts'
import { grantAt, type StaffCaller } from '../../platform/operations/callers.ts'

export interface FileAct {
  /** Its page: `app/office/acts/<act>.tsx`, at `<file>/<act>`. */
  act: string
  label: string
  /** Single key; 'g' is pressed twice, since alone it begins the menu's. */
  key: string
  permission: Permission
  /** Whose page it is. A lease's act is offered on the tenant's file for the lease that is looked at there. */
  about: 'tenant' | 'lease'
  /** Only for leases of which this is true; all where left out. */
  when?: (lease: { status: string; balance: number; others: number }) => boolean
}

// The order: payment p, link l, waive w, refund r, gate g, move-out m, transfer t, note n; then what has no letter there.
export const fileActs: readonly FileAct[] = [
  { act: 'receive', label: 'Take payment', key: 'p', permission: 'payment.receive', about: 'tenant' },
  { act: 'link', label: 'Send link', key: 'l', permission: 'link.send', about: 'tenant' },
  { act: 'waive', label: 'Waive', key: 'w', permission: 'fee.waive', about: 'lease' },
  { act: 'refund', label: 'Refund', key: 'r', permission: 'money.refund', about: 'lease' },
  { act: 'gate', label: 'Gate', key: 'g', permission: 'gate.code', about: 'tenant' },
  {
    act: 'move-out',
    label: 'Move out',
    key: 'm',
    permission: 'move-out.schedule',
    about: 'lease',
    when: (lease) => lease.status !== 'Closed',
  },
  {
    act: 'transfer',
    label: 'Transfer',
    key: 't',
    permission: 'unit.transfer',
    about: 'lease',
    when: (lease) => lease.status !== 'Closed',
  },
  {
    act: 'charge',
    label: 'Charge',
    key: 'c',
    permission: 'charge.add',
    about: 'lease',
    when: ({ status }) => status !== 'Closed',
  },
  { act: 'credit', label: 'Credit', key: 'd', permission: 'lease.credit', about: 'lease' },
  {
    act: 'move-balance',
    label: 'Move balance',
    key: 'b',
    permission: 'balance.move',
    about: 'lease',
    when: ({ balance, others }) => balance !== 0 && others > 0,
  },
  {
    act: 'write-off',
    label: 'Write off',
    key: 'o',
    permission: 'balance.write-off',
    about: 'lease',
    when: ({ status, balance }) => status === 'Closed' && balance > 0,
  },
  { act: 'rent', label: 'Rent', key: 'e', permission: 'rent.propose', about: 'lease' },
  {
    act: 'lien',
    label: 'Lien case',
    key: 'v',
    permission: 'lien.step',
    about: 'lease',
    when: ({ status, balance }) => status !== 'Closed' && balance > 0,
  },
  { act: 'note', label: 'Note', key: 'n', permission: 'note.write', about: 'tenant' },
  { act: 'contact', label: 'Contact data', key: 'i', permission: 'tenant.update', about: 'tenant' },
  { act: 'flags', label: 'Flags', key: 'f', permission: 'tenant.flag', about: 'tenant' },
  { act: 'export', label: 'Export', key: 'x', permission: 'tenant.export', about: 'tenant' },
  { act: 'erase', label: 'Erase', key: 'z', permission: 'tenant.erase', about: 'tenant' },
]

export interface FileKey {
  location: string
  tenant: number
}

export const tenantPath = ({ location, tenant }: FileKey): string => `/office/tenants/${location}/${tenant}`

export const leasePath = (key: FileKey, lease: number): string => `${tenantPath(key)}/leases/${lease}`

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
  const offered = erased ? fileActs.filter(({ act }) => act === 'export') : fileActs
  return offered.flatMap(({ act, label, key: letter, permission, about, when }) => {
    const grant = grantAt(staff, permission, key.location)
    if (grant === undefined || grant === 'reads') return []
    // Notes are written on the tenant's file itself.
    if (act === 'note') return [{ href: `${tenantPath(key)}#note`, label, key: letter }]
    // A payment goes back to the lease that is looked at, and begins with it.
    if (act === 'receive' && lease && lease.others > 0)
      return [{ href: `${tenantPath(key)}/receive?lease=${lease.number}`, label, key: letter }]
    if (about === 'tenant') return [{ href: `${tenantPath(key)}/${act}`, label, key: letter }]
    if (!lease || (when && !when(lease))) return []
    return [{ href: `${leasePath(key, lease.number)}/${act}`, label, key: letter }]
  })
}

/** The page that waives a fee of a lease; null for who may not. */
export const waivePath = (staff: StaffCaller, key: FileKey, lease: number): string | null =>
  ['yes', 'limited', 'asks'].includes(grantAt(staff, 'fee.waive', key.location) ?? '')
    ? `${leasePath(key, lease)}/waive`
    : null
