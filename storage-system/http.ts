/**
 * The two doors of the storage system and the site's resources, as HTTP. Thin: read the body within its bounds, find the
 * declaration, `perform` it, write the answer in the notation it was asked in.
 */
import { createHash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { DatabaseUnavailable } from '../database/open.ts'
import { messages } from '../domain/messages.ts'
import { readXml, writeXml } from '../domain/xml.ts'
import { type AnyOperation, operations, resources } from './catalogue.ts'
import { idempotencyKey } from './idempotency.ts'
import { openApi } from './open-api.ts'
import {
  type Callers,
  type Grants,
  type House,
  type Outcome,
  perform,
  provesAnything,
  type Refusal,
  refuse,
  unproven,
} from './operation.ts'
import { shaped, writeXmlError } from './xml-envelope.ts'

const maxBody = 256 * 1024
/** lease-pdf and move-ins carry a signature or a signed PDF in base64. */
const maxDocumentBody = 10 * 1024 * 1024
const carriesDocument = new Set([
  'lease-pdf',
  'ConvertReservationtoRentalAndSendLeaseAgreement',
  'ProcessACHMoveIn',
  'POST /api/notices/movein_completion',
  'POST /api/insurance/upload',
])
const maxJsonDepth = 12
/** A file of 10 MB and the fields around it. */
const maxFormBody = 10 * 1024 * 1024 + 64 * 1024

/** What a door needs of the server around it: who sent this request, and where to put what the call granted. */
export interface DoorKeeper {
  house: House
  callers(context: Context): Promise<Callers>
  grant(context: Context, grants: Grants): Promise<void>
}

const tooLarge = refuse(413, 'too_large', 'The request is too large.')
const outOfReach = refuse(503, 'unavailable', messages.recordsOutOfReach, { retryAfter: 2 })
const unreadable = (message: string) => refuse(400, 'invalid_body', message)

/**
 * How many bytes of a body are read: documents come from those alone who have proven to be somebody. Ten megabytes that
 * anybody may send take a sixth of a second to read and to parse.
 * @param most for whoever may call
 */
async function limitFor(keeper: DoorKeeper, context: Context, most: number): Promise<number | Refusal> {
  const length = context.req.header('content-length')
  if (Number(length ?? 0) > most) return tooLarge
  if (most <= maxBody || (length !== undefined && Number(length) <= maxBody)) return most
  if (provesAnything(await keeper.callers(context))) return most
  return length === undefined ? maxBody : unproven
}

/** The body's bytes; never more than `limit` of them are held. A sender that breaks off has sent nothing. */
async function readBytes(
  context: Context,
  limit: number,
): Promise<{ ok: true; bytes: Uint8Array<ArrayBuffer> } | Refusal> {
  const declared = Number(context.req.header('content-length') ?? 0)
  if (declared > limit) return tooLarge
  const { raw } = context.req
  try {
    if (declared > 0) {
      // A length within the limit was promised, and Node's parser reads no further: no need of a stream.
      const bytes = new Uint8Array(await raw.arrayBuffer())
      return bytes.byteLength > limit ? tooLarge : { ok: true, bytes }
    }
    if (!raw.body) return { ok: true, bytes: new Uint8Array() }
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of raw.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > limit) return tooLarge
      chunks.push(chunk)
    }
    return { ok: true, bytes: new Uint8Array(Buffer.concat(chunks)) }
  } catch {
    return unreadable('The body broke off.')
  }
}

async function readText(
  keeper: DoorKeeper,
  context: Context,
  most: number,
): Promise<{ ok: true; text: string } | Refusal> {
  const limit = await limitFor(keeper, context, most)
  if (typeof limit !== 'number') return limit
  const read = await readBytes(context, limit)
  if (!read.ok) return read
  const { bytes } = read
  if (bytes.byteLength === 0) return { ok: true, text: '' }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\u0000') ? unreadable('The body holds a NUL character.') : { ok: true, text }
  } catch {
    return unreadable('The body is not valid UTF-8.')
  }
}

