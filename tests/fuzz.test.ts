/**
 * Requests of every kind of wrongness at every operation and resource, through HTTP as the server answers it: never a 5xx,
 * never a report of a failure, every refusal in the right form, every answer as declared. A thousand in all here;
 * FUZZ_REQUESTS asks for more, FUZZ_SEED for others.
 */
import { rmSync } from 'node:fs'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeOnBothEngines, temporaryFolder } from '../database/testing.ts'
import type { Random } from '../ports/clock.ts'
import { seededRandom } from '../ports/testing.ts'
import { configFrom } from '../server/config.ts'
import { openLog } from '../server/log.ts'
import { openMetrics } from '../server/metrics.ts'
import { openSession } from '../server/session.ts'
import { buildSite } from '../server/site.ts'
import { insertDraft } from '../site-records/rental-draft.ts'
import { type AnyOperation, operations, resources } from '../storage-system/catalogue.ts'
import { signIn } from '../storage-system/sign-in.ts'
import { writeXml } from '../storage-system/xml-envelope.ts'
import { type DemoHouse, houseOn, seedDemoInto } from './demo-house.ts'

const requests = Number(process.env.FUZZ_REQUESTS ?? 1000)
const seed = Number(process.env.FUZZ_SEED ?? 20_261_120)
const cookieKeys = ['a-cookie-key-of-at-least-32-characters-for-tests']

// ── What is sent ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Nearly right: at the edges of what fields take, in the spellings people and machines use. */
const nearly: unknown[] = [
  ...['', ' ', '0', '-1', '1.5', '1e3', '007', 'NaN', 'Infinity', '0x10', '9007199254740991', '9007199254740992'],
  ...[2_147_483_647, 2_147_483_648, 9_007_199_254_740_991, 9_007_199_254_740_992, 1e308, -0, 0.1, -5],
  ...['02/30/2026', '2/9/2026', '99/99/9999', '12/31/9999', '0001-01-01', '9999-12-31', '2026-11-20T00:00:00Z'],
  ...['True', 'FALSE', 'yes', 'ATL01', 'atl01', 'ATL01 ', 'CHS01', 'HQ01', 'CAE01', '__proto__', 'constructor'],
  ...[
    "O'Neill; drop table tenants; --",
    '%',
    '_',
    '\\',
    '"',
    '#{7*7}',
    '{{7}}',
    '%00',
    '../../etc/passwd',
    'a\r\nBcc: b',
  ],
  ...['<script>alert(1)</script>', '&amp;', ']]>', 'é', 'Ω≈ç√', '🔒', '\u202e', '\ufeff', '\ud800', '\u0007', '\u2028'],
  ...['a@b', 'a@example.com', 'A@EXAMPLE.COM', 'a@example.com,b@example.com', '(404) 555-0147', '+1 404 555 0147'],
  ...['00000000-0000-0000-0000-000000000000', 'K7M2XQ9TRD', 'k7m2-xq9t-rd', '0.00', '0.005', '-0.01', '$5', '1,000.00'],
]

const wrong: unknown[] = [
  ...[null, true, false, [], {}, [1, 2], ['a', ['b']], { a: 1 }, { $gt: '' }, { toString: 'x' }, [null], { length: 5 }],
  ...[{ valueOf: 1 }, { constructor: { name: 'x' } }, [[[[]]]], { '': '' }],
]

const huge = ['x'.repeat(5000), '9'.repeat(400), 'é'.repeat(30_000), 'a b '.repeat(20_000), '<'.repeat(10_000)]

/** Names of all fields of an input, whatever it is wrapped in. */
function fieldNames(schema: unknown): string[] {
  const { entries, pipe, wrapped, options } = schema as Record<string, unknown>
  if (entries) return Object.keys(entries as object)
  if (Array.isArray(pipe)) return pipe.flatMap(fieldNames)
  if (Array.isArray(options)) return options.flatMap(fieldNames)
  return wrapped ? fieldNames(wrapped) : []
}

const pick = <T>(random: Random, list: readonly T[]): T => list[random.integer(0, list.length - 1)] as T

