/**
 * Compares every operation with its specification in `wire.txt`, and runs every example of the catalog against the demo
 * operator: in process, as JSON and, for operations, as XML. Finds statements of examples and office pages that take
 * longer in a larger business.
 */
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { type AnyOperation, catalogue, operations } from '../api/catalogue.ts'
import { fieldsOf } from '../api/openapi/json-schema.ts'
import { signedInStaff } from '../app/office/testing.ts'
import { tablesInOrder } from '../platform/database/copy-all-rows.ts'
import { perform } from '../platform/operations/operation.ts'
import { bytesOf, overJson, overXml, sendJson } from './call-over-http.ts'
import { type Prepared, prepareExample } from './example-preparations.ts'
import { everyOperation, type Specified, specified } from './parse-wire-specification.ts'
import { type DemoServices, demoServices } from './support/seeded-demo-operator.ts'

const open = demoServices()

/** Tables whose scan counts as slow: all except those that are small or read as a whole. */
const tablesThatGrow = new Set<string>(
  tablesInOrder.filter((table) => !['settings', 'states', 'locations', 'gates', 'content_version'].includes(table)),
)

/** Matches a step of a query plan that searches a table with rows for each tenant, lease or rental. */
const tablesOfPeople =
  /^SEARCH (tenants|leases|lease_\w+|reservations|prospects|quotes|ledger_entries|payments|gate_codes|tenant_notes|move_outs|insurance_proofs|rental_drafts)\b/

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

async function inProcess(
  services: DemoServices,
  declared: AnyOperation,
  example: Required<Prepared>,
): Promise<unknown> {
  const outcome = await perform(services, declared, example.input, example.callers)
  if (!outcome.ok) throw new Error(`${declared.name}: ${JSON.stringify(outcome)}`)
  expect(v.safeParse(declared.output, outcome.value).issues).toBeUndefined()
  return outcome.value instanceof Uint8Array ? bytesOf(outcome.value) : json(outcome.value)
}

/** Returns where the response differs from the example. A list must contain the example's entries in any order. */
function missing(example: unknown, answer: unknown, path = ''): string[] {
  if (Array.isArray(example)) {
    if (!Array.isArray(answer)) return [`${path}: not a list`]
    return example.flatMap((entry, index) => {
      if (answer.some((other) => missing(entry, other).length === 0)) return []
      return [`${path}[${index}]: not in the list, which begins ${JSON.stringify(answer.slice(0, 2))}`]
    })
  }
  if (example !== null && typeof example === 'object') {
    if (answer === null || typeof answer !== 'object') return [`${path}: ${JSON.stringify(answer)}`]
    return Object.entries(example).flatMap(([name, value]) =>
      missing(value, (answer as Record<string, unknown>)[name], `${path}.${name}`),
    )
  }
  // An ellipsis in an example stands for more of the same text.
  if (typeof example === 'string' && example.endsWith('…')) {
    return typeof answer === 'string' && answer.startsWith(example.slice(0, -1).trimEnd())
      ? []
      : [`${path}: ${JSON.stringify(answer)}`]
  }
  return example === answer ? [] : [`${path}: ${JSON.stringify(answer)}, in the example ${JSON.stringify(example)}`]
}

/** Returns a response with its field names only, without values and with only the first entry of each list. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shape)
  if (value === null || typeof value !== 'object') return 'value'
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shape(field)]))
}

/** Returns whether a response has a field: `a.b` for nested ones, `a[].b` in each entry of a non-empty list. */
function hasField(answer: unknown, path: string): boolean {
  let reached = [answer]
  for (const step of path.split('.')) {
    const name = step.replace('[]', '')
    if (name !== '') {
      if (reached.some((value) => value === null || typeof value !== 'object' || !Object.hasOwn(value, name)))
        return false
      reached = reached.map((value) => (value as Record<string, unknown>)[name])
    }
    if (!step.endsWith('[]')) continue
    if (reached.some((value) => !Array.isArray(value) || value.length === 0)) return false
    reached = reached.flatMap((value) => value as unknown[])
  }
  return true
}

