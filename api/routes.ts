/**
 * The HTTP API: reads the body within limits, finds the operation, performs it, and responds in the request's notation,
 * JSON or XML.
 */

import { type Context, Hono } from 'hono'
import { recordsOutOfReach } from '../domain/texts/general-errors.ts'
import { isRecord } from '../domain/typed-keys.ts'
import { currentRequest } from '../platform/current-request.ts'
import { DatabaseUnavailable } from '../platform/database/open.ts'
import type { Callers, SessionChanges } from '../platform/operations/callers.ts'
import { idempotencyKey } from '../platform/operations/idempotency.ts'
import { checkBeforeBody, isAuthenticated, perform, unauthenticated } from '../platform/operations/operation.ts'
import { type AnswerVersion, type Outcome, type Refusal, refuse } from '../platform/operations/outcome.ts'
import type { Services } from '../platform/operations/services.ts'
import { readXml, writeXml } from '../ports/xml.ts'
import { type AnyOperation, operations, resources } from './catalogue.ts'
import { formatUnknownFieldsHeader, unknownFields, unknownFieldsHeader } from './ignored-unknown-fields.ts'
import { openApi } from './openapi/document.ts'
import {
  type BodyFault,
  bodyLimits,
  isMultipart,
  type MultipartForm,
  readBytes,
  readMultipart,
} from './request-body.ts'
import { coerceXmlInput, writeXmlError } from './xml-input-and-errors.ts'
import { rootOf } from './xml-response-root-name.ts'

/** Operations whose input may contain a file in base64: a signed lease, a drawn signature or an insurance proof. */
const operationsWithDocument = new Set([
  'lease-pdf',
  'ConvertReservationtoRentalAndSendLeaseAgreement',
  'ProcessACHMoveIn',
  'POST /api/notices/movein_completion',
  'POST /api/insurance/upload',
])
/** Operation whose body contains up to 500 events of a gate, and the codes that the gate cannot store. */
const gateEventsOperation = 'POST /api/gate/{facility}/events'
const maxJsonDepth = 12

/** Dependencies of the API: services, the callers of a request, and a function that writes session changes. */
export interface ApiOptions {
  services: Services
  callers(context: Context): Promise<Callers>
  grant(context: Context, grants: SessionChanges): Promise<void>
}

type Read<T> = ({ ok: true } & T) | Refusal
type ReadFields = Read<{ value: Record<string, unknown> }>

const tooLarge = refuse(413, 'too_large', 'The request is too large.')
const databaseUnavailable = refuse(503, 'unavailable', recordsOutOfReach, { retryAfter: 2 })
const unreadable = (message: string) => refuse(400, 'invalid_body', message)

const faults: Record<BodyFault, Refusal> = {
  too_large: tooLarge,
  too_many_fields: unreadable('The form has too many fields.'),
  broken: unreadable('The body broke off.'),
}

/**
 * Returns the maximum number of bytes to read of a request's body, or a refusal: only authenticated callers may send
 * more than `bodyLimits.form`, such as documents and lists of gate events.
 */
async function limitFor(options: ApiOptions, context: Context, maxBytes: number): Promise<number | Refusal> {
  const length = context.req.header('content-length')
  if (Number(length ?? 0) > maxBytes) return tooLarge
  if (maxBytes <= bodyLimits.form || (length !== undefined && Number(length) <= bodyLimits.form)) return maxBytes
  if (isAuthenticated(await options.callers(context))) return maxBytes
  return length === undefined ? bodyLimits.form : unauthenticated
}

async function readText(
  options: ApiOptions,
  context: Context,
  maxBytes: number,
): Promise<Read<{ text: string; byteLength: number }>> {
  const limit = await limitFor(options, context, maxBytes)
  if (typeof limit !== 'number') return limit
  const read = await readBytes(context.req.raw, limit)
  if (!read.ok) return faults[read.fault]
  const { bytes } = read
  const { byteLength } = bytes
  if (byteLength === 0) return { ok: true, text: '', byteLength }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\u0000') ? unreadable('The body holds a NUL character.') : { ok: true, text, byteLength }
  } catch {
    return unreadable('The body is not valid UTF-8.')
  }
}

