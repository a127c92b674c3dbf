import * as fc from 'fast-check'
import * as v from 'valibot'
import { beforeEach, describe, expect, it } from 'vitest'
import { DatabaseUnavailable } from '../platform/database/open.ts'
import type { Callers } from '../platform/operations/callers.ts'
import { deleteExpiredOutcomes, withIdempotencyKey } from '../platform/operations/idempotency.ts'
import { refuse } from '../platform/operations/outcome.ts'
import { readXml, writeXml } from '../ports/xml.ts'
import { coerceXmlResponse, xmlResponseLimits } from '../tests/support/coerce-xml-response.ts'
import { describeOnBothEngines } from '../tests/support/databases.ts'
import { asAda, contact, openTestServices, type TestServices, visitor } from '../tests/support/small-operator.ts'
import { operations, resources } from './catalogue.ts'
import { unknownFields } from './ignored-unknown-fields.ts'
import { apiRoutes } from './routes.ts'
import { coerceXmlInput } from './xml-input-and-errors.ts'

const reservation = { location_code: 'GA1', unit_type_id: 1, move_in_date: '11/22/2026', ...contact }

type Door = (name: string, input: object, headers?: Record<string, string>) => Promise<Response>

function open(services: TestServices, callers: Callers = visitor()) {
  const granted: unknown[] = []
  const api = apiRoutes({
    services,
    callers: async () => callers,
    grant: async (_, grants) => void granted.push(grants),
  })
  const post = (path: string, body: string, headers: Record<string, string>) =>
    api.request(path, { method: 'POST', body, headers })
  const json: Door = async (name, input, headers = {}) =>
    post(`/ssm/${name}`, JSON.stringify(input), { 'Content-Type': 'application/json', ...headers })
  const xml: Door = async (name, input, headers = {}) =>
    post('/ssm', writeXml(name, input), { 'Content-Type': 'application/xml', ...headers })
  return { api, post, json, xml, granted }
}

