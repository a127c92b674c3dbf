/**
 * Every example of the catalogue is run against the demo operator: in process, through the JSON door and, for operations,
 * through the XML door. The three answers are the same, keep to the declared output and show what the example shows.
 */
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { tablesInOrder } from '../database/copy.ts'
import { readXml, writeXml } from '../domain/xml.ts'
import { type AnyOperation, operations, resources } from '../storage-system/catalogue.ts'
import { doors } from '../storage-system/http.ts'
import { type Callers, perform, refusedAccess } from '../storage-system/operation.ts'
import { answerLimits, shapedAnswer } from '../storage-system/testing-xml.ts'
import { anonymous, type DemoHouse, demoHouses, inSession, sessionOf, signedInAs } from './demo-house.ts'
import { type Prepared, preparations } from './example-preparations.ts'

const open = demoHouses()

/** All but those that the operator fills by hand and that are read whole, once in a while or from what is kept. */
const tablesThatGrow = new Set<string>(
  tablesInOrder.filter((table) => !['settings', 'states', 'locations', 'content_version'].includes(table)),
)

/** Of these a facility has as many as it has ever had tenants; of the others, as many as its operator has entered. */
const tablesOfPeople =
  /^SEARCH (tenants|leases|lease_\w+|reservations|prospects|quotes|ledger_entries|payments|gate_codes|tenant_notes|move_outs|insurance_proofs|rental_drafts)\b/

interface NamedByInput {
  location_code?: string
  tenant_id?: number
  res_code?: string
  reservationCode?: string
  reservation_code?: string
}

/** A caller allowed to run the example: nobody in particular, the tenant, or the session that it names. */
async function prepared(house: DemoHouse, declared: AnyOperation): Promise<Required<Prepared>> {
  const { location_code = 'ATL01', tenant_id = 1001, ...input } = declared.example.input as NamedByInput
  const prepare = preparations[declared.name]
  if (prepare) {
    const { callers, input: change = {} } = await prepare(house)
    return { callers, input: { ...declared.example.input, ...change } }
  }
  const candidates: (() => Promise<Callers> | Callers)[] = [
    anonymous,
    () => signedInAs(house, location_code, tenant_id),
    () => sessionOf(house, input.res_code ?? input.reservationCode ?? input.reservation_code ?? 'K7M2XQ9TRD'),
    () => inSession(house, { locationCode: location_code, unitTypeId: 1, tenantId: tenant_id }),
  ]
  const parsed = v.parse(declared.input, declared.example.input)
  for (const candidate of candidates) {
    // A candidate that the demo does not have (a tenant without an account) is passed over.
    const callers = await Promise.resolve()
      .then(candidate)
      .catch(() => null)
    if (callers && refusedAccess(declared.access, callers, parsed) === null) {
      return { callers, input: declared.example.input }
    }
  }
  throw new Error(`Nobody may call ${declared.name} with its own example`)
}

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

type Bytes = { bytes: number[] }
const bytesOf = (content: Uint8Array): Bytes => ({ bytes: [...content] })

async function inProcess(house: DemoHouse, declared: AnyOperation, asked: Required<Prepared>): Promise<unknown> {
  const outcome = await perform(house, declared, asked.input, asked.callers)
  if (!outcome.ok) throw new Error(`${declared.name}: ${JSON.stringify(outcome)}`)
  expect(v.safeParse(declared.output, outcome.value).issues).toBeUndefined()
  return outcome.value instanceof Uint8Array ? bytesOf(outcome.value) : json(outcome.value)
}

const doorsOf = (house: DemoHouse, callers: Callers) =>
  doors({ house, callers: async () => callers, grant: async () => {} })