async function readForm(options: ApiOptions, context: Context, declared: AnyOperation): Promise<ReadFields> {
  const refused = await checkBeforeBody(options.services, declared, await options.callers(context))
  if (refused) return refused
  const read = await readMultipart(context.req.raw)
  if (!read.ok) return read.fault === 'broken' ? unreadable('The body is not a valid form.') : faults[read.fault]
  return { ok: true, value: formValues(read.form) }
}

function formValues({ fields, files: [file] }: MultipartForm): Record<string, unknown> {
  const values = new Map<string, unknown>()
  for (const [name, value] of fields) {
    if (name === '__proto__') continue
    const existing = values.get(name)
    if (existing === undefined) values.set(name, value)
    else if (Array.isArray(existing)) existing.push(value)
    else values.set(name, [existing, value])
  }
  if (file && file.name !== '__proto__') values.set(file.name, file.bytes)
  return Object.fromEntries(values)
}

/**
 * Checks nesting and number of values before `JSON.parse`, so that huge structures are never built.
 * @returns the problem, as a message to the caller; null if there is none
 */
function findJsonExcess(json: string, maxValues: number = bodyLimits.values): string | null {
  let depth = 0
  let values = 1
  for (const [sign] of json.matchAll(/"(?:[^"\\]+|\\.)*"?|[[\]{},]/gs)) {
    if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') depth -= 1
    else if (sign === ',') values += 1
    if (depth > maxJsonDepth) return 'The body is nested too deeply.'
    if (values > maxValues) return 'The body has too many values.'
  }
  return null
}

function readJson(text: string, maxValues?: number): ReadFields {
  if (text.trim() === '') return { ok: true, value: {} }
  const excess = findJsonExcess(text, maxValues)
  if (excess) return unreadable(excess)
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? { ok: true, value } : unreadable('The body must be a JSON object.')
  } catch {
    return unreadable('The body is not valid JSON.')
  }
}

type Notation = 'json' | 'xml'

/** Returns the notation of a request and its response: XML only at `/api/ssm`. */
export const notationOf = ({ req }: Context): Notation =>
  /\/ssm\/?$/.test(req.path) && /\bxml\b/i.test(req.header('content-type') ?? '') ? 'xml' : 'json'

/** Answers a request with a refusal, in the request's notation. */
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

interface ApiCall {
  declared: AnyOperation
  input: unknown
  notation: Notation
  enveloped: boolean
}

/**
 * Builds the response for a versioned or textual result: 304 if the caller already has the version, else the text with
 * the operation's text type.
 * @returns null if there is no such text, so that the value is to be written as JSON; a version's ETag is set nevertheless
 */
function versionOrText(
  context: Context,
  { textType }: AnyOperation,
  { value, version }: { value: unknown; version?: AnswerVersion },
): Response | null {
  if (version) context.header('ETag', `"${version.etag}"`)
  if (version?.isCurrent) return context.body(null, 304)
  if (typeof value !== 'string' || !textType) return null
  context.header('Content-Type', `${textType}; charset=utf-8`)
  return context.body(value)
}