/** Returns the statements whose time grows with the business. An index of only open or waiting rows counts as small. */
async function findSlowStatements(services: DemoServices, statements: ReadonlyMap<string, string>): Promise<string[]> {
  const slow: string[] = []
  for (const [text, name] of statements) {
    const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(text)}`.execute(services.db.read)
    for (const { detail } of rows) {
      const table = /^SCAN (\w+)/.exec(detail)?.[1]
      const holdsFew = /USING (COVERING )?INDEX \w+_(open|waiting)\b/.test(detail)
      const scans = table !== undefined && tablesThatGrow.has(table) && !holdsFew
      // An index that begins with a state or instant contains the rows of all facilities.
      const searchesAllFacilities =
        text.includes('"location_code" = ?') && /\((status|state|\w+_at|\w+_until)[=<>]/.test(detail)
      // With an index of the facility alone, the rows of a tenant or lease are sought among all of the facility's.
      const searchesFacility = tablesOfPeople.test(detail) && detail.endsWith('(location_code=?)')
      if (scans || searchesAllFacilities || searchesFacility) slow.push(`${name}: ${detail}: ${text}`)
    }
  }
  return slow
}

const specifiedOf = (name: string): Specified => {
  const found = specified.get(name)
  if (!found) throw new Error(`tests/wire.txt does not specify ${name}`)
  return found
}
const cases = everyOperation.map((operation) => [operation.name, operation, specifiedOf(operation.name)] as const)

describe('The catalogue', () => {
  it('has every specified operation, and no other', () => {
    const { operations, resources } = catalogue()
    const called = [...operations, ...resources]
    expect(new Set(called).size).toBe(called.length)
    // The catalog also lists the two addresses at which every operation can be called; wire.txt does not.
    expect(called.sort()).toEqual([...specified.keys(), 'POST /api/ssm', 'POST /api/ssm/{operation}'].sort())
  })

  it.each(cases)('%s takes the specified fields', (_, { input }, { takes }) => {
    expect(
      fieldsOf(input)
        .map((field) => field.name)
        .sort(),
    ).toEqual([...takes].sort())
  })

  it.each(cases.filter(([, , { refuses }]) => Object.keys(refuses).length > 0))(
    '%s refuses what differs from what was agreed',
    async (_, declared, { refuses }) => {
      const services = await open()
      const example = await prepareExample(services, declared)
      for (const [name, other] of Object.entries(refuses)) {
        const answer = await sendJson(services, declared, { ...example, input: { ...example.input, [name]: other } })
        const { error } = (await answer.json()) as { error?: { fields?: Record<string, string> } }
        expect({ name, status: answer.status, said: error?.fields?.[name] }).toMatchObject({
          name,
          status: 409,
          said: expect.any(String),
        })
      }
      // The refused calls changed nothing, so the right call succeeds.
      expect((await sendJson(services, declared, example)).status).toBe(200)
    },
  )

  it('accepts a call with a field that is not declared', async () => {
    const declared = operations.get('GetLocationDetails') as AnyOperation
    const request = {
      callers: { address: '198.51.100.7', agent: 'test' },
      input: { location_code: 'ATL01', colour: 'red' },
    }
    expect((await sendJson(await open(), declared, request)).status).toBe(200)
  })
})

describe('Examples', () => {
  it.each(cases)('%s responds to its example alike over every transport', async (_, declared, { answers }) => {
    const shared = declared.writes ? null : await open()
    const fresh = async () => {
      const services = shared ?? (await open())
      return [services, declared, await prepareExample(services, declared)] as const
    }
    const inside = await inProcess(...(await fresh()))
    expect(await overJson(...(await fresh()))).toEqual(inside)
    if (operations.has(declared.name)) expect(await overXml(...(await fresh()))).toEqual(inside)
    if (!(inside instanceof Object && 'bytes' in inside))
      expect(answers.filter((path) => !hasField(inside, path))).toEqual([])

    expect(v.safeParse(declared.output, declared.example.output).issues).toBeUndefined()
    // Random values differ in another business, so an example with such values need only have the same fields.
    const other = await open(12)
    const elsewhere = await inProcess(other, declared, await prepareExample(other, declared))
    if (JSON.stringify(elsewhere) === JSON.stringify(inside)) {
      expect(missing(declared.example.output, inside)).toEqual([])
    } else {
      expect(shape(declared.example.output)).toEqual(shape(inside))
    }
  })

  it('take no longer for a larger business: none scans a growing table or the rows of all facilities', async () => {
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
    const statements = new Map<string, string>()
    let services = await open()
    for (const declared of everyOperation) {
      if (declared.writes) services = await open()
      const example = await prepareExample(services, declared)
      prepare.mockClear()
      await inProcess(services, declared, example)
      for (const [text] of prepare.mock.calls)
        if (/^(select|update|delete|with)\b/i.test(text)) statements.set(text, declared.name)
    }
    prepare.mockRestore()
    expect(statements.size).toBeGreaterThan(100)
    expect(await findSlowStatements(services, statements)).toEqual([])
  })

  it('of office pages of a tenant and a lease take no longer for a larger business either', async () => {
    const services = Object.assign(await open(), { allowsAnyFactor: true as const })
    const owner = await signedInStaff(services, 'owner', { name: 'Ona Reads' })
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
    const statements = new Map<string, string>()
    const file = '/office/tenants/ATL01/1001'
    const pages = [
      ...['q=Tilley', 'q=318', 'q=4045550101', 'q=marcus.tilley@example.com', 'q=RC202611', 'q=10001', 'q=624354'].map(
        (query) => `/office/find?${query}`,
      ),
      ...['', '/gate', '/link', '/flags', '/contact', '/receive'].map((act) => `${file}${act}`),
      ...['', '/waive', '/refund', '/charge', '/credit', '/move-out', '/transfer', '/rent', '/lien'].map(
        (act) => `${file}/leases/10001${act}`,
      ),
      '/office/me',
      '/office/liens',
    ]
    for (const path of pages) {
      prepare.mockClear()
      expect((await owner.get(path)).status, path).toBeLessThan(400)
      for (const [text] of prepare.mock.calls)
        if (/^(select|update|delete|with)\b/i.test(text)) statements.set(text, path)
    }
    prepare.mockRestore()
    expect(await findSlowStatements(services, statements)).toEqual([])
  })
})
