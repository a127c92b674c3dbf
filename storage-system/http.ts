/**
 * The two doors of the storage system and the site's resources, as HTTP. Thin: read the body within its bounds, find the
 * declaration, `perform` it, write the answer in the notation it was asked in.
 */
import { type Context, Hono } from 'hono'
import { type AnyOperation, operations, resources } from './catalogue.ts'
import { type Callers, type Grants, type House, type Outcome, perform, type Refusal, refuse } from './operation.ts'
import { readXml, writeXml, writeXmlError } from './xml-envelope.ts'

const maxBody = 256 * 1024
/** lease-pdf and move-ins carry a signature or a signed PDF in base64. */
const maxDocumentBody = 10 * 1024 * 1024
const carriesDocument = new Set([
  'lease-pdf',
  'ConvertReservationtoRentalAndSendLeaseAgreement',
  'ProcessACHMoveIn',
  'POST /api/notices/movein_completion',
])
const maxJsonDepth = 12

/** What a door needs of the server around it: who sent this request, and where to put what the call granted. */
export interface DoorKeeper {
  house: House
  callers(context: Context): Promise<Callers>
  grant(context: Context, grants: Grants): Promise<void>
}

const tooLarge = refuse(413, 'too_large', 'The request is too large.')
const unreadable = (message: string) => refuse(400, 'invalid_body', message)

async function readText(context: Context, limit: number): Promise<{ ok: true; text: string } | Refusal> {
  const declared = Number(context.req.header('content-length') ?? 0)
  if (declared > limit) return tooLarge
  const { raw } = context.req
  let bytes: Uint8Array
  if (declared > 0) {
    // A length within the limit was promised, and Node's parser reads no further: no need of a stream.
    bytes = new Uint8Array(await raw.arrayBuffer())
    if (bytes.byteLength > limit) return tooLarge
  } else {
    if (!raw.body) return { ok: true, text: '' }
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of raw.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > limit) return tooLarge
      chunks.push(chunk)
    }
    bytes = Buffer.concat(chunks)
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\u0000') ? unreadable('The body holds a NUL character.') : { ok: true, text }
  } catch {
    return unreadable('The body is not valid UTF-8.')
  }
}

/** True where brackets nest beyond the limit; a pass over the text, so that a bomb never reaches the parser. */
function nestsTooDeeply(json: string): boolean {
  let depth = 0
  let quoted = false
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (quoted) {
      if (code === 92) at += 1
      else if (code === 34) quoted = false
    } else if (code === 34) quoted = true
    else if (code === 123 || code === 91) {
      depth += 1
      if (depth > maxJsonDepth) return true
    } else if (code === 125 || code === 93) depth -= 1
  }
  return false
}

function readJson(text: string): { ok: true; value: Record<string, unknown> } | Refusal {
  if (text.trim() === '') return { ok: true, value: {} }
  if (nestsTooDeeply(text)) return unreadable('The body is nested too deeply.')
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? { ok: true, value: value as Record<string, unknown> }
      : unreadable('The body must be a JSON object.')
  } catch {
    return unreadable('The body is not valid JSON.')
  }
}

type Notation = 'json' | 'xml'

function answerRefusal(context: Context, refusal: Refusal, notation: Notation): Response {
  if (refusal.retryAfter !== undefined) context.header('Retry-After', String(Math.ceil(refusal.retryAfter)))
  if (refusal.status === 401) context.header('WWW-Authenticate', 'Bearer')
  context.header('Cache-Control', 'no-store')
  if (notation === 'xml') {
    context.header('Content-Type', 'application/xml; charset=utf-8')
    return context.body(writeXmlError(refusal), refusal.status)
  }
  const { code, message, fields } = refusal
  return context.json({ error: { code, message, ...(fields ? { fields } : {}) } }, refusal.status)
}

/** The root of an enveloped answer, and of every answer whose wrapper the specification names. */
const rootOf = (declared: AnyOperation): string => declared.wrapper ?? `${declared.name}Result`

