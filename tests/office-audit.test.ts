/**
 * Everything that a staff member does by an operation is in the audit. For commands see operator/command-audit.test.ts.
 */
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { internalOperations, officeOperations, operations, resources } from '../api/catalogue.ts'
import { perform } from '../platform/operations/operation.ts'
import { approvingCardProvider, openBank } from './example-preparations.ts'
import { demoServices } from './seeded-demo-operator.ts'
import { root, sourcesOf } from './structure.ts'
import { rowsOf } from './support/rows.ts'
import { addStaffCaller, withApprovals } from './support/staff.ts'

const open = demoServices()

const AUDIT = 'platform/audit/audit.ts'

interface Definition {
  path: string
  text: string
}

/** Returns each file's top-level definitions and the targets of its imports. */
function filesByPath() {
  const files = new Map<
    string,
    { own: Map<string, Definition>; imports: Map<string, { path: string; name: string }> }
  >()
  for (const { path, text } of ['modules', 'platform/audit', 'platform/operations'].flatMap(sourcesOf)) {
    const starts = [...text.matchAll(/^(?:export )?(?:async )?(?:function\*?|const) (\w+)/gm)]
    const own = new Map(
      starts.map(({ 1: name = '', index }, at) => [
        name,
        { path, text: text.slice(index + name.length, starts[at + 1]?.index ?? text.length) },
      ]),
    )
    const imports = new Map<string, { path: string; name: string }>()
    for (const [, list = '', from = ''] of text.matchAll(/^import \{([^}]*)\} from '(\.[^']*)'/gm))
      for (const specifier of list.split(',')) {
        const [name = '', alias] = specifier
          .trim()
          .replace(/^type /, '')
          .split(' as ')
        if (name) imports.set(alias ?? name, { path: relative(root, join(root, dirname(path), from)), name })
      }
    files.set(path, { own, imports })
  }
  return files
}

const files = filesByPath()

function definitionOf(path: string, name: string): Definition | null {
  const file = files.get(path)
  const own = file?.own.get(name)
  if (own) return own
  const from = file?.imports.get(name)
  return from ? definitionOf(from.path, from.name) : null
}

/** Returns whether a definition leads to `writeAuditEvent`, by itself or through definitions that it names. */
function leadsToAudit(definition: Definition, visited = new Set<Definition>()): boolean {
  if (visited.has(definition)) return false
  visited.add(definition)
  for (const [name] of definition.text.matchAll(/\b[a-z]\w*\b/gi)) {
    const found = definitionOf(definition.path, name)
    if (!found || found === definition) continue
    if (found.path === AUDIT && name === 'writeAuditEvent') return true
    if (found.path !== AUDIT && leadsToAudit(found, visited)) return true
  }
  return false
}

const declarationOf = (name: string): Definition | undefined =>
  [...files.values()]
    .flatMap(({ own }) => [...own.values()])
    .find(({ text }) => new RegExp(`\\(\\{\\s+name: '${name}',`).test(text))

const writing = officeOperations.filter(({ writes }) => writes)

it('every office operation that writes has an audit event, and no other operation has one', () => {
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
