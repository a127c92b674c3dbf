/**
 * The catalogue described for those who call it: an OpenAPI 3.1 document, the fields and callers that the API page shows,
 * and the access table. All of it is read off the declarations, so nothing can be called that is not described.
 */
import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { recordsOutOfReach, tooManyTries } from '../domain/texts/site.ts'
import { writeXml } from '../ports/xml.ts'
import { type AnyOperation, operations, resources } from './catalogue.ts'
import type { CallerKind } from './operation.ts'

// ── Who may call ──────────────────────────────────────────────────────────────────────────────────────────────────────

export const callerKinds: readonly CallerKind[] = ['rental', 'tenant', 'guest', 'registrant', 'auction', 'settlement']

/** 'own': where the input names the caller's own record. */
export type AccessRow = 'anyone' | Partial<Record<CallerKind, 'own' | 'any'>>

/** Callers who own nothing: what is allowed to them is allowed for any record. */
const ofNothing: Record<CallerKind, unknown> = {
  rental: {
    draftId: '',
    proof: 'own',
    resumedId: null,
    locationCode: '',
    tenantId: null,
    reservationCode: null,
    existingTenant: false,
  },
  tenant: { accountId: '', tenants: [] },
  guest: { tenants: [], signIn: '' },
  registrant: { locationCode: '', tenantId: 0 },
  auction: { uuid: '' },
  settlement: { uuid: '' },
}

export function accessOf({ access, input, example }: AnyOperation): AccessRow {
  if (access === 'anyone') return 'anyone'
  const parsed = v.safeParse(input, example.input)
  const row: Partial<Record<CallerKind, 'own' | 'any'>> = {}
  for (const kind of callerKinds) {
    const test = access[kind] as ((caller: unknown, of: unknown) => boolean) | undefined
    if (test) row[kind] = test(ofNothing[kind], parsed.output) ? 'any' : 'own'
  }
  return row
}

/** What `docs/access.md` holds. */
export function accessTable(): string {
  const heads = ['rental session', 'tenant', 'guest', 'found details', 'auction link', 'settlement link']
  const lines = [...operations.values(), ...resources.values()].map((declared) => {
    const access = accessOf(declared)
    const cells =
      access === 'anyone'
        ? ['anyone', ...Array(callerKinds.length).fill('any')]
        : ['', ...callerKinds.map((kind) => access[kind] ?? '')]
    return `| \`${declared.name}\` | ${cells.join(' | ')} |`
  })
  return `# Who may call what

Made from the catalogue by \`npm run access-table\`; a test fails where it is out of date. **own**: where the call names the
caller's own record. **any**: whatever record it names. Empty: refused, with the same answer whether or not the record
exists. Whoever has proven nothing may call what *anyone* may.

| operation or resource | anyone | ${heads.join(' | ')} |
|---|---|${heads.map(() => '---|').join('')}
${lines.join('\n')}
`
}

// ── Fields ────────────────────────────────────────────────────────────────────────────────────────────────────────────

interface Described {
  type: string
  entries?: Record<string, Described>
  pipe?: (Described & { message?: unknown })[]
  wrapped?: Described
  options?: (Described | string)[]
  default?: unknown
}

/** What a field must be, in the words that its refusal uses: 'is required', 'must be a date: mm/dd/yyyy'. */
function rulesOf(schema: Described): string[] {
  const own = (schema.pipe ?? []).flatMap((step, at) => [
    ...(at > 0 && typeof step.message === 'string' ? [step.message] : []),
    ...(step.pipe || step.wrapped ? rulesOf(step) : []),
  ])
  return [...new Set([...own, ...(schema.wrapped ? rulesOf(schema.wrapped) : [])])]
}

export interface FieldDescription {
  name: string
  required: boolean
  rules: string[]
}

/** The fields of an operation's input. */
export function fieldsOf(schema: unknown): FieldDescription[] {
  const described = schema as Described
  const entries = described.entries ?? described.wrapped?.entries
  if (entries) {
    return Object.entries(entries).map(([name, one]) => ({
      name,
      required: !/^(optional|nullish|exact_optional)$/.test(one.type),
      rules: rulesOf(one),
    }))
  }
  const inner = [...(described.pipe ?? []), ...(described.options ?? [])].filter(
    (one): one is Described => typeof one === 'object' && one !== described,
  )
  const all = inner.flatMap(fieldsOf)
  return all.filter((one, at) => all.findIndex((other) => other.name === one.name) === at)
}