describeOnBothEngines('Transports', (openDatabase) => {
  let services: TestServices
  beforeEach(async () => {
    services = await openTestServices(await openDatabase())
  })
  const count = async (table: 'reservations' | 'idempotency' | 'tenant_notes') =>
    (await services.db.read.selectFrom(table).selectAll().execute()).length

  it('names the unknown fields of a write in JSON', async () => {
    const ada = { location_code: 'GA1', tenant_id: 1001 }
    const tenant = { accountId: 'ada', tenants: [{ locationCode: 'GA1', tenantId: 1001 }] }
    const { post, json, xml } = open(services, { ...visitor(), tenant })
    const profile = { ...ada, ...contact, email: 'ada@example.com' }
    const tenantInput = { ...profile, date_of_birth: '05/14/1987' }
    const unknown = ['active_military', 'designated_agent', 'date_of_birth']
    expect(await (await json('UpdateTenantInfo', tenantInput)).json()).toMatchObject({
      SaveSuccessful: 'True',
      unknown_fields: unknown,
    })
    const enveloped = JSON.stringify({ service: 'UpdateTenantInfo', body: tenantInput })
    const inEnvelope = await post('/ssm', enveloped, { 'Content-Type': 'application/json' })
    expect(await inEnvelope.json()).toMatchObject({ UpdateTenantInfoResult: {}, unknown_fields: unknown })
    const { input } = resources.get('POST /api/paygateway/hostpay/transactions')!
    expect(unknownFields(input, { contact: { first: 'Ada', nickname: 'A' } })).toEqual(['contact.nickname'])
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${'x'.repeat(100)}${at}`, 1]))
    const listed = (await (await json('AddTenantNotes', { ...ada, note: 'Hello', ...many })).json()).unknown_fields
    expect([listed.length, new Set(listed.map((name: string) => name.length))]).toEqual([20, new Set([60])])
    const response = await json('AddTenantNotes', { ...ada, note: 'Hello' })
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.not.objectContaining({ unknown_fields: expect.anything() }),
    ])
    expect(await (await xml('UpdateTenantInfo', tenantInput)).text()).not.toContain('unknown_fields')
  })

  describe('idempotency keys', () => {
    const key = { 'Idempotency-Key': '5f0c9a52-7f7e-4d0e-9d55-0d6a1c2b3e4f' }

    it('get the stored response when repeated, over both transports', async () => {
      const { json, xml, granted } = open(services)
      const first = await json('SaveReservationDetails_WEB', reservation, key)
      expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null])
      const before = await first.json()
      const second = await json('SaveReservationDetails_WEB', reservation, key)
      expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
      expect(await second.json()).toEqual(before)
      const third = await xml('SaveReservationDetails_WEB', reservation, key)
      expect([third.status, third.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
      expect(await third.text()).toContain(before.reservationCode)
      expect(await count('reservations')).toBe(1)
      expect(new Set(granted.map((grants) => JSON.stringify(grants))).size).toBe(1)
      expect(granted).toHaveLength(3)
    })

    it('are refused with another input', async () => {
      const { json } = open(services)
      await json('SaveReservationDetails_WEB', reservation, key)
      const other = await json('SaveReservationDetails_WEB', { ...reservation, first: 'Other' }, key)
      expect([other.status, (await other.json()).error.code]).toEqual([409, 'key_reused'])
      expect(await count('reservations')).toBe(1)
    })

    it('are separate for each caller, also behind one address and for identical calls', async () => {
      await open(services).json('SaveReservationDetails_WEB', reservation, key)
      const other = { ...reservation, email: 'other@example.com' }
      for (const [difference, body] of [
        [{ address: '198.51.100.99' }, other],
        [{ agent: 'another browser' }, other],
        [{ agent: 'a third' }, reservation],
      ] as const) {
        const theirs = await open(services, { ...visitor(), ...difference }).json(
          'SaveReservationDetails_WEB',
          body,
          key,
        )
        expect([difference, theirs.headers.get('idempotency-replayed')]).toEqual([difference, null])
      }
    })

    it('run one of twenty concurrent calls; the others get its response or are asked to retry', async () => {
      const { json } = open(services)
      const all = await Promise.all(
        Array.from({ length: 20 }, () => json('SaveReservationDetails_WEB', reservation, key)),
      )
      expect(await count('reservations')).toBe(1)
      const fresh = all.filter((response) => response.status === 200 && !response.headers.has('idempotency-replayed'))
      expect(fresh).toHaveLength(1)
      for (const response of all.filter(({ status }) => status !== 200)) {
        expect([response.status, response.headers.get('retry-after')]).toEqual([409, '1'])
      }
      expect((await json('SaveReservationDetails_WEB', reservation, key)).headers.get('idempotency-replayed')).toBe(
        'true',
      )
    })

    it('may be used again after a server error, and after the process that claimed the key died', async () => {
      const AddTenantNotes = operations.get('AddTenantNotes')!
      const { run } = AddTenantNotes
      const { api, json } = open(services, asAda)
      api.onError((_, context) => context.text('fault', 500))
      const note = { location_code: 'GA1', tenant_id: 1001, note: 'Gate sticks' }
      let left = 1
      AddTenantNotes.run = async (...all) => {
        if (left-- > 0) throw new Error('the disk is full')
        return run(...all)
      }
      try {
        expect((await json('AddTenantNotes', note, key)).status).toBe(500)
      } finally {
        AddTenantNotes.run = run
      }
      await services.db.write
        .insertInto('idempotency')
        .values({
          key: 'claimed-and-gone',
          caller: `tenant ${asAda.tenant?.accountId}`,
          request_hash: '',
          status: 0,
          answer: '',
          created_at: services.clock.now() - 120_000,
        })
        .execute()
      const before = await count('tenant_notes')
      expect((await json('AddTenantNotes', note, key)).status).toBe(200)
      expect((await json('AddTenantNotes', note, { 'Idempotency-Key': 'claimed-and-gone' })).status).toBe(200)
      expect(await count('tenant_notes')).toBe(before + 2)
    })

    it.each(['responds', 'is asked to wait', 'fails'] as const)(
      'keep the response of a repeated call that ran after two minutes, even if the first call then %s',
      async (end) => {
        const AddTenantNotes = operations.get('AddTenantNotes')!
        const { run } = AddTenantNotes
        const { api, json } = open(services, asAda)
        api.onError((_, context) => context.text('fault', 500))
        const note = { location_code: 'GA1', tenant_id: 1001, note: 'Gate sticks' }
        AddTenantNotes.run = async () => {
          AddTenantNotes.run = run
          services.clock.advance(120_000)
          expect((await json('AddTenantNotes', note, key)).status).toBe(200)
          if (end === 'fails') throw new Error('the disk is full')
          return end === 'responds' ? refuse(409, 'late', 'Too late.') : refuse(503, 'busy', 'Please wait.')
        }
        try {
          await json('AddTenantNotes', note, key)
        } finally {
          AddTenantNotes.run = run
        }
        const repeated = await json('AddTenantNotes', note, key)
        expect([repeated.status, repeated.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
        expect(await services.db.read.selectFrom('tenant_notes').selectAll().execute()).toHaveLength(1)
      },
    )

    it('keep no name, e-mail address or response in plain text, and nothing for longer than a day', async () => {
      const { json } = open(services)
      await json('SaveReservationDetails_WEB', reservation, key)
      const rows = JSON.stringify(await services.db.read.selectFrom('idempotency').selectAll().execute())
      expect(rows).not.toMatch(new RegExp(`${contact.email}|${contact.last}|reservationCode`))
      services.clock.advance(24 * 3600_000 - 1)
      expect(await deleteExpiredOutcomes(services)).toBe(0)
      services.clock.advance(1)
      expect(await deleteExpiredOutcomes(services)).toBe(1)
      expect(await count('idempotency')).toBe(0)
    })

    it('tell two large files apart that differ only in the last byte', async () => {
      const file = new Uint8Array(8_000_000).fill(7)
      const put = (content: Uint8Array) =>
        withIdempotencyKey(
          services,
          { key: 'one-upload', callers: visitor(), operation: 'upload', input: { name: 'a', content } },
          async () => ({
            ok: true as const,
            value: content.subarray(0, 3),
          }),
        )
      expect(await put(file)).toEqual({ ok: true, value: new Uint8Array([7, 7, 7]) })
      expect(await put(Buffer.from(file))).toEqual({ ok: true, value: new Uint8Array([7, 7, 7]), replayed: true })
      file[7_999_999] = 8
      expect(await put(file)).toMatchObject({ ok: false, code: 'key_reused' })
    })

    it('are refused if too short to be unique, and ignored by reads', async () => {
      const { json } = open(services)
      expect((await json('SaveReservationDetails_WEB', reservation, { 'Idempotency-Key': '7' })).status).toBe(400)
      await json('GetUnitsList', { location_code: 'GA1' }, key)
      expect(await count('idempotency')).toBe(0)
    })
  })

  it('reports an unreachable database in the notation of the call, with Retry-After', async () => {
    const reported: unknown[] = []
    const unavailable = {
      ...services,
      errors: { report: (error: unknown) => reported.push(error) },
      db: new Proxy({} as TestServices['db'], {
        get: () => {
          throw new DatabaseUnavailable('lost')
        },
      }),
    }
    const { json, xml } = open(unavailable)
    const answers = [
      await json('GetUnitsList', { location_code: 'GA1' }),
      await xml('GetUnitsList', { location_code: 'GA1' }),
      await json('SaveReservationDetails_WEB', reservation, {
        'Idempotency-Key': '5f0c9a52-7f7e-4d0e-9d55-0d6a1c2b3e4f',
      }),
    ]
    for (const response of answers) expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await answers[0]?.text()).toContain('{"error":{"code":"unavailable"')
    expect(await answers[1]?.text()).toContain('<Error><Code>unavailable</Code>')
    expect(reported).toHaveLength(3)
  })

  it('answers a resource alike with and without a trailing slash', async () => {
    const { api } = open(services)
    const uuid = '6f1d2a80-4c1b-4e0e-9d57-2b7a40500001'
    for (const path of ['/auction_winners', '/locations', '/states']) {
      const bare = await api.request(`${path}?uuid=${uuid}`)
      const slashed = await api.request(`${path}/?uuid=${uuid}`)
      expect([path, slashed.status]).toEqual([path, bare.status])
      const body = await slashed.text()
      expect(body).toBe(await bare.text())
      expect(body).not.toContain('There is nothing at this address.')
    }
  })

  it('names the allowed methods for a wrong method at an existing address', async () => {
    const { api } = open(services)
    const sendTo = async (method: string, path: string) => {
      const answer = await api.request(path, { method })
      return [answer.status, answer.headers.get('allow'), answer.headers.get('content-type')?.split(';')[0]]
    }
    const json = 'application/json'
    expect(await sendTo('GET', '/ssm')).toEqual([405, 'POST', json])
    expect(await sendTo('GET', '/ssm/GetCurrentDues')).toEqual([405, 'POST', json])
    expect(await sendTo('GET', '/ssm/GetNothing')).toEqual([404, null, json])
    expect(await sendTo('DELETE', '/states/GA')).toEqual([405, 'GET, HEAD', json])
    expect(await sendTo('POST', '/auction_winners/')).toEqual([405, 'GET, HEAD', json])
    expect(await sendTo('PATCH', '/prospects/K7M2XQ9TRD')).toEqual([405, 'PUT', json])
    expect(await sendTo('PUT', '/openapi.json')).toEqual([405, 'GET, HEAD', json])
    expect(await sendTo('PUT', '/nothing')).toEqual([404, null, json])
  })
})

describe('a large body from a caller without proof', () => {
  const large = `{"service":"lease-pdf","body":{"location_code":"GA1","tenant_signature":"${'a'.repeat(300_000)}"}}`
  const send = async (callers: Callers, path: string, headers: Record<string, string>, body: string | FormData) => {
    const read = { bytes: 0 }
    const api = apiRoutes({ services: {} as TestServices, callers: async () => callers, grant: async () => {} })
    const whole = new Request('http://site/', { method: 'POST', body })
    const bytes = new Uint8Array(await whole.arrayBuffer())
    const stream = new ReadableStream(
      {
        pull(to) {
          read.bytes += bytes.length
          to.enqueue(bytes)
          to.close()
        },
      },
      { highWaterMark: 0 },
    )
    const type = headers['Content-Type'] ?? whole.headers.get('content-type') ?? ''
    const request = new Request(`http://site${path}`, {
      method: 'POST',
      body: stream,
      duplex: 'half',
      headers: { 'Content-Length': String(bytes.length), ...headers, 'Content-Type': type },
    } as RequestInit)
    return { status: (await api.fetch(request)).status, read: read.bytes }
  }

  it('is refused unread', async () => {
    const json = { 'Content-Type': 'application/json' }
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(300_000)]), 'proof.pdf')
    expect(await send(visitor(), '/ssm', json, large)).toEqual({ status: 401, read: 0 })
    expect(await send(visitor(), '/ssm', { 'Content-Type': 'text/xml' }, large)).toEqual({ status: 401, read: 0 })
    expect(await send(visitor(), '/ssm/lease-pdf', json, large)).toEqual({ status: 401, read: 0 })
    expect(await send(visitor(), '/insurance/upload', {}, form)).toEqual({ status: 401, read: 0 })
    const accepted = await send({ ...visitor(), tenant: { accountId: 'ada', tenants: [] } }, '/ssm', json, large)
    expect(accepted.read).toBeGreaterThan(300_000)
  })
})

