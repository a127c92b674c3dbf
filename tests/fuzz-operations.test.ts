/**
 * Sends wrong and hostile requests to every operation over HTTP. Expects no 5xx, no reported failure, refusals and
 * responses in their declared form, and no other person's data. Sends 1,000 requests by default;
 * `npm run fuzz -- --requests 100000 --seed 7` sends more.
 */
import { rmSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AnyOperation, operations } from '../api/catalogue.ts'
import type { SessionIds } from '../app/request/context.ts'
import { signIn } from '../modules/accounts/sessions.ts'
import { insertDraft } from '../modules/reservations/insert-draft.ts'
import { callerKinds } from '../platform/operations/callers.ts'
import type { Random } from '../ports/clock-and-random.ts'
import { seededRandom } from '../ports/testing-clock-and-random.ts'
import { writeXml } from '../ports/xml.ts'
import { openLog } from '../server/log.ts'
import { openAccessLog } from '../server/web/access-log.ts'
import { openSession } from '../server/web/session.ts'
import { approvingCardProvider, openBank } from './example-preparations.ts'
import { fieldNames, hugeValues, nearlyValid, wrongTypes } from './fuzz-values.ts'
import { everyOperation } from './parse-wire-specification.ts'
import { describeOnBothEngines, temporaryFolder } from './support/databases.ts'
import { pick } from './support/random-choices.ts'
import { type DemoServices, seedDemoInto, servicesOn } from './support/seeded-demo-operator.ts'
import { configOf, cookieKeys, createTestSite } from './support/site.ts'

const requests = Number(process.env.FUZZ_REQUESTS ?? 1000)
const seed = Number(process.env.FUZZ_SEED ?? 20_261_120)
/** Whether the run is long enough for the code to be compiled, so that a slow request is not just a first one. */
const isLong = requests >= 20_000
const warmUpRequests = 5_000
const longestBlockMs = 50

function spoilInput(random: Random, declared: AnyOperation): Record<string, unknown> {
  const input: Record<string, unknown> = { ...declared.example.input }
  const names = [...new Set([...Object.keys(input), ...fieldNames(declared.input)])]
  const changes = random.integer(0, 4) === 0 ? 0 : random.integer(1, 3)
  for (let change = 0; change < changes; change += 1) {
    const name = names.length > 0 ? pick(random, names) : 'nothing'
    const way = random.integer(1, 20)
    if (way <= 9) input[name] = pick(random, nearlyValid)
    else if (way <= 13) input[name] = pick(random, wrongTypes)
    else if (way <= 16) delete input[name]
    else if (way <= 18)
      input[pick(random, ['admin', 'rent', 'status', 'toString', 'hasOwnProperty'])] = pick(random, nearlyValid)
    else if (way === 19)
      Object.defineProperty(input, '__proto__', { value: { admin: true }, enumerable: true, configurable: true })
    else input[name] = pick(random, hugeValues)
  }
  return input
}

const operationNames = new Set(everyOperation.map(({ name }) => name))

/**
 * Checks that a line of the access log has only the expected fields, with routes, operations and roles that the
 * site knows, and contains no value of nine or more characters that the request sent.
 * @returns the line with the values found in it; empty when the line is right
 */
