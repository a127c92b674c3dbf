import * as v from 'valibot'
import { machineRolesFor } from '../../domain/machine-key-operations.ts'
import { type MachineRole, machineRoleNames } from '../../domain/machine-key-role-names-and-limits.ts'
import {
  grantOf,
  type OfficeRole,
  officeRoles,
  permissions,
  roleNames,
} from '../../domain/office/roles-and-permissions.ts'
import { keysOf } from '../../domain/typed-keys.ts'
import { type StaffCaller, type TestedKind, testedKinds } from '../../platform/operations/callers.ts'
import type { InternalOperation } from '../../platform/operations/operation.ts'
import { internalOperations, officeOperations, operations, resources } from '../catalogue.ts'

type TransportKind = Exclude<TestedKind, 'staff'>

/** Kinds of callers that have a column each; staff roles have a table of their own. */
const columnKinds = testedKinds.filter((kind) => kind !== 'staff')

/** Callers that may call an operation. 'own': only if the input names the caller's own record. */
export type AccessRow = 'anyone' | Partial<Record<TransportKind, 'own' | 'any'>>

/**
 * Example callers that own no records. An access test that admits one of them admits its kind of caller for any record;
 * a test that refuses it admits the kind only for the caller's own records.
 */
const withoutRecords: Record<TransportKind, unknown> = {
  rental: {
    draftId: '',
    proof: 'own',
    resumedId: null,
    locationCode: '',
    tenantId: null,
    reservationCode: null,
    existingTenant: false,
    enteredTenantId: null,
  },
  tenant: { accountId: '', tenants: [] },
  guest: { tenants: [], signIn: '' },
  registrant: { locationCode: '', tenantId: 0 },
  auction: { uuid: '' },
  settlement: { uuid: '' },
}

// biome-ignore lint/suspicious/noExplicitAny: operations of every input and output
type Declared = Pick<InternalOperation<any, any>, 'name' | 'access' | 'input' | 'example'>

/** Returns which callers may call an operation, found by calling its access tests with its example input. */
export function accessOf({ access, input, example }: Declared): AccessRow {
  if (access === 'anyone') return 'anyone'
  const parsed = v.safeParse(input, example.input)
  const row: Partial<Record<TransportKind, 'own' | 'any'>> = {}
  for (const kind of columnKinds) {
    const test = access[kind] as ((caller: unknown, input: unknown) => boolean) | undefined
    if (test) row[kind] = test(withoutRecords[kind], parsed.output) ? 'any' : 'own'
  }
  return row
}

/** Returns a staff member with one role at all facilities. */
const staffWith = (role: OfficeRole): StaffCaller => ({
  staffId: '',
  name: '',
  signIn: '',
  provenAt: 0,
  roles: [{ role, facilities: 'all' }],
})

function officeRow({ name, access, input, example, freshFactor }: InternalOperation): string {
  const parsed = v.safeParse(input, example.input)
  const test = access === 'anyone' ? undefined : access.staff
  const cells = officeRoles.map((role) => (test?.(staffWith(role), parsed.output) === true ? 'yes' : ''))
  return `| \`${name}\` | ${freshFactor ? 'fresh' : ''} | ${cells.join(' | ')} |`
}

/** Returns the text of `docs/access.md`: which callers and staff roles may call each operation. */
export function accessTable(): string {
  const heads = ['rental session', 'tenant', 'guest', 'found details', 'auction link', 'settlement link']
  const rowOf = (declared: Declared, keys: readonly string[]) => {
    const access = accessOf(declared)
    const cells =
      access === 'anyone'
        ? ['anyone', ...Array(columnKinds.length).fill('any')]
        : ['', ...columnKinds.map((kind) => access[kind] ?? '')]
    return `| \`${declared.name}\` | ${[...cells, ...keys].join(' | ')} |`
  }
  const headOf = (columns: readonly string[]) => `| operation or resource | anyone | ${columns.join(' | ')} |
|---|---|${columns.map(() => '---|').join('')}`
  const onTheWire = [...operations.values(), ...resources.values()]
  return `# Who may call what

Made from the catalogue by \`npm run access-table\`; a test fails where it is out of date. **own**: where the call names the
caller's own record. **any**: whatever record it names. Empty: refused, with the same answer whether or not the record
exists. Callers without proof may call what *anyone* may. **machine key**: the role of the key; it is for the facilities in its
scope, and at others the answer is that there is no such record.

${headOf([...heads, 'machine key'])}
${onTheWire.map((declared) => rowOf(declared, [machineRolesFor(declared.name).join(', ')])).join('\n')}

## Called by the site's own pages alone

${headOf(heads)}
${internalOperations.map((declared) => rowOf(declared, [])).join('\n')}

## Called by the office

For a facility of the person's own; at others the answer is that there is no such record. **fresh**: the second factor is asked for
again where it was given more than ten minutes ago.

| operation | fresh | ${officeRoles.map((role) => roleNames[role]).join(' | ')} |
|---|---|${officeRoles.map(() => '---|').join('')}
${officeOperations.map(officeRow).join('\n')}

What a role may do, alone or with a second person, up to its limits:

| permission | ${officeRoles.map((role) => roleNames[role]).join(' | ')} |
|---|${officeRoles.map(() => '---|').join('')}
${keysOf(permissions)
  .map((permission) => `| ${permission} | ${officeRoles.map((role) => grantOf(role, permission) ?? '').join(' | ')} |`)
  .join('\n')}
`
}

const callerNames: Record<TransportKind, string> = {
  rental: 'a rental session',
  tenant: 'a signed-in tenant',
  guest: 'a guest payer',
  registrant: 'somebody whose details were found',
  auction: 'an auction winner’s link',
  settlement: 'a settlement link',
}

/**
 * Formats who may call an operation: 'A signed-in tenant (own records); a guest payer.'
 * @param keys roles whose machine keys may call it; they are named in a sentence of their own
 */
export function formatAccess(access: AccessRow, keys: readonly MachineRole[] = []): string {
  const byKey =
    keys.length > 0 ? ` A machine key with the role ${keys.map((role) => machineRoleNames[role]).join(' or ')}.` : ''
  if (access === 'anyone') return `Anyone.${byKey}`
  const words = columnKinds.flatMap((kind) =>
    access[kind] ? [`${callerNames[kind]}${access[kind] === 'own' ? ' (own records)' : ''}`] : [],
  )
  const sentence = words.join('; ')
  if (sentence === '') return byKey.trim()
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.${byKey}`
}