function spoiled(random: Random, declared: AnyOperation): Record<string, unknown> {
  const input: Record<string, unknown> = { ...declared.example.input }
  const names = [...new Set([...Object.keys(input), ...fieldNames(declared.input)])]
  const changes = random.integer(0, 4) === 0 ? 0 : random.integer(1, 3)
  for (let change = 0; change < changes; change += 1) {
    const name = names.length > 0 ? pick(random, names) : 'nothing'
    const way = random.integer(1, 20)
    if (way <= 9) input[name] = pick(random, nearly)
    else if (way <= 13) input[name] = pick(random, wrong)
    else if (way <= 16) delete input[name]
    else if (way <= 18)
      input[pick(random, ['admin', 'rent', 'status', 'toString', 'hasOwnProperty'])] = pick(random, nearly)
    else if (way === 19)
      Object.defineProperty(input, '__proto__', { value: { admin: true }, enumerable: true, configurable: true })
    else input[name] = pick(random, huge)
  }
  return input
}

interface Sent {
  path: string
  init: { method: string; body?: string; headers: Record<string, string> }
  xml: boolean
  /** The answer's value stands by itself, to be held against the declared output. */
  bare: boolean
}

function requestOf(random: Random, declared: AnyOperation): Sent {
  const input = spoiled(random, declared)
  const headers = { 'Content-Type': 'application/json' }
  if (operations.has(declared.name)) {
    const door = random.integer(1, 4)
    if (door === 1) {
      const body = writeXml(declared.name, input)
      return {
        path: '/api/ssm',
        init: { method: 'POST', body, headers: { 'Content-Type': 'text/xml' } },
        xml: true,
        bare: false,
      }
    }
    if (door === 2) {
      const body = JSON.stringify({
        service: declared.name,
        body: random.integer(1, 12) === 1 ? pick(random, wrong) : input,
      })
      return { path: '/api/ssm', init: { method: 'POST', body, headers }, xml: false, bare: false }
    }
    const whole = JSON.stringify(input)
    // Now and then a body that was cut off on the way.
    const body = random.integer(1, 20) === 1 ? whole.slice(0, random.integer(0, whole.length)) : whole
    return {
      path: `/api/ssm/${declared.name}`,
      init: { method: 'POST', body, headers },
      xml: false,
      bare: !declared.wrapper,
    }
  }
  const [method = '', template = ''] = declared.name.split(' ')
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(typeof input[name] === 'object' ? JSON.stringify(input[name]) : input[name]).slice(0, 2000)
    delete input[name]
    // An empty part is another address; a lone half of a character cannot be sent in one.
    return encodeURIComponent(value.toWellFormed() || 'none')
  })
  if (method !== 'GET') return { path, init: { method, body: JSON.stringify(input), headers }, xml: false, bare: true }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    query.append(name, (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 4000))
  }
  return { path: `${path}?${query}`, init: { method, headers: {} }, xml: false, bare: true }
}

// ── What may come back ────────────────────────────────────────────────────────────────────────────────────────────────

const jsonError = v.strictObject({
  error: v.strictObject({
    code: v.pipe(v.string(), v.regex(/^[a-z_]+$/)),
    message: v.pipe(v.string(), v.minLength(1)),
    fields: v.optional(v.record(v.string(), v.string())),
  }),
})