function accessLogFaults(
  line: string,
  routes: readonly string[],
  { path, init, headers }: Sent & { headers: Record<string, string> },
): string[] {
  const { time: _time, level: _level, msg: _msg, request_id: _id, ...fields } = JSON.parse(line)
  const { method, route, operation = 'login', status, ms, bytes, role, network, ...more } = fields
  const isOurs =
    /^[A-Z]+$/.test(method) &&
    (route === '*' || routes.includes(route)) &&
    (operationNames.has(operation) || operation === 'login') &&
    (callerKinds.includes(role) || role === 'visitor') &&
    /^10\.\d+\.\d+\.0\/24$/.test(network) &&
    [status, ms, bytes].every(Number.isFinite) &&
    Object.keys(more).length === 0
  const values = `${decoded(path)}\n${init.body ?? ''}\n${Object.values(headers).join('\n')}`.match(
    /[^\s"'<>{}[\]:=&?/]{9,}/g,
  )
  const rest = JSON.stringify({ ...fields, route: '', operation: '' })
  const found = (values ?? []).filter((value) => rest.includes(value))
  return isOurs && found.length === 0 ? [] : [`${line} ${found.join(' ')}`]
}

const decoded = (path: string) => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

interface Sent {
  path: string
  init: { method: string; body?: string; headers: Record<string, string> }
  xml: boolean
  /** Whether the response is the output alone, without a wrapper, so that its declaration can be checked. */
  bare: boolean
}

function requestOf(random: Random, declared: AnyOperation): Sent {
  const input = spoilInput(random, declared)
  const headers = { 'Content-Type': 'application/json' }
  if (operations.has(declared.name)) {
    const transport = random.integer(1, 4)
    if (transport === 1) {
      const body = writeXml(declared.name, input)
      return {
        path: '/api/ssm',
        init: { method: 'POST', body, headers: { 'Content-Type': 'text/xml' } },
        xml: true,
        bare: false,
      }
    }
    if (transport === 2) {
      const body = JSON.stringify({
        service: declared.name,
        body: random.integer(1, 12) === 1 ? pick(random, wrongTypes) : input,
      })
      return { path: '/api/ssm', init: { method: 'POST', body, headers }, xml: false, bare: false }
    }
    const whole = JSON.stringify(input)
    // Sometimes the body is cut off.
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
    // An empty part would be another address, and a lone surrogate cannot be sent.
    return encodeURIComponent(value.toWellFormed() || 'none')
  })
  if (method !== 'GET') return { path, init: { method, body: JSON.stringify(input), headers }, xml: false, bare: true }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    query.append(name, (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 4000))
  }
  return { path: `${path}?${query}`, init: { method, headers: {} }, xml: false, bare: true }
}

const jsonError = v.strictObject({
  error: v.strictObject({
    code: v.pipe(v.string(), v.regex(/^[a-z_]+$/)),
    message: v.pipe(v.string(), v.minLength(1)),
    fields: v.optional(v.record(v.string(), v.string())),
  }),
})