it('counts the bytes of an envelope whose service takes no document, not its characters', async () => {
  const { post } = open({} as TestServices, asAda)
  const body = JSON.stringify({ service: 'GetUnitsList', body: { location_code: 'é'.repeat(40_000) } })
  expect((await post('/ssm', body, { 'Content-Type': 'application/json' })).status).toBe(413)
})

it('a body of tiny chunks is refused before all of them are read', async () => {
  const api = apiRoutes({ services: {} as TestServices, callers: async () => visitor(), grant: async () => {} })
  let sent = 0
  const drip = new ReadableStream({
    pull(to) {
      if (sent === 60_000) return to.close()
      sent += 1
      to.enqueue(new Uint8Array([32]))
    },
  })
  const init = { method: 'POST', body: drip, duplex: 'half', headers: { 'Content-Type': 'application/json' } }
  const answer = await api.fetch(new Request('http://site/ssm/login', init as RequestInit))
  expect(answer.status).toBe(413)
  expect(sent).toBeLessThan(5_000)
})

describe('hostile bodies are refused', () => {
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const laughs = `<!DOCTYPE l [<!ENTITY a "ha">${Array.from({ length: 30 }, (_, at) => `<!ENTITY a${at} "&a;&a;">`).join('')}]>`
  const bodies: [string, string | Uint8Array<ArrayBuffer>, status?: number][] = [
    [
      'XXE',
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><GetTenantInfo><tenant_id>&x;</tenant_id></GetTenantInfo>',
    ],
    ['billion laughs', `${laughs}<GetTenantInfo><tenant_id>&a29;</tenant_id></GetTenantInfo>`],
    ['an undeclared entity', '<GetUnitsList><location_code>&x;</location_code></GetUnitsList>'],
    ['deep XML', '<a>'.repeat(20_000)],
    ['deep XML within the size', `<GetUnitsList>${'<b>'.repeat(9_000)}${'</b>'.repeat(9_000)}</GetUnitsList>`],
    ['many elements', `<GetUnitsList>${'<b/>'.repeat(15_000)}</GetUnitsList>`],
    ['many attributes', `<GetUnitsList ${'a="b" '.repeat(10_000)}`],
    ['spaces without end', `<GetUnitsList${' '.repeat(60_000)}x`],
    ['__proto__ in XML', '<GetUnitsList><__proto__><admin>1</admin></__proto__></GetUnitsList>'],
    ['many references', `<GetUnitsList><b>${'&amp;'.repeat(12_000)}</b></GetUnitsList>`],
    ['CDATA', '<GetUnitsList><b><![CDATA[<script>]]></b></GetUnitsList>'],
    ['an element that is cut off', '<GetUnitsList><b>text</b'],
    ['two roots', '<GetUnitsList/><b/>'],
    ['no element', 'hello'],
    ['nothing', ''],
    ['text in the root', '<GetUnitsList>text</GetUnitsList>'],
    ['a tag that never closes', '<GetUnitsList><b></GetUnitsList>'],
    ['a NUL character', '<GetUnitsList><location_code>GA1\u0000</location_code></GetUnitsList>'],
    ['a NUL by number', '<GetUnitsList><location_code>GA1&#0;</location_code></GetUnitsList>'],
    [
      'a duplicate element',
      '<GetUnitsList><location_code>GA1</location_code><location_code>HI1</location_code></GetUnitsList>',
    ],
    ['bad UTF-8', new Uint8Array([0x3c, 0x61, 0x3e, 0xc3, 0x28, 0xff])],
    ['a huge XML body', `<GetUnitsList><location_code>${'x'.repeat(9_000_000)}</location_code></GetUnitsList>`, 413],
    ['an XML body of 11 MiB', new Uint8Array(11 * 1024 * 1024).fill(65), 413],
    ['half a JSON', '{"service":'],
    ['a JSON list', '[]'],
    ['a JSON text', '"text"'],
    ['an escaped NUL', '{"service":"GetUnitsList","body":{"location_code":"GA1\\u0000"}}'],
    [
      '__proto__ in JSON',
      '{"service":"GetUnitsList","body":{"__proto__":{"admin":true},"location_code":{"__proto__":1}}}',
    ],
    ['deep JSON', `{"service":"GetUnitsList","body":${deep(30_000)}}`],
    ['JSON above 64 KiB', `{"service":"GetUnitsList","body":{"location_code":"${'x'.repeat(66_000)}"}}`, 413],
    ['a huge JSON body', `{"service":"GetUnitsList","body":{"location_code":"${'x'.repeat(9_000_000)}"}}`, 413],
    ['huge JSON that names no service', `{"x":[${'1,'.repeat(3_000_000)}1]}`, 413],
  ]

  for (const [what, body, status = 400] of bodies) {
    it(what, async () => {
      const { api } = open({} as TestServices)
      const isJson = typeof body === 'string' && /^[{["]/.test(body)
      const headers = { 'Content-Type': isJson ? 'application/json' : 'application/xml' }
      const answer = await api.request('/ssm', { method: 'POST', body, headers })
      expect(answer.status).toBe(status)
      expect(({} as Record<string, unknown>).admin).toBeUndefined()
      const text = await answer.text()
      if (isJson) expect(JSON.parse(text).error.code).toMatch(/^[a-z_]+$/)
      else expect(text).toMatch(/^<Error><Code>[a-z_]+<\/Code><Message>[^<]+<\/Message>/)
    })
  }
})

interface Shape {
  type: string
  entries?: Record<string, Shape>
  item?: Shape
  wrapped?: Shape
  options?: Shape[]
  literal?: unknown
}

/**
 * Generates text that XML can hold: no lone surrogates, no U+FFFE or U+FFFF, and no control characters below U+0020 but
 * tabs and line breaks.
 */
const text = () =>
  fc
    .oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('', ' a ', 'Tom & <Jerry>', ']]>', '&amp;', '"', "'", 'a\nb', 'a\rb', 'é😀', '0', 'true', 'null'),
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML cannot hold
    .filter((value) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(value) && value.isWellFormed())

/** Generates values of a response schema. */
function valuesOf(schema: Shape): fc.Arbitrary<unknown> {
  if (schema.entries) {
    const optional = Object.entries(schema.entries).filter(([, field]) => field.type === 'optional')
    const required = Object.keys(schema.entries).filter((name) => !optional.some(([other]) => other === name))
    const fields = Object.fromEntries(Object.entries(schema.entries).map(([name, field]) => [name, valuesOf(field)]))
    return fc.record(fields, { requiredKeys: required })
  }
  if (schema.type === 'array') return fc.array(valuesOf(schema.item as Shape), { maxLength: 3 })
  if (schema.type === 'nullable') return fc.oneof(fc.constant(null), valuesOf(schema.wrapped as Shape))
  if (schema.wrapped) return valuesOf(schema.wrapped)
  if (schema.options && typeof schema.options[0] === 'object') {
    return fc.oneof(...schema.options.filter((field) => field.type !== 'instance').map(valuesOf))
  }
  if (schema.options) return fc.constantFrom(...(schema.options as unknown as string[]))
  if (schema.type === 'literal') return fc.constant(schema.literal)
  if (schema.type === 'number') return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'string') return text()
  throw new Error(`No values for a schema of type ${schema.type}`)
}

/** Converts a value to what XML can express, which cannot tell an empty text from null, nor -0 from 0. */
const asXmlHasIt = (schema: Shape, value: unknown): unknown => {
  if (schema.type === 'nullable' && value === '') return null
  if (schema.wrapped) return value === null || value === undefined ? value : asXmlHasIt(schema.wrapped, value)
  if (Array.isArray(value)) return value.map((item) => asXmlHasIt(schema.item as Shape, item))
  if (schema.entries && value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, asXmlHasIt(schema.entries?.[name] as Shape, item)]),
    )
  }
  return Object.is(value, -0) ? 0 : value
}