async function answer(
  options: ApiOptions,
  context: Context,
  { declared, input, notation, enveloped }: ApiCall,
  outcome: Outcome<unknown>,
): Promise<Response> {
  if (!outcome.ok) return answerRefusal(context, outcome, notation)
  const unknown = declared.writes && notation === 'json' ? unknownFields(declared.input, input) : []
  if (outcome.replayed) context.header('Idempotency-Replayed', 'true')
  if (outcome.grants) await options.grant(context, outcome.grants)
  context.header('Cache-Control', 'no-store')
  if (outcome.value instanceof Uint8Array) {
    context.header('Content-Type', 'application/pdf')
    context.header('Content-Disposition', 'attachment; filename="lease.pdf"')
    if (unknown.length > 0) context.header(unknownFieldsHeader, formatUnknownFieldsHeader(unknown))
    return context.body(outcome.value as Uint8Array<ArrayBuffer>)
  }
  const versionOrTextResponse = outcome.version || declared.textType ? versionOrText(context, declared, outcome) : null
  if (versionOrTextResponse) return versionOrTextResponse
  if (notation === 'xml') {
    context.header('Content-Type', 'application/xml; charset=utf-8')
    return context.body(writeXml(rootOf(declared), outcome.value))
  }
  const value = enveloped || declared.wrapper ? { [rootOf(declared)]: outcome.value } : outcome.value
  return context.json(unknown.length > 0 ? { ...(value as object), unknown_fields: unknown } : value)
}

const unknownOperation = refuse(404, 'unknown_operation', 'There is no such operation.')

/**
 * Finds the service name at the beginning of an XML envelope, or at the beginning or end of a JSON one, without parsing
 * it, so that a large body is parsed only for operations with a document. Returns null if no name is found.
 */
function serviceAtTheEdge(text: string, xml: boolean): string | null {
  const start = text.slice(0, 1000)
  if (xml) return /^\ufeff?\s*(?:<\?[^>]{0,200}\?>\s*)?<([\w.-]{1,80})/.exec(start)?.[1] ?? null
  for (const edge of [start, text.slice(-1000)]) {
    const service = /"service"\s*:\s*"([\w-]{1,80})"/.exec(edge)?.[1]
    if (service) return service
  }
  return null
}

async function respond(options: ApiOptions, context: Context, call: ApiCall): Promise<Response> {
  const { declared, notation } = call
  const key = context.req.header('idempotency-key')
  if (key !== undefined && !idempotencyKey.test(key)) {
    const why = refuse(
      400,
      'invalid_idempotency_key',
      'An idempotency key has 8 to 200 printable characters, no spaces.',
    )
    return answerRefusal(context, why, notation)
  }
  const request = currentRequest()
  if (request) request.operation = declared.name
  try {
    const callers = await options.callers(context)
    const outcome = await perform(options.services, declared, call.input, callers, key)
    return await answer(options, context, call, outcome)
  } catch (error) {
    // An unavailable database is reported in the request's notation.
    if (!(error instanceof DatabaseUnavailable)) throw error
    options.services.errors.report(error, { operation: declared.name })
    return answerRefusal(context, databaseUnavailable, notation)
  }
}

/** Creates the routes of the API, to be mounted at `/api`. */
export function apiRoutes(options: ApiOptions): Hono {
  const api = new Hono()
  envelopeRoute(api, options)
  operationRoute(api, options)
  resourceRoutes(api, options)
  api.all('/ssm', allowOnly(['POST']))
  api.all('/ssm/:operation', (context, next) =>
    operations.has(context.req.param('operation')) ? allowOnly(['POST'])(context) : next(),
  )
  api.get('/openapi.json', (context) => {
    context.header('Cache-Control', 'public, max-age=300')
    return context.json(openApi(options.services.publicUrl))
  })
  api.all('/openapi.json', allowOnly(['GET']))
  // The API description at /api is a page of the site.
  api.all('*', (context, next) =>
    context.req.path === '/api' && ['GET', 'HEAD'].includes(context.req.method)
      ? next()
      : answerRefusal(context, refuse(404, 'not_found', 'There is nothing at this address.'), 'json'),
  )
  return api
}

const allowOnly = (methods: readonly string[]) => (context: Context) => {
  context.header('Allow', methods.map((method) => (method === 'GET' ? 'GET, HEAD' : method)).join(', '))
  const why = refuse(405, 'method_not_allowed', 'This address does not take this method.')
  return answerRefusal(context, why, 'json')
}

const bodyLimitOf = (name: string) => {
  if (name === gateEventsOperation) return bodyLimits.gateEvents
  return operationsWithDocument.has(name) ? bodyLimits.document : bodyLimits.form
}