async function findFault(declared: AnyOperation, sent: Sent, answer: Response): Promise<string | null> {
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

interface Sender {
  who: string
  headers: Record<string, string>
  /** Tenants whose data may be in the responses, such as 'ATL01:1001'. */
  own: Set<string>
  maySeeCodes: boolean
}

/** Returns e-mail addresses and phone numbers in a text, the latter as ten digits. */
const contactsIn = (text: string): string[] => [
  // Split by words, so that a word of 300,000 characters takes time only in proportion to its length.
  ...text
    .split(/[^\w.+'@-]+/)
    .filter((word) => word.length < 200 && /^[^@]+@[^@]+\.[^@]+$/.test(word))
    .map((word) => word.toLowerCase()),
  ...(text.match(/\(?\d{3}\)?[ -]?\d{3}-?\d{4}/g) ?? []).map((phone) => phone.replace(/\D/g, '')),
]

/**
 * Maps each tenant's e-mail address and phone numbers to the tenant, such as 'ATL01:1001'. Leaves out contacts of
 * facilities and those of several tenants.
 */
async function loadContactOwners(services: DemoServices): Promise<Map<string, string>> {
  const tenants = await services.db.read.selectFrom('tenants').selectAll().execute()
  const owners = new Map<string, Set<string>>()
  for (const tenant of tenants) {
    const owner = `${tenant.location_code}:${tenant.tenant_id}`
    for (const contact of contactsIn(
      `${tenant.email} ${tenant.cell_phone} ${tenant.home_phone} ${tenant.work_phone}`,
    )) {
      owners.set(contact, (owners.get(contact) ?? new Set()).add(owner))
    }
  }
  const publicContacts = contactsIn(
    JSON.stringify(await services.db.read.selectFrom('locations').selectAll().execute()),
  )
  for (const contact of publicContacts) owners.delete(contact)
  return new Map(
    [...owners].flatMap(([contact, [first, ...more]]) => (first && more.length === 0 ? [[contact, first]] : [])),
  )
}

/**
 * Describes a tenant's contact data in a response, unless it is the sender's own or was in the request, or a gate code
 * that the sender may not see; null for none.
 */
function findLeak(
  secrets: Map<string, string>,
  from: Sender,
  declared: AnyOperation,
  sent: Sent,
  text: string,
): string | null {
  // The example of `login` has the right password, so its response is for the owner of the account.
  if (declared.name === 'login') return null
  const sentContacts = new Set(
    contactsIn(`${decodeURIComponent(sent.path.replaceAll('+', ' '))} ${sent.init.body ?? ''}`),
  )
  for (const contact of contactsIn(text)) {
    const owner = secrets.get(contact)
    if (owner && !from.own.has(owner) && !sentContacts.has(contact)) return `tells ${from.who} ${contact} of ${owner}`
  }
  const code = /(?:gate|access)_?code"?[>:]"?(\d{4,})/i.exec(text)
  return code && !from.maySeeCodes ? `tells ${from.who} the gate code ${code[1]}` : null
}

/** Measures how long the process blocks, in its own CPU time, so that a busy machine does not count. */
function watchBlocks() {
  let longest = 0
  let at = performance.now()
  let used = process.cpuUsage()
  const timer = setInterval(() => {
    const now = performance.now()
    const { user, system } = process.cpuUsage(used)
    longest = Math.max(longest, Math.min(now - at, (user + system) / 1000))
    at = now
    used = process.cpuUsage()
  }, 1)
  return {
    take() {
      const block = longest
      longest = 0
      return block
    },
    stop: () => clearInterval(timer),
  }
}

const logLines: string[] = []

describeOnBothEngines('Fuzzed requests', (open, engine) => {
  const folder = temporaryFolder()
  let services: DemoServices
  let app: ReturnType<typeof createTestSite>

  beforeAll(async () => {
    const db = await open()
    await seedDemoInto(db, 11)
    services = servicesOn(db, folder, { cardProvider: approvingCardProvider(), bank: openBank() })
    const accessLog = openAccessLog(openLog('debug', { write: (line) => void logLines.push(line) }), () => '*')
    app = createTestSite(services, { config: configOf({ TRUST_PROXY: '1' }), accessLog })
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const cookieOf = async (ids: SessionIds) => {
    const session = await openSession(null, cookieKeys, false, services.clock)
    session.set(ids)
    return (await session.cookies()).map((line) => line.split(';')[0]).join('; ')
  }

  async function signInSender(locationCode: string, tenantId: number): Promise<Sender> {
    const { account_id: account } = await services.db.read
      .selectFrom('tenants')
      .select('account_id')
      .where('location_code', '=', locationCode)
      .where('tenant_id', '=', tenantId)
      .executeTakeFirstOrThrow()
    const tenants = await services.db.read.selectFrom('tenants').selectAll().where('account_id', '=', account).execute()
    const token = await signIn(services.db.write, services, account ?? '', { address: '', agent: '' })
    return {
      who: `tenant ${tenantId}`,
      headers: { Authorization: `Bearer ${token}` },
      own: new Set(tenants.map((tenant) => `${tenant.location_code}:${tenant.tenant_id}`)),
      maySeeCodes: true,
    }
  }

  /** Creates fresh senders, because in a long run the clock passes the end of their sign-ins. */
  async function createSenders(): Promise<Sender[]> {
    const nobody = { own: new Set<string>(), maySeeCodes: false }
    const daphne = await services.db.read
      .selectFrom('reservations')
      .selectAll()
      .where('reservation_code', '=', 'K7M2XQ9TRD')
      .executeTakeFirstOrThrow()
    const draft = await insertDraft(services.db.write, services, {
      locationCode: 'ATL01',
      unitTypeId: daphne.unit_type_id,
      tenantId: daphne.tenant_id,
      reservationCode: daphne.reservation_code,
      answers: { moveInDate: daphne.required_date },
    })
    const auction = await services.db.read.selectFrom('auction_winners').select('uuid').executeTakeFirst()
    const settlement = await services.db.read
      .selectFrom('settlements')
      .select(['uuid', 'location_code', 'tenant_id'])
      .executeTakeFirst()
    const elsewhere = await services.db.read
      .selectFrom('tenants')
      .select(['location_code', 'tenant_id'])
      .where('account_id', 'is not', null)
      .orderBy('location_code', 'desc')
      .orderBy('tenant_id')
      .limit(1)
      .execute()
    return [
      { who: 'nobody', headers: {}, ...nobody },
      { who: 'a wrong token', headers: { Authorization: 'Bearer nothing-of-the-kind' }, ...nobody },
      await signInSender('ATL01', 1001),
      ...(await Promise.all(elsewhere.map((tenant) => signInSender(tenant.location_code, tenant.tenant_id)))),
      {
        who: 'a rental session',
        headers: { Cookie: await cookieOf({ draftId: draft.draftId }) },
        own: new Set([`ATL01:${daphne.tenant_id}`]),
        maySeeCodes: true,
      },
      ...(auction
        ? [{ who: 'an auction link', headers: { Cookie: await cookieOf({ auction: auction.uuid }) }, ...nobody }]
        : []),
      ...(settlement
        ? [
            {
              who: 'a settlement link',
              headers: { Cookie: await cookieOf({ settlement: settlement.uuid }) },
              own: new Set([`${settlement.location_code}:${settlement.tenant_id}`]),
              maySeeCodes: false,
            },
          ]
        : []),
    ]
  }

  it(
    `of ${requests} at every operation and resource, none is answered amiss`,
    async () => {
      const random = seededRandom(seed + (engine === 'sqlite' ? 0 : 1))
      const secrets = await loadContactOwners(services)
      expect(secrets.size).toBeGreaterThan(20)
      const faults: string[] = []
      const logFaults: string[] = []
      const routes = app.routes.map(({ path }) => path)
      const statuses = new Map<number, number>()
      const blocks = isLong ? watchBlocks() : null
      let senders: Sender[] = []
      for (let index = 0; index < requests && faults.length < 5; index += 1) {
        if (index % 10_000 === 0) senders = await createSenders()
        const declared = everyOperation[index % everyOperation.length] as AnyOperation
        const sent = requestOf(random, declared)
        const from = pick(random, senders)
        const address = `10.${random.integer(0, 255)}.${random.integer(0, 255)}.${random.integer(1, 254)}`
        const headers: Record<string, string> = { ...sent.init.headers, 'X-Forwarded-For': address, ...from.headers }
        const keyChoice = random.integer(1, 6)
        if (keyChoice <= 2)
          headers['Idempotency-Key'] =
            keyChoice === 1 ? `key-${random.integer(1, 500)}` : pick(random, ['1', 'a b', 'x'.repeat(300)])
        const answer = await app.request(sent.path, { ...sent.init, headers })
        logFaults.push(...logLines.splice(0).flatMap((line) => accessLogFaults(line, routes, { ...sent, headers })))
        const text = answer.clone()
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        const found =
          (await findFault(declared, sent, answer)) ?? findLeak(secrets, from, declared, sent, await text.text())
        // A wrong request must not be reported as an error of the site.
        const failures = services.reported.splice(0).map(String)
        let blocked = 0
        if (blocks) {
          await nextTurn()
          blocked = blocks.take()
          if (index < warmUpRequests) blocked = 0
          // Garbage collection may hit any request; a blocking request blocks every time.
          for (let attempt = 0; attempt < 3 && blocked > longestBlockMs; attempt += 1) {
            await app.request(sent.path, { ...sent.init, headers })
            await nextTurn()
            blocked = Math.min(blocked, blocks.take())
            services.reported.splice(0)
          }
        }
        if (found || failures.length > 0 || blocked > longestBlockMs) {
          const why = [found, ...failures, blocked > longestBlockMs ? `blocks for ${Math.round(blocked)} ms` : ''].join(
            ' ',
          )
          faults.push(
            `${declared.name} (${from.who}, request ${index}) ${why}: ${sent.path.slice(0, 300)} ${sent.init.body?.slice(0, 600) ?? ''}`,
          )
        }
        services.clock.advance(1000)
      }
      blocks?.stop()
      expect(faults).toEqual([])
      expect(logFaults).toEqual([])
      // If nothing succeeded or nothing was refused, the requests were not as intended.
      expect(statuses.get(200) ?? 0).toBeGreaterThan(requests / 20)
      expect(statuses.get(400) ?? 0).toBeGreaterThan(requests / 20)
    },
    600_000 + requests * 30,
  )
})