/** Fields of a form that may also carry a file: repeated ones as a list, a file as its bytes. */
async function readForm(
  keeper: DoorKeeper,
  context: Context,
): Promise<{ ok: true; value: Record<string, unknown>; text: string } | Refusal> {
  const limit = await limitFor(keeper, context, maxFormBody)
  if (typeof limit !== 'number') return limit
  const read = await readBytes(context, limit)
  if (!read.ok) return read
  let form: FormData
  try {
    // Parsed here and not by the request itself, so that the limit holds before anything is taken apart.
    const headers = { 'content-type': context.req.header('content-type') ?? '' }
    form = await new Response(read.bytes, { headers }).formData()
  } catch {
    return unreadable('The body is not a valid form.')
  }
  const value: Record<string, unknown> = Object.create(null)
  for (const name of new Set(form.keys())) {
    if (name === '__proto__') continue
    const all = await Promise.all(
      form.getAll(name).map(async (one) => (typeof one === 'string' ? one : new Uint8Array(await one.arrayBuffer()))),
    )
    value[name] = all.length === 1 ? all[0] : all
  }
  // What tells one form from another for an idempotency key; the boundary differs from try to try.
  return { ok: true, value: { ...value }, text: formDigest(value) }
}

function formDigest(value: Record<string, unknown>): string {
  const digest = createHash('sha256')
  for (const name of Object.keys(value).sort())
    for (const one of [value[name]].flat())
      digest
        .update(`${name}\n`)
        .update(one as string | Uint8Array)
        .update('\n')
  return digest.digest('hex')
}

const isForm = (context: Context) => /^multipart\/form-data\b/i.test(context.req.header('content-type') ?? '')

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

/** What a call is written in, and so its answer: XML at the envelope alone. */
export const notationOf = ({ req }: Context): Notation =>
  /\/ssm\/?$/.test(req.path) && /\bxml\b/i.test(req.header('content-type') ?? '') ? 'xml' : 'json'