async function answer(
  keeper: DoorKeeper,
  context: Context,
  declared: AnyOperation,
  outcome: Outcome<unknown>,
  notation: Notation,
  enveloped: boolean,
): Promise<Response> {
  if (!outcome.ok) return answerRefusal(context, outcome, notation)
  if (outcome.grants) await keeper.grant(context, outcome.grants)
  context.header('Cache-Control', 'no-store')
  if (outcome.value instanceof Uint8Array) {
    context.header('Content-Type', 'application/pdf')
    context.header('Content-Disposition', 'attachment; filename="lease.pdf"')
    return context.body(outcome.value as Uint8Array<ArrayBuffer>)
  }
  if (notation === 'xml') {
    context.header('Content-Type', 'application/xml; charset=utf-8')
    return context.body(writeXml(rootOf(declared), outcome.value))
  }
  return context.json(enveloped || declared.wrapper ? { [rootOf(declared)]: outcome.value } : outcome.value)
}

const unknownOperation = refuse(404, 'unknown_operation', 'There is no such operation.')

/** Routes of `/api`, to be mounted on the server's app. */
export function doors(keeper: DoorKeeper): Hono {
  const api = new Hono()

  api.post('/ssm', async (context) => {
    const xml = /\bxml\b/i.test(context.req.header('content-type') ?? '')
    const notation: Notation = xml ? 'xml' : 'json'
    const read = await readText(context, maxDocumentBody)
    if (!read.ok) return answerRefusal(context, read, notation)
    let service: string
    let body: unknown
    if (xml) {
      const envelope = readXml(read.text)
      if (!envelope.ok) return answerRefusal(context, unreadable(envelope.why), 'xml')
      service = envelope.service
      body = envelope.body
    } else {
      const envelope = readJson(read.text)
      if (!envelope.ok) return answerRefusal(context, envelope, 'json')
      service = typeof envelope.value.service === 'string' ? envelope.value.service : ''
      body = envelope.value.body ?? {}
    }
    const declared = operations.get(service)
    if (!declared) return answerRefusal(context, unknownOperation, notation)
    if (read.text.length > maxBody && !carriesDocument.has(service)) return answerRefusal(context, tooLarge, notation)
    const outcome = await perform(keeper.house, declared, body, await keeper.callers(context))
    return answer(keeper, context, declared, outcome, notation, true)
  })

  api.post('/ssm/:operation', async (context) => {
    const name = context.req.param('operation')
    const declared = operations.get(name)
    if (!declared) return answerRefusal(context, unknownOperation, 'json')
    const read = await readText(context, carriesDocument.has(name) ? maxDocumentBody : maxBody)
    if (!read.ok) return answerRefusal(context, read, 'json')
    const body = readJson(read.text)
    if (!body.ok) return answerRefusal(context, body, 'json')
    const outcome = await perform(keeper.house, declared, body.value, await keeper.callers(context))
    return answer(keeper, context, declared, outcome, 'json', false)
  })

  for (const declared of resources.values()) {
    const [method, template] = declared.name.split(' ') as [string, string]
    const path = template.replace('/api', '').replace(/\{(\w+)\}/g, ':$1')
    api.on(method, path, async (context) => {
      let body: Record<string, unknown> = {}
      if (method !== 'GET') {
        const read = await readText(context, carriesDocument.has(declared.name) ? maxDocumentBody : maxBody)
        if (!read.ok) return answerRefusal(context, read, 'json')
        const json = readJson(read.text)
        if (!json.ok) return answerRefusal(context, json, 'json')
        body = json.value
      }
      const input = { ...context.req.query(), ...body, ...context.req.param() }
      const outcome = await perform(keeper.house, declared, input, await keeper.callers(context))
      return answer(keeper, context, declared, outcome, 'json', false)
    })
  }

  api.all('*', (context) =>
    answerRefusal(context, refuse(404, 'not_found', 'There is nothing at this address.'), 'json'),
  )
  return api
}
