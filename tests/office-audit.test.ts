/** Each office operation that writes leaves an audit event. For commands see operator/audit-command-run.test.ts. */
import { expect, it } from 'vitest'
import { internalOperations, officeOperations, operations, resources } from '../api/catalogue.ts'
import { perform } from '../platform/operations/operation.ts'
import { approvingCardProvider, openBank } from './example-preparations.ts'
import { type Definition, definitionOf, definitions, leadsTo } from './follow-source-definitions.ts'
import { rowsOf } from './support/rows.ts'
import { demoServices } from './support/seeded-demo-operator.ts'
import { addStaffCaller, withApprovals } from './support/staff.ts'

const open = demoServices()

const AUDIT = 'platform/audit/audit.ts'

const audit = definitionOf(AUDIT, 'writeAuditEvent')

/** Returns whether a definition leads to `writeAuditEvent`, without following other definitions of that file. */
const leadsToAudit = (definition: Definition): boolean =>
  leadsTo(
    definition,
    (found) => found === audit,
    ({ path }) => path !== AUDIT,
  )

const declarationOf = (name: string): Definition | undefined =>
  definitions.find(({ text }) => new RegExp(`\\(\\{\\s+name: '${name}',`).test(text))

const writing = officeOperations.filter(({ writes }) => writes)

it('every operation by which staff members write is an office operation and has an audit event', () => {
  const silent = writing.flatMap(({ name }) => {
    const declared = declarationOf(name)
    return declared && leadsToAudit(declared) ? [] : [name]
  })
  expect(silent).toEqual([])
  expect(writing.length).toBeGreaterThan(70)
  // Acts of tenants and visitors are in the records themselves: leases, payments, quotes and their dates.
  const others = [...operations.values(), ...resources.values(), ...internalOperations]
  const byStaff = others.filter(({ writes, access }) => writes && typeof access === 'object' && access.staff)
  expect(
    byStaff
      .map(({ name }) => name)
      .filter((name) => !officeOperations.some((officeOperation) => officeOperation.name === name)),
  ).toEqual([])
})

/** Operations that write and audit themselves, each with the reason why it does not use one transaction. */
const auditThemselves: Readonly<Record<string, string>> = {
  DecideRentChanges: 'commits a hundred changes at a time',
  DecideReview: 'posts a payment, and stores a refund in a second transaction when posting is refused',
  StopRentChanges: 'commits each change alone, so that one that is charged already stops no other',
}

/** Operations of which only one part is an office operation, each with what the other part does. */
const partlyOfOffice: Readonly<Record<string, string>> = {
  CancelTransfer: 'the tenant cancels without an event',
  DecideApproval: 'an approval runs the requested operation, which has a transaction and event of its own',
  TransferUnit: 'the tenant asks for a transfer without an event, and continues with its draft',
}

it('no office operation that writes is declared by internalOperation, except for those listed with a reason', () => {
  const names = new Set<string>(writing.map(({ name }) => name))
  const byHand = definitions.filter(({ name, text }) => names.has(name) && /^[^=]*= internalOperation\(/.test(text))
  const reasons = { ...auditThemselves, ...partlyOfOffice }
  expect(byHand.map(({ name }) => name).sort()).toEqual(Object.keys(reasons).sort())
})

it('finds an operation without an event', () => {
  expect(leadsToAudit(declarationOf('GetLocationUnitTypes')!)).toBe(false)
})

it('every example that is executed writes an event with its staff member', async () => {
  const opened = await open()
  const services = withApprovals(
    Object.assign(opened, { allowsAnyFactor: true as const, cardProvider: approvingCardProvider(), bank: openBank() }),
  )
  const silent: string[] = []
  let executedCount = 0
  for (const declared of writing) {
    const callers = await addStaffCaller(services, 'owner')
    const outcome = await perform(services, declared, declared.example.input, callers)
    if (!outcome.ok) continue
    executedCount += 1
    const events = await rowsOf(services.db, 'audit_events', ['kind'], { staff_id: callers.staff.staffId })
    if (events.length === 0) silent.push(declared.name)
  }
  expect(silent).toEqual([])
  expect(executedCount).toBeGreaterThan(8)
})
