import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { operations, resources } from '../catalogue.ts'
import { accessOf, accessTable } from './access-table.ts'
import { openApi } from './document.ts'
import { fieldsOf } from './json-schema.ts'

const document = openApi('https://rent.latchkey.test')

describe('the OpenAPI document', () => {
  it('passes the linter', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({
      source: JSON.stringify(document),
      absoluteRef: 'openapi.json',
      config,
    })
    expect(problems.map((problem) => `${problem.ruleId}: ${problem.message} ${problem.location[0]?.pointer}`)).toEqual(
      [],
    )
  })

  it('is checked by a linter that reports planted errors', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const source = JSON.stringify({ ...document, paths: { '/x': { get: { responses: {} } } } })
    expect(await lintFromString({ source, absoluteRef: 'openapi.json', config })).not.toEqual([])
  })

  it('describes every operation and resource', () => {
    for (const name of operations.keys()) expect(document.paths[`/api/ssm/${name}`]).toHaveProperty('post')
    for (const name of resources.keys()) {
      const [method = '', path = ''] = name.split(' ')
      expect(document.paths[path]).toHaveProperty(method.toLowerCase())
    }
  })

  it('names the fields, the allowed callers, and the idempotency key of a write', () => {
    const post = document.paths['/api/ssm/AddTenantNotes']?.post as {
      parameters: unknown[]
      security: unknown[]
      requestBody: { content: Record<string, { schema: { properties: object; required: string[] } }> }
      responses: Record<string, unknown>
    }
    expect(Object.keys(post.requestBody.content['application/json']?.schema.properties ?? {})).toContain('tenant_id')
    expect(post.requestBody.content['application/json']?.schema.required).toContain('tenant_id')
    expect(post.parameters).toEqual([{ $ref: '#/components/parameters/IdempotencyKey' }])
    expect(post.security).toContainEqual({ bearer: [] })
    expect(Object.keys(post.responses)).toEqual(expect.arrayContaining(['200', '400', '401', '403', '409', '429']))
  })

  it('describes the 404 of a resource as a missing record, and only that of the call by service name as an operation', () => {
    const to404 = (name: string) => ({ responses: { 404: { $ref: `#/components/responses/${name}` } } })
    expect(document.paths['/api/states/{region}']?.get).toMatchObject(to404('NotFound'))
    expect(document.paths['/api/ssm']?.post).toMatchObject(to404('UnknownOperation'))
  })

  it('names every kind of credential for the call by service name', () => {
    const post = document.paths['/api/ssm']?.post as { security: object[] }
    expect(post.security.flatMap((requirement) => Object.keys(requirement)).sort()).toEqual([
      'bearer',
      'machineKey',
      'session',
    ])
  })
})

describe('the protocol of a gate in the OpenAPI document', () => {
  interface Described {
    parameters: { name: string; in: string; required: boolean; description?: string }[]
    requestBody: { content: Record<string, { schema: { properties: Record<string, unknown> } }> }
    responses: Record<string, { headers?: Record<string, unknown> }>
  }

  it('describes each field of an event, though each event is read by itself', () => {
    const post = document.paths['/api/gate/{facility}/events']?.post as Described
    const { events } = post.requestBody.content['application/json']?.schema.properties ?? {}
    expect(events).toMatchObject({
      type: 'array',
      maxItems: 500,
      items: {
        type: 'object',
        required: ['id', 'at', 'what'],
        properties: {
          id: { type: 'string', minLength: 1, maxLength: 80 },
          at: { type: 'string' },
          point: { type: 'string', default: 'main' },
          what: { enum: ['opened', 'refused', 'forced', 'held_open', 'fault'] },
          code_id: { type: 'string' },
          command: { type: 'string' },
          why: { type: 'string' },
        },
      },
    })
  })

  it('names the header that acknowledges a list, and the one that answers it', () => {
    const get = document.paths['/api/gate/{facility}/state']?.get as Described
    expect(get.parameters).toContainEqual(
      expect.objectContaining({
        name: 'If-None-Match',
        in: 'header',
        required: false,
        description: expect.any(String),
      }),
    )
    for (const status of [200, 304]) expect(get.responses[status]?.headers).toHaveProperty('ETag')
  })
})

describe('the description of a declaration', () => {
  it('states whose records a caller may name', () => {
    expect(accessOf(operations.get('GetUnitsList')!)).toBe('anyone')
    expect(accessOf(operations.get('GetTenantInfo')!)).toEqual({ rental: 'own', tenant: 'own' })
    expect(accessOf(operations.get('SaveReservationDetailsForExistingTenants')!)).toMatchObject({ tenant: 'any' })
  })

  it('describes a field’s rule in the words of its refusal', () => {
    const fields = fieldsOf(operations.get('GetTenantInfo')!.input)
    expect(fields.map(({ name, required }) => [name, required])).toEqual([
      ['location_code', true],
      ['tenant_id', true],
    ])
    expect(fields[0]?.rules).toContain('must be a location code')
  })

  it('is the access table of docs/access.md', async () => {
    await expect(accessTable()).toMatchFileSnapshot('../../docs/access.md')
  })
})