// ── OpenAPI ───────────────────────────────────────────────────────────────────────────────────────────────────────────

type Json = Record<string, unknown>

function jsonSchema(schema: unknown, typeMode: 'input' | 'output'): Json {
  const { $schema, ...made } = toJsonSchema(schema as v.GenericSchema, {
    target: 'draft-2020-12',
    typeMode,
    errorMode: 'ignore',
    overrideSchema({ valibotSchema, jsonSchema: converted }) {
      const described = valibotSchema as unknown as Described
      // Text, a number or a flag: the doors take any of the three for any single value.
      if (described.type === 'union' && described.options?.length === 3 && converted.anyOf) {
        const types = converted.anyOf.map((one) => (one as JsonSchema).type)
        if (types.join() === 'string,number,boolean') return { type: types } as unknown as JsonSchema
      }
      // A file comes as its bytes with a form only; in JSON it is text.
      if (described.type === 'union' && described.options?.some((one) => typeof one === 'object' && isBytes(one))) {
        const others = (converted.anyOf ?? []).filter((_, at) => !isBytes(described.options?.[at] as Described))
        if (others.length === 1) return others[0] as JsonSchema
      }
      const rules = described.pipe ? rulesOf(described) : []
      return rules.length > 0 && !converted.description ? { ...converted, description: rules.join('; ') } : null
    },
  }) as Json
  return made
}

const isBytes = (schema: Described) => schema.type === 'instance'

/** The answer's schema without files, and whether it may be a file. */
function outputOf(declared: AnyOperation): { schema: Json | null; file: boolean } {
  const output = declared.output as unknown as Described
  if (isBytes(output)) return { schema: null, file: true }
  const options = (output.type === 'union' ? (output.options ?? []) : []) as Described[]
  const [first] = options.filter((one) => !isBytes(one))
  const file = options.some(isBytes)
  return { schema: jsonSchema(file && first ? first : output, 'input'), file }
}

const reference = (to: string) => ({ $ref: `#/components/${to}` })

function securityOf(access: AccessRow): Json[] {
  if (access === 'anyone') return [{}]
  const ways: Json[] = []
  if (access.tenant || access.guest) ways.push({ bearer: [] })
  if (access.rental || access.tenant || access.guest || access.auction || access.settlement) ways.push({ session: [] })
  return ways
}

const plural: Record<CallerKind, string> = {
  rental: 'a rental session',
  tenant: 'a signed-in tenant',
  guest: 'a guest payer',
  registrant: 'somebody whose details were found',
  auction: 'an auction winner’s link',
  settlement: 'a settlement link',
}

/** 'A signed-in tenant (own records); an auction winner’s link.' */
export function accessInWords(access: AccessRow): string {
  if (access === 'anyone') return 'Anyone.'
  const words = callerKinds.flatMap((kind) =>
    access[kind] ? [`${plural[kind]}${access[kind] === 'own' ? ' (own records)' : ''}`] : [],
  )
  const sentence = words.join('; ')
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}

/** What stands around an operation's answer in `POST /api/ssm/{operation}`. */
const wrapped = (declared: AnyOperation, schema: Json): Json =>
  declared.wrapper
    ? { type: 'object', properties: { [declared.wrapper]: schema }, required: [declared.wrapper] }
    : schema

/** An example as it travels: what JSON cannot hold is left out. */
const plain = (value: unknown): unknown => (value instanceof Uint8Array ? undefined : JSON.parse(JSON.stringify(value)))

function answersOf(declared: AnyOperation): Json {
  const { schema, file } = outputOf(declared)
  const example = plain(declared.example.output)
  const shown = declared.wrapper ? { [declared.wrapper]: example } : example
  const content: Json = {}
  if (schema)
    content['application/json'] = {
      schema: wrapped(declared, schema),
      ...(example === undefined ? {} : { example: shown }),
    }
  if (file) content['application/pdf'] = { schema: { type: 'string', contentMediaType: 'application/pdf' } }
  const access = accessOf(declared)
  return {
    200: { description: 'Done, or refused by a rule of the business: see the answer’s own fields.', content },
    400: reference('responses/InvalidInput'),
    ...(access === 'anyone' ? {} : { 401: reference('responses/Unauthorized'), 403: reference('responses/Forbidden') }),
    ...(declared.writes ? { 409: reference('responses/Conflict') } : {}),
    413: reference('responses/TooLarge'),
    429: reference('responses/TooMany'),
    503: reference('responses/Unavailable'),
  }
}

