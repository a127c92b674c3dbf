import { machineRolesFor } from '../../domain/machine-key-operations.ts'
import { recordsOutOfReach } from '../../domain/texts/general-errors.ts'
import { tooManyTries } from '../../domain/texts/too-many-attempts.ts'
import { recordNotFound, unauthenticated } from '../../platform/operations/operation.ts'
import { writeXml } from '../../ports/xml.ts'
import { type AnyOperation, operations, resources } from '../catalogue.ts'
import { rootOf } from '../xml-response-root-name.ts'
import { accessOf, formatAccess } from './access-table.ts'
import { type Json, jsonSchema, outputSchemaOf } from './json-schema.ts'

const reference = (to: string) => ({ $ref: `#/components/${to}` })

function securityOf(declared: AnyOperation): Json[] {
  const access = accessOf(declared)
  const keys = machineRolesFor(declared.name).map((role) => ({ machineKey: [role] }))
  if (access === 'anyone') return [{}, ...keys]
  const requirements: Json[] = [...keys]
  if (access.tenant || access.guest) requirements.push({ bearer: [] })
  if (access.rental || access.tenant || access.guest || access.auction || access.settlement)
    requirements.push({ session: [] })
  return requirements
}

const wrapSchema = (declared: AnyOperation, schema: Json): Json =>
  declared.wrapper
    ? { type: 'object', properties: { [declared.wrapper]: schema }, required: [declared.wrapper] }
    : schema

const toPlainJson = (value: unknown): unknown =>
  value instanceof Uint8Array ? undefined : JSON.parse(JSON.stringify(value))

const versionHeaders: Json = {
  ETag: { description: 'The version of the answer.', schema: { type: 'string' } },
}

const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of the version that the caller has; left out where it has none.',
  required: false,
  schema: { type: 'string' },
}

function responsesOf(declared: AnyOperation): Json {
  const { schema, file } = outputSchemaOf(declared)
  const example = toPlainJson(declared.example.output)
  const wrappedExample = declared.wrapper ? { [declared.wrapper]: example } : example
  const content: Json = {}
  if (schema)
    content['application/json'] = {
      schema: wrapSchema(declared, schema),
      ...(example === undefined ? {} : { example: wrappedExample }),
    }
  if (file) content['application/pdf'] = { schema: { type: 'string', contentMediaType: 'application/pdf' } }
  if (declared.textType) content[declared.textType] = { schema: { type: 'string' } }
  const access = accessOf(declared)
  const success = { description: 'Done, or refused by a rule of the business: see the answer’s own fields.', content }
  return {
    ...(declared.conditional && {
      304: { description: 'The caller has this version already.', headers: versionHeaders },
    }),
    200: declared.conditional ? { ...success, headers: versionHeaders } : success,
    400: reference('responses/InvalidInput'),
    ...(access === 'anyone' ? {} : { 401: reference('responses/Unauthorized'), 403: reference('responses/Forbidden') }),
    // A resource that the path names may be unknown, or of a facility that the caller may not see.
    ...(declared.name.includes('{') ? { 404: reference('responses/NotFound') } : {}),
    ...(declared.writes ? { 409: reference('responses/Conflict') } : {}),
    413: reference('responses/TooLarge'),
    429: reference('responses/TooMany'),
    503: reference('responses/Unavailable'),
  }
}

/** Returns an operation's example request in XML. */
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
    description: `Who may call: ${formatAccess(accessOf(declared), machineRolesFor(declared.name))}${
      declared.limit
        ? ` At most ${declared.limit.points} calls in ${declared.limit.perSeconds} seconds from one address.`
        : ''
    }`,
    security: securityOf(declared),
    ...more,
    responses: responsesOf(declared),
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
          'application/json': {
            schema: jsonSchema(declared.input, 'input'),
            example: toPlainJson(declared.example.input),
          },
        },
      },
    }),
  }
}

function resourceMethod(declared: AnyOperation, method: string, template: string): Json {
  const schema = jsonSchema(declared.input, 'input')
  const inPath = [...template.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? [])
  const names = Object.keys(schema.properties ?? {})
  const example = declared.example.input
  const parameter = (name: string, where: 'path' | 'query') => ({
    ...(declared.conditional && name === 'if_none_match'
      ? ifNoneMatch
      : {
          name,
          in: where,
          required: where === 'path' || (schema.required ?? []).includes(name),
          schema: schema.properties?.[name] ?? { type: 'string' },
        }),
    ...(example[name] === undefined ? {} : { example: example[name] }),
  })
  const inQuery = method === 'GET' ? names.filter((name) => !inPath.includes(name)) : []
  const parameters = [
    ...inPath.map((name) => parameter(name, 'path')),
    ...inQuery.map((name) => parameter(name, 'query')),
    ...(declared.writes && method !== 'GET' ? [reference('parameters/IdempotencyKey')] : []),
  ]
  const withoutPathFields = <T>(fields: Record<string, T>) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !inPath.includes(name)))
  const body = {
    ...schema,
    ...(schema.properties ? { properties: withoutPathFields(schema.properties) } : {}),
    ...(schema.required ? { required: schema.required.filter((name) => !inPath.includes(name)) } : {}),
  }
  return operationObject(declared, {
    tags: ['site'],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(method === 'GET'
      ? {}
      : {
          requestBody: {
            content: { 'application/json': { schema: body, example: toPlainJson(withoutPathFields(example)) } },
          },
        }),
  })
}

