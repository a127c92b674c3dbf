/** Permissions of office roles, from which the table in `docs/access.md` is made. */

export const officeRoles = ['agent', 'field', 'manager', 'district', 'finance', 'owner', 'auditor'] as const
export type OfficeRole = (typeof officeRoles)[number]

export const roleNames: Record<OfficeRole, string> = {
  agent: 'Agent',
  field: 'Field',
  manager: 'Manager',
  district: 'District',
  finance: 'Finance',
  owner: 'Owner',
  auditor: 'Auditor',
}

/**
 * Extent of a permission: 'yes' alone; 'limited' up to the role's limits, above them as an approval request, or not at
 * all for 'approval.decide'; 'asks' only as an approval request; 'own' for a tenant about whom an open task is assigned
 * to the staff member; 'reads' without changes.
 */
export type Grant = 'yes' | 'limited' | 'asks' | 'own' | 'reads'

/** Grants of each staff permission, by role. A role that is not listed has no grant. */
export const permissions = {
  'file.read': {
    agent: 'yes',
    field: 'own',
    manager: 'yes',
    district: 'yes',
    finance: 'yes',
    owner: 'yes',
    auditor: 'reads',
  },
  'note.write': { agent: 'yes', field: 'own', manager: 'yes', district: 'yes', finance: 'yes', owner: 'yes' },
  'task.assign': { agent: 'yes', manager: 'yes', district: 'yes', finance: 'yes', owner: 'yes' },
  'tenant.flag': { manager: 'yes', district: 'yes', finance: 'yes', owner: 'yes' },
  'tenant.update': { agent: 'yes', manager: 'yes', district: 'yes', finance: 'yes', owner: 'yes' },
  'tenant.export': { district: 'yes', owner: 'yes' },
  'tenant.erase': { manager: 'asks', district: 'yes', owner: 'yes' },
  'sensitive.show': { manager: 'yes', district: 'yes', finance: 'yes', owner: 'yes' },
  'link.send': { agent: 'yes', manager: 'yes', district: 'yes', finance: 'yes', owner: 'yes' },
  'payment.receive': { agent: 'yes', manager: 'yes', district: 'yes', finance: 'yes', owner: 'yes' },
  'receipt.void': { manager: 'yes', district: 'yes', finance: 'yes', owner: 'yes' },
  'check.return': { finance: 'yes', owner: 'yes' },
  'fee.waive': { agent: 'limited', manager: 'limited', district: 'limited', finance: 'yes', owner: 'yes' },
  'charge.add': { agent: 'asks', manager: 'limited', district: 'limited', finance: 'limited', owner: 'limited' },
  'lease.credit': { agent: 'asks', manager: 'limited', district: 'limited', finance: 'limited', owner: 'limited' },
  'money.refund': { agent: 'asks', manager: 'limited', district: 'limited', finance: 'limited', owner: 'limited' },
  'balance.settle': { agent: 'asks', manager: 'limited', district: 'limited', finance: 'limited', owner: 'limited' },
  'balance.write-off': { district: 'limited', finance: 'limited', owner: 'limited' },
  'balance.move': { finance: 'yes', owner: 'yes' },
  'approval.decide': { manager: 'limited', district: 'limited', finance: 'yes', owner: 'yes' },
  'review.decide': { finance: 'yes', owner: 'yes' },
  'proof.decide': { district: 'yes', finance: 'yes', owner: 'yes' },
  'job.revive': { district: 'yes', finance: 'yes', owner: 'yes' },
  'gate.code': { agent: 'yes', manager: 'yes', district: 'yes', owner: 'yes' },
  'gate.open': { agent: 'yes', manager: 'yes', district: 'yes', owner: 'yes' },
  'gate.override': { manager: 'yes', district: 'yes', owner: 'yes' },
  'move-out.schedule': { agent: 'yes', manager: 'yes', district: 'yes', owner: 'yes' },
  'move-out.verify': { field: 'yes', manager: 'yes', district: 'yes', owner: 'yes' },
  'lock.set': { field: 'yes', manager: 'yes', district: 'yes', owner: 'yes' },
  'move-in.desk': { agent: 'yes', manager: 'yes', district: 'yes', owner: 'yes' },
  'unit.transfer': { agent: 'yes', manager: 'yes', district: 'yes', owner: 'yes' },
  'unit.transfer-owing': { manager: 'yes', district: 'yes', owner: 'yes' },
  'unit.service': { manager: 'yes', district: 'yes', owner: 'yes' },
  'rent.propose': { manager: 'yes', district: 'yes', owner: 'yes' },
  'rent.approve': { district: 'yes', owner: 'yes' },
  'lien.photograph': { field: 'yes', manager: 'yes', district: 'yes', owner: 'yes' },
  'lien.step': { manager: 'yes', district: 'yes', owner: 'yes' },
  'lien.sale': { district: 'yes', owner: 'yes' },
  'lien.sign-off': { owner: 'yes' },
  'drawer.count': { agent: 'yes', manager: 'yes', district: 'yes' },
  'deposit.match': { finance: 'yes' },
  'setup.save': { district: 'yes', owner: 'yes' },
  'staff.manage': { owner: 'yes' },
  'key.manage': { owner: 'yes' },
  'audit.read': { manager: 'reads', district: 'reads', finance: 'reads', owner: 'reads', auditor: 'reads' },
  'audit.export': { owner: 'yes', auditor: 'reads' },
  'report.read': { manager: 'reads', district: 'reads', finance: 'reads', owner: 'reads', auditor: 'reads' },
  'report.export': { manager: 'reads', district: 'reads', finance: 'reads', owner: 'reads', auditor: 'reads' },
} as const satisfies Record<string, Partial<Record<OfficeRole, Grant>>>

export type Permission = keyof typeof permissions

const grants: Record<Permission, Partial<Record<OfficeRole, Grant>>> = permissions

export const grantOf = (role: OfficeRole, permission: Permission): Grant | undefined => grants[permission][role]

/**
 * Permissions that a role grants only with the scope 'all': staff, keys and lien rules concern every facility, and a
 * role of one facility could otherwise extend itself.
 */
export const wholeOperatorPermissions: readonly Permission[] = ['staff.manage', 'key.manage', 'lien.sign-off']

/** Roles that sign in with a passkey or recovery code, never an authenticator app, except in a demo. */
export const passkeyRoles: readonly OfficeRole[] = ['owner', 'finance', 'district']

/** Scope of a role: everything, a state, or one facility. */
export type RoleScope = { all: true } | { state: string } | { facility: string }

/** Formats a scope as stored in `staff_roles.scope`: 'all', 'state:GA' or 'facility:ATL01'. */
export const formatScope = (scope: RoleScope): string =>
  'all' in scope ? 'all' : 'state' in scope ? `state:${scope.state}` : `facility:${scope.facility}`

/** Parses a stored scope; null for an invalid text. */
export function parseScope(text: string): RoleScope | null {
  const [, kind, name] = /^(state|facility):([\w-]{2,20})$/.exec(text) ?? []
  if (text === 'all') return { all: true }
  if (name === undefined) return null
  return kind === 'state' ? { state: name } : { facility: name }
}
