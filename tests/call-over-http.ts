import { expect } from 'vitest'
import { type AnyOperation, operations } from '../api/catalogue.ts'
import { apiRoutes } from '../api/routes.ts'
import { readXml, writeXml } from '../ports/xml.ts'
import type { Prepared } from './example-preparations.ts'
import { coerceXmlResponse, xmlResponseLimits } from './support/coerce-xml-response.ts'
import type { DemoServices } from './support/seeded-demo-operator.ts'

export type Bytes = { bytes: number[] }
/** Converts a file's content to an array of numbers, which test assertions can compare. */
export const bytesOf = (content: Uint8Array): Bytes => ({ bytes: [...content] })

const routesFor = (services: DemoServices, { callers }: Prepared) =>
  apiRoutes({ services, callers: async () => callers, grant: async () => {} })

async function read(answer: Response): Promise<{ type: string; text: string } | Bytes> {
  const type = answer.headers.get('content-type') ?? ''
  if (type.includes('pdf')) return bytesOf(new Uint8Array(await answer.arrayBuffer()))
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`)
  return { type, text }
}

/** Sends an operation's input to its route as JSON, or in the query of a GET. */
export async function sendJson(services: DemoServices, declared: AnyOperation, example: Prepared): Promise<Response> {
  const input = { ...example.input }
  const [method, template] = operations.has(declared.name)
    ? ['POST', `/ssm/${declared.name}`]
    : declared.name.replace('/api', '').split(' ')
  const path = (template ?? '').replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(input[name])
    delete input[name]
    return encodeURIComponent(value)
  })
  const routes = routesFor(services, example)
  if (method === 'GET') return routes.request(`${path}?${new URLSearchParams(input as Record<string, string>)}`)
  return routes.request(path, {
    method: method ?? '',
    body: JSON.stringify(input),
    headers: { 'Content-Type': 'application/json' },
  })
}

/** Sends an operation's input with `sendJson`. Returns the value of the response, or the bytes of a PDF. */
export async function overJson(services: DemoServices, declared: AnyOperation, example: Prepared): Promise<unknown> {
  const content = await read(await sendJson(services, declared, example))
  if ('bytes' in content) return content
  expect(content.type).toMatch(/^application\/json/)
  const value = JSON.parse(content.text)
  return declared.wrapper ? value[declared.wrapper] : value
}

export async function overXml(services: DemoServices, declared: AnyOperation, example: Required<Prepared>) {
  const answer = await routesFor(services, example).request('/ssm', {
    method: 'POST',
    body: writeXml(declared.name, example.input),
    headers: { 'Content-Type': 'application/xml' },
  })
  const content = await read(answer)
  if ('bytes' in content) return content
  expect(content.type).toMatch(/^application\/xml/)
  const envelope = readXml(content.text, xmlResponseLimits)
  if (!envelope.ok) throw new Error(envelope.why)
  expect(envelope.service).toBe(declared.wrapper ?? `${declared.name}Result`)
  return coerceXmlResponse(declared.output, envelope.body)
}
