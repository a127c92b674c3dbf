/**
 * The kept list of the wire (specified-fields.ts) against the declarations and the doors: nothing specified is missing,
 * nothing is taken and ignored, and what is compared is refused where it differs.
 */
import { describe, expect, it } from 'vitest'
import { type AnyOperation, operations, resources } from '../api/catalogue.ts'
import { fieldsOf } from '../api/openapi/json-schema.ts'
import { apiRoutes } from '../api/routes.ts'
import { type DemoHouse, demoHouses } from './demo-house.ts'
import { preparedExample } from './example-preparations.ts'
import { specified } from './specified-fields.ts'
import { throughJson, throughXml } from './through-doors.ts'

const open = demoHouses()
const all: AnyOperation[] = [...operations.values(), ...resources.values()]

/** Where an answer has not got a field: '' where it has. A list without entries has all of them. */
function lacks(answer: unknown, path: string): string {
  const steps = path.split('.')
  let reached: unknown[] = [answer]
  for (const step of steps) {
    const name = step.replace('[]', '')
    if (name !== '') {
      if (reached.some((one) => one === null || typeof one !== 'object' || !Object.hasOwn(one, name))) return path
      reached = reached.map((one) => (one as Record<string, unknown>)[name])
    }
    if (step.endsWith('[]')) {
      if (reached.some((one) => !Array.isArray(one) || one.length === 0)) return path
      reached = reached.flatMap((one) => one as unknown[])
    }
  }
  return ''
}

describe('Every field of the wire', () => {
  it('is on the list, and every field of the list is declared', () => {
    expect(Object.keys(specified).sort()).toEqual(all.map((one) => one.name).sort())
    for (const declared of all) {
      const { takes = {}, ours = {} } = specified[declared.name] ?? {}
      const listed = [...Object.keys(takes), ...Object.keys(ours)].sort()
      expect(
        fieldsOf(declared.input)
          .map((one) => one.name)
          .sort(),
        declared.name,
      ).toEqual(listed)
    }
  })

  for (const declared of all) {
    const { takes = {}, ours = {}, answers = [] } = specified[declared.name] ?? {}
    const compared = Object.entries({ ...takes, ...ours }).flatMap(([name, use]) =>
      typeof use === 'object' && 'refuses' in use ? [[name, use.refuses] as const] : [],
    )

    it(`${declared.name} answers every specified field at every door`, async () => {
      const ask = async (door: typeof throughJson) => {
        const services = await open()
        return door(services, declared, await preparedExample(services, declared))
      }
      const json = await ask(throughJson)
      if (!isBytes(json)) expect(answers.map((path) => lacks(json, path)).filter(Boolean)).toEqual([])
      if (!operations.has(declared.name)) return
      const xml = await ask(throughXml)
      if (!isBytes(xml)) expect(answers.map((path) => lacks(xml, path)).filter(Boolean)).toEqual([])
    })

    if (compared.length > 0) {
      it(`${declared.name} refuses what differs from what was agreed`, async () => {
        const services = await open()
        const { callers, input } = await preparedExample(services, declared)
        const taken: string[] = []
        for (const [name, other] of compared) {
          const answer = await post(services, declared, callers, { ...input, [name]: other })
          const { error } = (await answer.json()) as { error?: { fields?: Record<string, string> } }
          if (answer.status !== 409 || !error?.fields?.[name]) taken.push(`${name}: ${answer.status}`)
        }
        expect(taken).toEqual([])
        // Refused, all of it: nothing has been done yet, and the right call is taken.
        expect((await post(services, declared, callers, input)).status).toBe(200)
      })
    }
  }

  it('that nobody declared is dropped, and the call is taken', async () => {
    const services = await open()
    const declared = operations.get('GetLocationDetails') as AnyOperation
    const answer = await post(
      services,
      declared,
      { address: '198.51.100.7', agent: 'test' },
      { location_code: 'ATL01', colour: 'red' },
    )
    expect(answer.status).toBe(200)
  })
})

const isBytes = (answer: unknown) => answer !== null && typeof answer === 'object' && 'bytes' in answer

async function post(
  services: DemoHouse,
  declared: AnyOperation,
  callers: Awaited<ReturnType<typeof preparedExample>>['callers'],
  input: Record<string, unknown>,
): Promise<Response> {
  const body = { ...input }
  let [method = 'POST', path = `/api/ssm/${declared.name}`] = operations.has(declared.name)
    ? []
    : declared.name.split(' ')
  path = path.replace('/api', '').replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(body[name])
    delete body[name]
    return encodeURIComponent(value)
  })
  return apiRoutes({ services, callers: async () => callers, grant: async () => {} }).request(path, {
    method,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
}
