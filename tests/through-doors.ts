/** An operation asked by way of its real doors, as JSON and as XML. */
import { expect } from 'vitest'
import { type AnyOperation, operations } from '../api/catalogue.ts'
import { apiRoutes } from '../api/routes.ts'
import type { Callers } from '../platform/operations/callers.ts'
import { readXml, writeXml } from '../ports/xml.ts'
import type { DemoHouse } from './demo-house.ts'
import type { Prepared } from './example-preparations.ts'
import { answerLimits, shapedAnswer } from './support/xml.ts'

export type Bytes = { bytes: number[] }
export const bytesOf = (content: Uint8Array): Bytes => ({ bytes: [...content] })

const doorsOf = (services: DemoHouse, callers: Callers) =>
  apiRoutes({ services, callers: async () => callers, grant: async () => {} })

async function read(answer: Response): Promise<{ type: string; text: string } | Bytes> {
  const type = answer.headers.get('content-type') ?? ''
  if (type.includes('pdf')) return bytesOf(new Uint8Array(await answer.arrayBuffer()))
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`)
  return { type, text }
}

export async function throughJson(
  services: DemoHouse,
  declared: AnyOperation,
  asked: Required<Prepared>,
): Promise<unknown> {
  const input = { ...asked.input }
  const post = (body: object) => ({
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
  let answer: Response
  if (operations.has(declared.name)) {
    answer = await doorsOf(services, asked.callers).request(`/ssm/${declared.name}`, post(input))
  } else {
    const [method = '', template = ''] = declared.name.split(' ')
    const path = template.replace('/api', '').replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(input[name])
      delete input[name]
      return encodeURIComponent(value)
    })
    const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
    answer = await doorsOf(services, asked.callers).request(
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

export async function throughXml(
  services: DemoHouse,
  declared: AnyOperation,
  asked: Required<Prepared>,
): Promise<unknown> {
  const answer = await doorsOf(services, asked.callers).request('/ssm', {
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