/**
 * Builds the part of the OpenAPI document about `POST /api/ssm`, which takes every operation by its service name, in
 * JSON or XML.
 */
function envelopePath(): Json {
  const all = [...operations.values()]
  const examples = (valueFor: (declared: AnyOperation) => unknown) =>
    Object.fromEntries(
      all.map((declared) => [operationId(declared.name), { summary: declared.summary, value: valueFor(declared) }]),
    )
  const withJsonOutput = all.filter(({ example }) => !(example.output instanceof Uint8Array))
  const responseExamples = (valueFor: (declared: AnyOperation) => unknown) =>
    Object.fromEntries(withJsonOutput.map((declared) => [operationId(declared.name), { value: valueFor(declared) }]))
  return {
    post: {
      operationId: 'ssm',
      tags: ['storage system'],
      summary: 'Any operation by its service name, as XML or JSON; the answer comes in the same notation.',
      description:
        'In XML the service is the root element, its fields are child elements and a repeated element is a list. Fields, callers and limits are those of the operation itself.',
      security: [{}, { machineKey: [] }, { bearer: [] }, { session: [] }],
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
            examples: examples((declared) => ({ service: declared.name, body: toPlainJson(declared.example.input) })),
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
              examples: responseExamples((declared) => ({ [rootOf(declared)]: toPlainJson(declared.example.output) })),
            },
            'application/xml': {
              schema: { type: 'string' },
              examples: responseExamples((declared) =>
                writeXml(rootOf(declared), toPlainJson(declared.example.output)),
              ),
            },
          },
        },
        400: reference('responses/InvalidInput'),
        401: reference('responses/Unauthorized'),
        403: reference('responses/Forbidden'),
        404: reference('responses/UnknownOperation'),
        409: reference('responses/Conflict'),
        413: reference('responses/TooLarge'),
        429: reference('responses/TooMany'),
        503: reference('responses/Unavailable'),
      },
    },
  }
}

/** Describes an error response; with `retry`, one that may have the header Retry-After. */
const errorResponse = (
  description: string,
  code: string,
  message: string,
  { retry, fields }: { retry?: true; fields?: Record<string, string> } = {},
): Json => ({
  description,
  ...(retry && {
    headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } } },
  }),
  content: {
    'application/json': {
      schema: reference('schemas/Error'),
      example: { error: { code, message, ...(fields && { fields }) } },
    },
  },
})

const components = {
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'The token that a log-in answers; a guest payer’s likewise.',
    },
    machineKey: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'lk_<id>_<secret>',
      description:
        'A key that an owner makes in the office, under Setup, Keys. The role that an operation needs is named beside the scheme. A wrong key answers 401, an ended one 401 with the code key_ended, another role 403, a facility outside its scope 404, too many calls in a minute 429. Without the right to personal data, fields about a person are empty. Cookies beside a key are ignored.',
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
      'invalid_input',
      'Some fields are missing or not valid.',
      { fields: { location_code: 'is required' } },
    ),
    Unauthorized: errorResponse(
      'No session, token or key was sent, or the key is wrong or has ended.',
      'unauthorized',
      unauthenticated.message,
    ),
    Forbidden: errorResponse(
      'Proven, but not for this record; the same answer whether or not the record exists.',
      'forbidden',
      'You may not do this.',
    ),
    UnknownOperation: errorResponse('There is no such operation.', 'unknown_operation', 'There is no such operation.'),
    NotFound: errorResponse(
      'What the path names is unknown, or of a facility that the caller may not see. The code depends on the resource.',
      recordNotFound.code,
      recordNotFound.message,
    ),
    Conflict: errorResponse(
      'Contradicts our own record, or the idempotency key is of another call or of one under way.',
      'in_progress',
      'The same call is still being worked on. Please ask again in a moment.',
      { retry: true },
    ),
    TooLarge: errorResponse('The body is too large.', 'too_large', 'The request is too large.'),
    TooMany: errorResponse('Too many calls.', 'too_many', tooManyTries(720), { retry: true }),
    Unavailable: errorResponse('Too busy, or the records cannot be reached.', 'unavailable', recordsOutOfReach, {
      retry: true,
    }),
  },
}

function buildDocument(publicUrl: string) {
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

const documents = new Map<string, ReturnType<typeof buildDocument>>()

/** Returns the OpenAPI document, which is built once for each `publicUrl`. @param publicUrl the site's origin */
export function openApi(publicUrl: string): ReturnType<typeof buildDocument> {
  const document = documents.get(publicUrl) ?? buildDocument(publicUrl)
  documents.set(publicUrl, document)
  return document
}