export function answerRefusal(context: Context, refusal: Refusal & { replayed?: true }, notation: Notation): Response {
  if (refusal.retryAfter !== undefined) context.header('Retry-After', String(Math.ceil(refusal.retryAfter)))
  if (refusal.replayed) context.header('Idempotency-Replayed', 'true')
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
  if (outcome.replayed) context.header('Idempotency-Replayed', 'true')
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

/**
 * The service that a large envelope names at its beginning or end; null where it does not. So that ten megabytes are
 * only ever parsed for an operation that takes a document.
 */
function serviceAtTheEdge(text: string, xml: boolean): string | null {
  const edges = [text.slice(0, 1000), text.slice(-1000)]
  if (xml) return /^\ufeff?\s*(?:<\?[^>]{0,200}\?>\s*)?<([\w.-]{1,80})/.exec(edges[0] as string)?.[1] ?? null
  for (const edge of edges) {
    const service = /"service"\s*:\s*"([\w-]{1,80})"/.exec(edge)?.[1]
    if (service) return service
  }
  return null
}

/** Runs what was asked for, as whoever asks, and answers. */
async function respond(
  keeper: DoorKeeper,
  context: Context,
  asked: { declared: AnyOperation; input: unknown; text: string; notation: Notation; enveloped: boolean },
): Promise<Response> {
  const { declared, notation } = asked
  const key = context.req.header('idempotency-key')
  if (key !== undefined && !idempotencyKey.test(key)) {
    const why = refuse(
      400,
      'invalid_idempotency_key',
      'An idempotency key has 8 to 200 printable characters, no spaces.',
    )
    return answerRefusal(context, why, notation)
  }
  try {
    const callers = await keeper.callers(context)
    const outcome = await perform(keeper.house, declared, asked.input, callers, key)
    return await answer(keeper, context, declared, outcome, notation, asked.enveloped)
  } catch (error) {
    // Case 21: whoever calls is told in the notation of the call; anything else is a fault, and the server's to answer.
    if (!(error instanceof DatabaseUnavailable)) throw error
    keeper.house.errors.report(error, { operation: declared.name })
    return answerRefusal(context, outOfReach, notation)
  }
}

/** Routes of `/api`, to be mounted on the server's app. */
export function doors(keeper: DoorKeeper): Hono {
  const api = new Hono()

  api.post('/ssm', async (context) => {
    const notation = notationOf(context)
    const xml = notation === 'xml'
    const read = await readText(keeper, context, maxDocumentBody)
    if (!read.ok) return answerRefusal(context, read, notation)
    if (read.text.length > maxBody && !carriesDocument.has(serviceAtTheEdge(read.text, xml) ?? '')) {
      return answerRefusal(context, tooLarge, notation)
    }
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
    const input = xml ? shaped(declared.input, body) : body
    return respond(keeper, context, { declared, input, text: read.text, notation, enveloped: true })
  })

  api.post('/ssm/:operation', async (context) => {
    const name = context.req.param('operation')
    const declared = operations.get(name)
    if (!declared) return answerRefusal(context, unknownOperation, 'json')
    const read = await readText(keeper, context, carriesDocument.has(name) ? maxDocumentBody : maxBody)
    if (!read.ok) return answerRefusal(context, read, 'json')
    const body = readJson(read.text)
    if (!body.ok) return answerRefusal(context, body, 'json')
    const { value: input } = body
    return respond(keeper, context, { declared, input, text: read.text, notation: 'json', enveloped: false })
  })

  /** By address, so that a wrong method is told the right ones. */
  const methodsOf = new Map<string, string[]>()
  for (const declared of resources.values()) {
    const [method, template] = declared.name.split(' ') as [string, string]
    const path = template.replace('/api', '').replace(/\{(\w+)\}/g, ':$1')
    for (const at of [path, `${path}/`]) methodsOf.set(at, [...(methodsOf.get(at) ?? []), method])
    // The specification writes one of them with a slash at its end (spec 2 §7: /api/auction_winners/?uuid=).
    api.on(method, [path, `${path}/`], async (context) => {
      let body: Record<string, unknown> = {}
      let text = ''
      if (declared.multipart && isForm(context)) {
        const form = await readForm(keeper, context)
        if (!form.ok) return answerRefusal(context, form, 'json')
        body = form.value
        text = form.text
      } else if (method !== 'GET') {
        const read = await readText(keeper, context, carriesDocument.has(declared.name) ? maxDocumentBody : maxBody)
        if (!read.ok) return answerRefusal(context, read, 'json')
        const json = readJson(read.text)
        if (!json.ok) return answerRefusal(context, json, 'json')
        body = json.value
        text = read.text
      }
      const input = { ...context.req.query(), ...body, ...context.req.param() }
      return respond(keeper, context, { declared, input, text, notation: 'json', enveloped: false })
    })
  }

  const only = (methods: readonly string[]) => (context: Context) => {
    context.header('Allow', methods.map((method) => (method === 'GET' ? 'GET, HEAD' : method)).join(', '))
    const why = refuse(405, 'method_not_allowed', 'This address does not take this method.')
    return answerRefusal(context, why, 'json')
  }
  for (const [path, methods] of methodsOf) api.all(path, only(methods))
  api.all('/ssm', only(['POST']))
  api.all('/ssm/:operation', (context, next) =>
    operations.has(context.req.param('operation')) ? only(['POST'])(context) : next(),
  )

  api.get('/openapi.json', (context) => {
    context.header('Cache-Control', 'public, max-age=300')
    return context.json(openApi(keeper.house.publicUrl))
  })

  api.all('/openapi.json', only(['GET']))

  // The description for people is a page of the site.
  api.all('*', (context, next) =>
    context.req.path === '/api' && context.req.method === 'GET'
      ? next()
      : answerRefusal(context, refuse(404, 'not_found', 'There is nothing at this address.'), 'json'),
  )
  return api
}