describe('an answer is the same through XML as through JSON', () => {
  for (const declared of operations.values()) {
    it(declared.name, () => {
      const schema = declared.output as unknown as Shape
      if (schema.type === 'instance') return
      fc.assert(
        fc.property(valuesOf(schema), (value) => {
          // Skips generated values that the schema does not accept (a picklist in a pipe, a pattern).
          fc.pre(v.is(declared.output, value))
          const read = readXml(writeXml('Answer', value), xmlResponseLimits)
          if (!read.ok) throw new Error(read.why)
          expect(coerceXmlResponse(declared.output, read.body)).toEqual(asXmlHasIt(schema, value))
        }),
        { numRuns: 25, maxSkipsPerRun: 1000 },
      )
    })
  }
})

describe('an input is the same through XML as through JSON', () => {
  for (const declared of operations.values()) {
    it(declared.name, () => {
      const { input } = declared.example
      const parse = (raw: unknown) => v.safeParse(declared.input, raw)
      const names = Object.keys(input)
      fc.assert(
        fc.property(
          fc.dictionary(fc.constantFrom(...names, 'unknown'), fc.oneof(text(), fc.integer(), fc.boolean()), {
            maxKeys: 3,
          }),
          fc.subarray(names),
          (changes, includedNames) => {
            const raw = { ...Object.fromEntries(includedNames.map((name) => [name, input[name]])), ...changes }
            const read = readXml(writeXml(declared.name, raw))
            if (!read.ok) throw new Error(read.why)
            const json = parse(JSON.parse(JSON.stringify(raw)))
            const xml = parse(coerceXmlInput(declared.input, read.body))
            // JSON may refuse a number or boolean that XML sends as text, so an input with one is compared only if JSON accepts it.
            const isText = Object.values(raw).every((value) => typeof value === 'string')
            if (json.success || isText) expect(xml.success).toBe(json.success)
            if (json.success) expect(xml.output).toEqual(json.output)
          },
        ),
        { numRuns: 25 },
      )
    })
  }
})