/** What is wrong with an answer; null where nothing is. */
async function fault(declared: AnyOperation, sent: Sent, answer: Response): Promise<string | null> {
  if (answer.status >= 500) return `answered ${answer.status}`
  const type = answer.headers.get('content-type') ?? ''
  const text = await answer.text()
  if (/\n\s+at .*[:(]|node_modules|\.ts:\d/.test(text)) return 'shows a stack trace'
  if (answer.headers.get('cache-control') !== 'no-store') return 'may be cached'
  if (answer.status === 200) {
    if (sent.bare && type.includes('json')) {
      const { issues } = v.safeParse(declared.output, JSON.parse(text))
      if (issues) return `is not as declared: ${issues[0].message}`
    }
    return null
  }
  if (![400, 401, 403, 404, 409, 413, 429].includes(answer.status)) return `answered ${answer.status}`
  if (answer.status === 429 && !/^\d+$/.test(answer.headers.get('retry-after') ?? '')) return 'has no Retry-After'
  if (answer.status === 401 && answer.headers.get('www-authenticate') === null) return 'has no WWW-Authenticate'
  if (sent.xml) {
    const form =
      /^<Error><Code>[a-z_]+<\/Code><Message>[^<]+<\/Message>(<Field name="[^"<]*">[^<]*<\/Field>)*<\/Error>$/
    return form.test(text) ? null : 'is not an <Error>'
  }
  const { issues } = v.safeParse(jsonError, JSON.parse(text))
  return issues ? `is not an error as specified: ${issues[0].message}` : null
}

describeOnBothEngines('Fuzzed requests', (open, engine) => {
  const folder = temporaryFolder()
  let house: DemoHouse
  let app: ReturnType<typeof buildSite>
  let whose: Record<string, string>[]

  beforeAll(async () => {
    const db = await open()
    await seedDemoInto(db, 11)
    house = houseOn(db, folder)
    const parsed = configFrom({ PUBLIC_URL: 'http://localhost:3000', LOG_LEVEL: 'silent', TRUST_PROXY: '1' })
    if (!parsed.ok) throw new Error(parsed.problems.join())
    app = buildSite({
      house,
      config: parsed.config,
      log: openLog('silent'),
      metrics: openMetrics(),
      pages: null,
      clientFolder: null,
      cookieKeys,
      ready: async () => true,
    })
    const account = await db.read
      .selectFrom('tenants')
      .select('account_id')
      .where('location_code', '=', 'ATL01')
      .where('tenant_id', '=', 1001)
      .executeTakeFirstOrThrow()
    const token = await signIn(db.write, house, account.account_id ?? '', { address: '', agent: '' })
    const daphne = await db.read
      .selectFrom('reservations')
      .selectAll()
      .where('reservation_code', '=', 'K7M2XQ9TRD')
      .executeTakeFirstOrThrow()
    const draft = await insertDraft(db.write, house, {
      locationCode: 'ATL01',
      unitTypeId: daphne.unit_type_id,
      tenantId: daphne.tenant_id,
      reservationCode: daphne.reservation_code,
      answers: { moveInDate: daphne.required_date },
    })
    const session = await openSession(null, cookieKeys, false)
    session.set({ draftId: draft.draftId })
    const cookie = (await session.cookies()).map((line) => line.split(';')[0]).join('; ')
    whose = [
      {},
      { Authorization: `Bearer ${token}` },
      { Cookie: cookie },
      { Authorization: 'Bearer nothing-of-the-kind' },
    ]
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it(`of ${requests} at every operation and resource, none is answered amiss`, async () => {
    const random = seededRandom(seed + (engine === 'sqlite' ? 0 : 1))
    const all = [...operations.values(), ...resources.values()]
    const faults: string[] = []
    const statuses = new Map<number, number>()
    for (let at = 0; at < requests && faults.length < 5; at += 1) {
      const declared = all[at % all.length] as AnyOperation
      const sent = requestOf(random, declared)
      const address = `10.${random.integer(0, 255)}.${random.integer(0, 255)}.${random.integer(1, 254)}`
      const headers = { ...sent.init.headers, 'X-Forwarded-For': address, ...pick(random, whose) }
      const answer = await app.request(sent.path, { ...sent.init, headers })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const found = await fault(declared, sent, answer)
      // A foreign order id is written down on purpose (case 7); anything else that is reported is a failure of ours.
      const failures = house.reported
        .splice(0)
        .map(String)
        .filter((one) => !one.includes('not of this session'))
      if (found || failures.length > 0) {
        faults.push(
          `${declared.name} ${found ?? ''} ${failures.join()}: ${sent.path.slice(0, 300)} ${sent.init.body?.slice(0, 600) ?? ''}`,
        )
      }
      house.clock.advance(1000)
    }
    expect(faults).toEqual([])
    // If nothing got through, or nothing was refused, the requests were not what they are meant to be.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(requests / 10)
    expect(statuses.get(400) ?? 0).toBeGreaterThan(requests / 10)
  }, 600_000)
})
