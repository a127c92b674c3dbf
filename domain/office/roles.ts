/** Who in the office may do what. `docs/access.md` shows the matrix; a test compares it cell by cell. */
import type { Cents } from '../money.ts'

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
 * 'yes' alone; 'limited' up to the limits of the role, above them as a request; 'asks' only as a request;
 * 'own' for tasks assigned to oneself; 'reads' sees and changes nothing.
 */
export type Grant = 'yes' | 'limited' | 'asks' | 'own' | 'reads'

/** In the order of the table. A role that is not named may not. */
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
  'audit.read': { manager: 'reads', district: 'reads', finance: 'reads', owner: 'reads', auditor: 'reads' },
  'audit.export': { owner: 'yes', auditor: 'reads' },
  'report.read': { manager: 'reads', district: 'reads', finance: 'reads', owner: 'reads', auditor: 'reads' },
  'report.export': { manager: 'reads', district: 'reads', finance: 'reads', owner: 'reads', auditor: 'reads' },
} as const satisfies Record<string, Partial<Record<OfficeRole, Grant>>>

export type Permission = keyof typeof permissions

export const grantOf = (role: OfficeRole, permission: Permission): Grant | undefined =>
  (permissions[permission] as Partial<Record<OfficeRole, Grant>>)[role]

/** Of the whole operator: a role for a state or a facility does not hold them, or it would make itself one for everything. */
export const wholeOperatorPermissions: readonly Permission[] = ['staff.manage', 'lien.sign-off']

/** What moves money by hand and has a limit for each act, and for all acts of a person and day together. */
export const limitedPermissions = [
  'fee.waive',
  'charge.add',
  'lease.credit',
  'money.refund',
  'balance.settle',
  'balance.write-off',
] as const satisfies readonly Permission[]
export type LimitedPermission = (typeof limitedPermissions)[number]

export interface AmountLimit {
  act: Cents
  day: Cents
}

export type OfficeLimits = Record<OfficeRole, Partial<Record<LimitedPermission, AmountLimit>>>

/** Never alone, whatever the role: a second person who holds it with 'yes' decides. */
export const twoPeoplePermissions: readonly Permission[] = ['tenant.erase']

/** Above this a second person decides for every role. */
export const TWO_PEOPLE_ABOVE: Cents = 100_000

const byHand = (act: Cents, day: Cents): Record<Exclude<LimitedPermission, 'fee.waive'>, AmountLimit> => ({
  'charge.add': { act, day },
  'lease.credit': { act, day },
  'money.refund': { act, day },
  'balance.settle': { act, day },
  'balance.write-off': { act, day },
})

/** Until the owner sets others (settings `office_limits`). */
export const defaultLimits: OfficeLimits = {
  agent: { 'fee.waive': { act: 2_500, day: 10_000 } },
  field: {},
  manager: { 'fee.waive': { act: 10_000, day: 50_000 }, ...byHand(10_000, 50_000) },
  district: { 'fee.waive': { act: 50_000, day: 250_000 }, ...byHand(50_000, 250_000) },
  finance: { 'fee.waive': { act: 100_000, day: 1_000_000 }, ...byHand(100_000, 1_000_000) },
  owner: { 'fee.waive': { act: 100_000, day: 1_000_000 }, ...byHand(100_000, 1_000_000) },
  auditor: {},
}

/** Roles that sign in with a passkey; the others may use a code of an authenticator app. */
export const passkeyRoles: readonly OfficeRole[] = ['owner', 'finance', 'district']

/** A role for everything, a state, or one facility. */
export type RoleScope = { all: true } | { state: string } | { facility: string }

/** 'all', 'state:GA', 'facility:ATL01': as `staff_roles.scope` keeps it. */
export const scopeText = (scope: RoleScope): string =>
  'all' in scope ? 'all' : 'state' in scope ? `state:${scope.state}` : `facility:${scope.facility}`

/** @returns null for a text that is no scope */
export function scopeOf(text: string): RoleScope | null {
  const [, kind, name] = /^(state|facility):([\w-]{2,20})$/.exec(text) ?? []
  if (text === 'all') return { all: true }
  if (name === undefined) return null
  return kind === 'state' ? { state: name } : { facility: name }
}
