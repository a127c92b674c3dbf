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
    expect(problems.map((one) => `${one.ruleId}: ${one.message} ${one.location[0]?.pointer}`)).toEqual([])
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