async function read(answer: Response): Promise<{ type: string; text: string } | Bytes> {
  const type = answer.headers.get('content-type') ?? ''
  if (type.includes('pdf')) return bytesOf(new Uint8Array(await answer.arrayBuffer()))
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`)
  return { type, text }
}

async function throughJson(house: DemoHouse, declared: AnyOperation, asked: Required<Prepared>): Promise<unknown> {
  const input = { ...asked.input }
  const post = (body: object) => ({
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
  let answer: Response
  if (operations.has(declared.name)) {
    answer = await doorsOf(house, asked.callers).request(`/ssm/${declared.name}`, post(input))
  } else {
    const [method = '', template = ''] = declared.name.split(' ')
    const path = template.replace('/api', '').replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(input[name])
      delete input[name]
      return encodeURIComponent(value)
    })
    const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
    answer = await doorsOf(house, asked.callers).request(
      path + query,
      method === 'GET' ? {} : { ...post(input), method },
    )
  }
  const content = await read(answer)
  if ('bytes' in content) return content
  expect(content.type).toMatch(/^application\/json/)
  const value = JSON.parse(content.text)
  return declared.wrapper ? value[declared.wrapper] : value
}

async function throughXml(house: DemoHouse, declared: AnyOperation, asked: Required<Prepared>): Promise<unknown> {
  const answer = await doorsOf(house, asked.callers).request('/ssm', {
    method: 'POST',
    body: writeXml(declared.name, asked.input),
    headers: { 'Content-Type': 'application/xml' },
  })
  const content = await read(answer)
  if ('bytes' in content) return content
  expect(content.type).toMatch(/^application\/xml/)
  const envelope = readXml(content.text, answerLimits)
  if (!envelope.ok) throw new Error(envelope.why)
  expect(envelope.service).toBe(declared.wrapper ?? `${declared.name}Result`)
  // Numbers, flags and lists of one are themselves again.
  return shapedAnswer(declared.output, envelope.body)
}

/** What the example has and the answer has not, as paths. A list must hold what the example lists, in any place. */
function missing(example: unknown, answer: unknown, path = ''): string[] {
  if (Array.isArray(example)) {
    if (!Array.isArray(answer)) return [`${path}: not a list`]
    return example.flatMap((one, at) => {
      if (answer.some((other) => missing(one, other).length === 0)) return []
      return [`${path}[${at}]: not in the list, which begins ${JSON.stringify(answer.slice(0, 2))}`]
    })
  }
  if (example !== null && typeof example === 'object') {
    if (answer === null || typeof answer !== 'object') return [`${path}: ${JSON.stringify(answer)}`]
    return Object.entries(example).flatMap(([name, one]) =>
      missing(one, (answer as Record<string, unknown>)[name], `${path}.${name}`),
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

/** The names of an answer's fields, whatever their values; of a list, its first entry's. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shape)
  if (value === null || typeof value !== 'object') return 'value'
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shape(one)]))
}

describe('Examples', () => {
  for (const declared of [...operations.values(), ...resources.values()]) {
    it(`${declared.name} answers its example alike at every door`, async () => {
      const shared = declared.writes ? null : await open()
      const fresh = async () => {
        const house = shared ?? (await open())
        return [house, declared, await prepared(house, declared)] as const
      }
      const inside = await inProcess(...(await fresh()))
      expect(await throughJson(...(await fresh()))).toEqual(inside)
      if (operations.has(declared.name)) {
        expect(await throughXml(...(await fresh()))).toEqual(inside)
      }

      expect(v.safeParse(declared.output, declared.example.output).issues).toBeUndefined()
      // What is drawn at random differs in another business; of that, the example can only show the form.
      const other = await open(12)
      const elsewhere = await inProcess(other, declared, await prepared(other, declared))
      if (JSON.stringify(elsewhere) === JSON.stringify(inside)) {
        expect(missing(declared.example.output, inside)).toEqual([])
      } else {
        expect(shape(declared.example.output)).toEqual(shape(inside))
      }
    })
  }

  it('take no longer where the business is larger: none goes through a table that grows, nor through every facility’s rows', async () => {
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
    const statements = new Map<string, string>()
    let house = await open()
    for (const declared of [...operations.values(), ...resources.values()]) {
      if (declared.writes) house = await open()
      const asked = await prepared(house, declared)
      prepare.mockClear()
      await inProcess(house, declared, asked)
      for (const [text] of prepare.mock.calls)
        if (/^(select|update|delete|with)\b/i.test(text)) statements.set(text, declared.name)
    }
    prepare.mockRestore()
    expect(statements.size).toBeGreaterThan(100)
    const slow: string[] = []
    for (const [text, name] of statements) {
      const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(text)}`.execute(house.db.read)
      for (const { detail } of rows) {
        const table = /^SCAN (\w+)/.exec(detail)?.[1]
        const scans = table !== undefined && tablesThatGrow.has(table)
        // Of one facility's rows by an index that begins with a state or an instant: it holds those of all of them.
        const goesThroughAll =
          text.includes('"location_code" = ?') && /\((status|state|\w+_at|\w+_until)[=<>]/.test(detail)
        // One tenant's or one lease's, looked for among all of the facility.
        const goesThroughFacility = tablesOfPeople.test(detail) && detail.endsWith('(location_code=?)')
        if (scans || goesThroughAll || goesThroughFacility) slow.push(`${name}: ${detail}: ${text}`)
      }
    }
    expect(slow).toEqual([])
  })
})