/** An operation's example as an XML request. */
export const requestXml = ({ name, example }: AnyOperation): string => writeXml(name, example.input)

const operationId = (name: string) =>
  name
    .replace(/\/api\//, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/_$/, '')

function operationObject(declared: AnyOperation, more: Json): Json {
  return {
    operationId: operationId(declared.name),
    summary: declared.summary,
    description: `Who may call: ${accessInWords(accessOf(declared))}${
      declared.limit
        ? ` At most ${declared.limit.points} calls in ${declared.limit.perSeconds} seconds from one address.`
        : ''
    }`,
    security: securityOf(accessOf(declared)),
    ...more,
    responses: answersOf(declared),
  }
}

function operationPath(declared: AnyOperation): Json {
  return {
    post: operationObject(declared, {
      tags: ['storage system'],
      ...(declared.writes ? { parameters: [reference('parameters/IdempotencyKey')] } : {}),
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: jsonSchema(declared.input, 'input'), example: plain(declared.example.input) },
        },
      },
    }),
  }
}

function resourceMethod(declared: AnyOperation, method: string, template: string): Json {
  const schema = jsonSchema(declared.input, 'input') as { properties?: Record<string, Json>; required?: string[] }
  const inPath = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const names = Object.keys(schema.properties ?? {})
  const example = declared.example.input
  const parameter = (name: string, where: 'path' | 'query') => ({
    name,
    in: where,
    required: where === 'path' || (schema.required ?? []).includes(name),
    schema: schema.properties?.[name] ?? { type: 'string' },
    ...(example[name] === undefined ? {} : { example: example[name] }),
  })
  const inQuery = method === 'GET' ? names.filter((name) => !inPath.includes(name)) : []
  const parameters = [
    ...inPath.map((name) => parameter(name, 'path')),
    ...inQuery.map((name) => parameter(name, 'query')),
    ...(declared.writes && method !== 'GET' ? [reference('parameters/IdempotencyKey')] : []),
  ]
  const without = <T>(fields: Record<string, T>) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !inPath.includes(name)))
  const body = {
    ...schema,
    ...(schema.properties ? { properties: without(schema.properties) } : {}),
    ...(schema.required ? { required: schema.required.filter((name) => !inPath.includes(name)) } : {}),
  }
  return operationObject(declared, {
    tags: ['site'],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(method === 'GET'
      ? {}
      : { requestBody: { content: { 'application/json': { schema: body, example: plain(without(example)) } } } }),
  })
}

/** `POST /api/ssm`: every operation under its service name, in either notation. */
function envelopePath(): Json {
  const all = [...operations.values()]
  const examples = (shown: (declared: AnyOperation) => unknown) =>
    Object.fromEntries(
      all.map((declared) => [operationId(declared.name), { summary: declared.summary, value: shown(declared) }]),
    )
  const root = (declared: AnyOperation) => declared.wrapper ?? `${declared.name}Result`
  const answered = all.filter(({ example }) => !(example.output instanceof Uint8Array))
  const answers = (shown: (declared: AnyOperation) => unknown) =>
    Object.fromEntries(answered.map((declared) => [operationId(declared.name), { value: shown(declared) }]))
  return {
    post: {
      operationId: 'ssm',
      tags: ['storage system'],
      summary: 'Any operation by its service name, as XML or JSON; the answer comes in the same notation.',
      description:
        'In XML the service is the root element, its fields are child elements and a repeated element is a list. Fields, callers and limits are those of the operation itself.',
      security: [{}, { bearer: [] }, { session: [] }],
      parameters: [reference('parameters/IdempotencyKey')],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['service'],
              properties: { service: { type: 'string', enum: [...operations.keys()] }, body: { type: 'object' } },
            },
            examples: examples((declared) => ({ service: declared.name, body: plain(declared.example.input) })),
          },
          'application/xml': {
            schema: { type: 'string' },
            examples: examples(requestXml),
          },
        },
      },
      responses: {
        200: {
          description: 'The answer under its root: the specified wrapper, else the service’s name and "Result".',
          content: {
            'application/json': {
              schema: { type: 'object' },
              examples: answers((declared) => ({ [root(declared)]: plain(declared.example.output) })),
            },
            'application/xml': {
              schema: { type: 'string' },
              examples: answers((declared) => writeXml(root(declared), plain(declared.example.output))),
            },
          },
        },
        400: reference('responses/InvalidInput'),
        401: reference('responses/Unauthorized'),
        403: reference('responses/Forbidden'),
        404: reference('responses/Unknown'),
        409: reference('responses/Conflict'),
        413: reference('responses/TooLarge'),
        429: reference('responses/TooMany'),
        503: reference('responses/Unavailable'),
      },
    },
  }
}