function readEnvelope(text: string, notation: Notation): Read<{ service: string; body: unknown }> {
  if (notation === 'xml') {
    const envelope = readXml(text)
    return envelope.ok ? envelope : unreadable(envelope.why)
  }
  const envelope = readJson(text)
  if (!envelope.ok) return envelope
  const { service, body } = envelope.value
  return { ok: true, service: typeof service === 'string' ? service : '', body: body ?? {} }
}

/** Mounts `POST /api/ssm`, which takes every operation by its service name, in XML or JSON. */
function envelopeRoute(api: Hono, options: ApiOptions): void {
  api.post('/ssm', async (context) => {
    const notation = notationOf(context)
    const read = await readText(options, context, bodyLimits.document)
    if (!read.ok) return answerRefusal(context, read, notation)
    const { text, byteLength } = read
    const isTooLargeFor = (service: string | null) => byteLength > bodyLimitOf(service ?? '')
    if (isTooLargeFor(serviceAtTheEdge(text, notation === 'xml'))) return answerRefusal(context, tooLarge, notation)
    const envelope = readEnvelope(text, notation)
    if (!envelope.ok) return answerRefusal(context, envelope, notation)
    const { service, body } = envelope
    const declared = operations.get(service)
    if (!declared) return answerRefusal(context, unknownOperation, notation)
    if (isTooLargeFor(service)) return answerRefusal(context, tooLarge, notation)
    const input = notation === 'xml' ? coerceXmlInput(declared.input, body) : body
    return respond(options, context, { declared, input, notation, enveloped: true })
  })
}

function operationRoute(api: Hono, options: ApiOptions): void {
  api.post('/ssm/:operation', async (context) => {
    const declared = operations.get(context.req.param('operation'))
    if (!declared) return answerRefusal(context, unknownOperation, 'json')
    const body = await readJsonBody(options, context, declared)
    if (!body.ok) return answerRefusal(context, body, 'json')
    return respond(options, context, { declared, input: body.value, notation: 'json', enveloped: false })
  })
}

async function readJsonBody(options: ApiOptions, context: Context, declared: AnyOperation): Promise<ReadFields> {
  const read = await readText(options, context, bodyLimitOf(declared.name))
  return read.ok
    ? readJson(read.text, declared.name === gateEventsOperation ? bodyLimits.gateEventValues : undefined)
    : read
}

async function readFields(options: ApiOptions, context: Context, declared: AnyOperation): Promise<ReadFields> {
  if (declared.multipart && isMultipart(context.req.header('content-type'))) return readForm(options, context, declared)
  if (declared.name.startsWith('GET ')) return { ok: true, value: {} }
  return readJsonBody(options, context, declared)
}

function resourceRoutes(api: Hono, options: ApiOptions): void {
  const methodsOf = new Map<string, string[]>()
  for (const declared of resources.values()) {
    const [method = '', template = ''] = declared.name.split(' ')
    const path = template.replace('/api', '').replace(/\{(\w+)\}/g, ':$1')
    // The specification has an address with a trailing slash (spec 2 §7: /api/auction_winners/?uuid=).
    const paths = [path, `${path}/`]
    for (const mountedPath of paths) methodsOf.set(mountedPath, [...(methodsOf.get(mountedPath) ?? []), method])
    api.on(method, paths, async (context) => {
      const fields = await readFields(options, context, declared)
      if (!fields.ok) return answerRefusal(context, fields, 'json')
      const input: Record<string, unknown> = { ...context.req.query(), ...fields.value, ...context.req.param() }
      if (declared.conditional) input.if_none_match = context.req.header('if-none-match') ?? ''
      return respond(options, context, { declared, input, notation: 'json', enveloped: false })
    })
  }
  // Requests with any other method are answered with the list of allowed methods.
  for (const [path, methods] of methodsOf) api.all(path, allowOnly(methods))
}