const errorExample = (code: string, message: string, fields?: Record<string, string>) => ({
  error: { code, message, ...(fields ? { fields } : {}) },
})

function errorResponse(description: string, example: unknown, retry: boolean): Json {
  return {
    description,
    ...(retry
      ? { headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } } } }
      : {}),
    content: { 'application/json': { schema: reference('schemas/Error'), example } },
  }
}

const components = {
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'The token that a log-in answers; a guest payer’s likewise.',
    },
    session: { type: 'apiKey', in: 'cookie', name: 'latchkey', description: 'The browser’s sealed session.' },
  },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'A uuid of the caller’s making. The same call with the same key is done once; its answer is kept for 24 hours.',
      schema: { type: 'string', minLength: 8, maxLength: 200 },
    },
  },
  schemas: {
    Error: {
      type: 'object',
      required: ['error'],
      properties: {
        error: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { type: 'string', description: 'For programs.' },
            message: { type: 'string', description: 'For people.' },
            fields: {
              type: 'object',
              additionalProperties: { type: 'string' },
              description: 'What is wrong with which field.',
            },
          },
        },
      },
    },
  },
  responses: {
    InvalidInput: errorResponse(
      'Fields are missing or not valid, or the body cannot be read.',
      errorExample('invalid_input', 'Some fields are missing or not valid.', { location_code: 'is required' }),
      false,
    ),
    Unauthorized: errorResponse(
      'Nothing was proven that could help.',
      errorExample('unauthorized', 'Please sign in or start again from your reservation.'),
      false,
    ),
    Forbidden: errorResponse(
      'Proven, but not for this record; the same answer whether or not the record exists.',
      errorExample('forbidden', 'You may not do this.'),
      false,
    ),
    Unknown: errorResponse(
      'There is no such operation.',
      errorExample('unknown_operation', 'There is no such operation.'),
      false,
    ),
    Conflict: errorResponse(
      'Contradicts our own record, or the idempotency key is of another call or of one under way.',
      errorExample('in_progress', 'The same call is still being worked on. Please ask again in a moment.'),
      true,
    ),
    TooLarge: errorResponse('The body is too large.', errorExample('too_large', 'The request is too large.'), false),
    TooMany: errorResponse('Too many calls.', errorExample('too_many', tooManyTries), true),
    Unavailable: errorResponse(
      'Too busy, or the records cannot be reached.',
      errorExample('unavailable', recordsOutOfReach),
      true,
    ),
  },
}

function make(publicUrl: string) {
  const paths: Record<string, Json> = { '/api/ssm': envelopePath() }
  for (const declared of operations.values()) paths[`/api/ssm/${declared.name}`] = operationPath(declared)
  for (const declared of resources.values()) {
    const [method = '', template = ''] = declared.name.split(' ')
    paths[template] = { ...paths[template], [method.toLowerCase()]: resourceMethod(declared, method, template) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Latchkey',
      version: '1.0.0',
      description:
        'The storage system of a self-storage operator and the resources of its website. Amounts have 2 decimals and are US dollars, dates are mm/dd/yyyy. A refusal by a rule of the business is a 200 with the specified field.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: publicUrl }],
    tags: [
      {
        name: 'storage system',
        description: 'Operations of the system of record; all of them answer at POST /api/ssm too.',
      },
      { name: 'site', description: 'Resources of the website itself.' },
    ],
    paths,
    components,
  }
}

const made = new Map<string, ReturnType<typeof make>>()

/** The OpenAPI 3.1 document; made at the first call. @param publicUrl the server's own origin */
export function openApi(publicUrl: string): ReturnType<typeof make> {
  const known = made.get(publicUrl) ?? make(publicUrl)
  made.set(publicUrl, known)
  return known
}
