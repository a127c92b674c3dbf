/** Machine keys of the API: what each role may call and read, and how a key is made, used, rotated and ended. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AnyOperation, operations, resources } from '../api/catalogue.ts'
import { openApi } from '../api/openapi/document.ts'
import { fieldsOf } from '../api/openapi/json-schema.ts'
import { machineKeyOperations, machineRolesFor } from '../domain/machine-key-operations.ts'
import { type MachineRole, machineRoles } from '../domain/machine-key-role-names-and-limits.ts'
import { parseScope } from '../domain/office/roles-and-permissions.ts'
import { addEntries } from '../modules/ledger/build-and-insert-entries.ts'
import { machineKeyEndingMail } from '../modules/messages/mails/machine-key-ending.ts'
import { mailExpiringKeys, makeMachineKey, type NewMachineKey } from '../modules/staff/machine-keys.ts'
import { MakeMachineKey } from '../modules/staff/operations/make-machine-key.ts'
import { RevokeMachineKey } from '../modules/staff/operations/revoke-machine-key.ts'
import { RotateMachineKey } from '../modules/staff/operations/rotate-machine-key.ts'
import { openDatabase } from '../platform/database/open.ts'
import { perform } from '../platform/operations/operation.ts'
import type { Services } from '../platform/operations/services.ts'
import { RateLimits } from '../platform/rate-limit-counters.ts'
import type { WebApp } from '../server/web/app.ts'
import { everyOperation } from './parse-wire-specification.ts'
import { describeOnBothEngines, openerForTests, placeOf } from './support/databases.ts'
import { recordsOf } from './support/rows.ts'
import { createTestSite, openTestSite } from './support/site.ts'
import { openTestServices, type TestServices } from './support/small-operator.ts'
import { addStaffCaller, type StaffCallers } from './support/staff.ts'

const DAY = 86_400_000

const ada = { location_code: 'GA1', tenant_id: 1001 }

/**
 * Makes a key without an operation of the office.
 * @returns the key's token
 */
async function makeKey(services: Services, role: MachineRole, changes: Partial<NewMachineKey> = {}): Promise<string> {
  const key = await services.db.transaction((tx) =>
    makeMachineKey(tx, services, 'test', {
      name: `${role} ${services.random.hex(4)}`,
      role,
      scopes: [{ all: true }],
      pii: true,
      perMinute: 6000,
      expiresAt: null,
      ...changes,
    }),
  )
  if (!key) throw new Error('The name is taken')
  return key.token
}

/** Calls an operation over HTTP as a program does. */
async function call(
  app: WebApp,
  { name }: Pick<AnyOperation, 'name'>,
  fields: Record<string, unknown>,
  token: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const remaining = { ...fields }
  const [method = 'POST', template = ''] = name.includes(' ') ? name.split(' ') : ['POST', `/api/ssm/${name}`]
  const path = template.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = encodeURIComponent(String(remaining[field]))
    delete remaining[field]
    return value
  })
  const query = method === 'GET' ? `?${new URLSearchParams(remaining as Record<string, string>)}` : ''
  const response = await app.request(`http://localhost:3000${path}${query}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(method !== 'GET' && { body: JSON.stringify(remaining) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers }
}

const GetTenantInfo = { name: 'GetTenantInfo' }
const GetStates = { name: 'GET /api/states' }
const refusal = (code: string) => ({ error: expect.objectContaining({ code }) })

/** The only operations by which a key may write. */
const writingCalls: readonly string[] = ['POST /api/gate/{facility}/events']

describe('Access of a machine key', () => {
  const open = openerForTests()
  let services: TestServices
  let app: WebApp
  beforeAll(async () => {
    // Some examples fail without the ports and records that they need, after access was checked.
    services = Object.assign(await openTestServices(await open()), { errors: { report: () => {} } })
    app = createTestSite(services)
  })

  it.each(machineRoles)('allows the listed operations of the role %s, and no other', async (role) => {
    const token = await makeKey(services, role)
    expect(everyOperation.map(({ name }) => name)).toEqual(expect.arrayContaining([...machineKeyOperations[role]]))
    for (const declared of everyOperation) {
      const { status } = await call(app, declared, declared.example.input, token)
      const isRefused = status === 403
      expect([declared.name, isRefused]).toEqual([declared.name, !machineKeyOperations[role].includes(declared.name)])
      expect([declared.name, status]).not.toEqual([declared.name, 401])
    }
  })

  it('is the same at the API, in its description and in docs/access.md', () => {
    const paths: Record<string, Record<string, { security?: Record<string, string[]>[] }>> = JSON.parse(
      JSON.stringify(openApi('https://x').paths),
    )
    const table = readFileSync(join(import.meta.dirname, '../docs/access.md'), 'utf8')
    for (const { name } of everyOperation) {
      const [method = '', path = ''] = name.includes(' ') ? name.split(' ') : ['POST', `/api/ssm/${name}`]
      const described = paths[path]?.[method.toLowerCase()]?.security?.flatMap(({ machineKey = [] }) => machineKey)
      const row = table.split('\n').find((line) => line.startsWith(`| \`${name}\` |`))
      expect([name, described]).toEqual([name, machineRolesFor(name)])
      expect([name, row?.split(' | ').at(-1)?.replace(/ \|$/, '').trim()]).toEqual([
        name,
        machineRolesFor(name).join(', '),
      ])
    }
  })

  it('lets the role site read what any visitor may read, and nothing else', () => {
    const reads = everyOperation.filter(({ access, writes }) => access === 'anyone' && !writes).map(({ name }) => name)
    expect([...machineKeyOperations.site].sort()).toEqual(reads.sort())
  })

  it('asks for the facility wherever a key reads what not everybody may', () => {
    const open = [...machineKeyOperations.tenants, ...machineKeyOperations.gate]
    for (const declared of everyOperation.filter(({ name }) => open.includes(name))) {
      const fields = fieldsOf(declared.input).filter(({ required }) => required)
      expect(fields.map(({ name }) => name)).toContain(declared.name.includes('/gate/') ? 'facility' : 'location_code')
    }
  })

  it('allows no operation that moves money or changes a code, price or person', () => {
    const writing = everyOperation.filter(({ writes }) => writes).map(({ name }) => name)
    const allowed = machineRoles.flatMap((role) => machineKeyOperations[role])
    expect(writing.filter((name) => allowed.includes(name))).toEqual(writingCalls)
    expect(writing.length).toBeGreaterThan(30)
  })

  it('ends at its facilities: records elsewhere are not found', async () => {
    const scopes = [parseScope('facility:GA1') ?? { all: true as const }]
    const tenants = await makeKey(services, 'tenants', { scopes })
    expect((await call(app, GetTenantInfo, ada, tenants)).status).toBe(200)
    const elsewhere = await call(app, GetTenantInfo, { ...ada, location_code: 'HI1' }, tenants)
    expect(elsewhere).toMatchObject({ status: 404, body: refusal('not_found') })
    const unknown = await call(app, GetTenantInfo, { ...ada, location_code: 'ZZ9' }, tenants)
    expect(unknown.body).toEqual(elsewhere.body)

    const site = await makeKey(services, 'site', { scopes: [parseScope('state:GA') ?? { all: true as const }] })
    const details = (location_code: string) => call(app, { name: 'GetLocationDetails' }, { location_code }, site)
    expect((await details('GA1')).status).toBe(200)
    expect(await details('HI1')).toMatchObject({ status: 404, body: refusal('not_found') })
  })

  it('reads nothing about a person without that right, and otherwise the same fields', async () => {
    const withPii = await makeKey(services, 'tenants')
    const withoutPii = await makeKey(services, 'tenants', { pii: false })
    await services.db.transaction((tx) =>
      addEntries(tx, services, { location_code: 'GA1', lease_number: 10001 }, '2026-11-20', [
        { kind: 'payment', cents: -1000, description: 'Payment by Visa **** 1111', once: 'payment:test' },
      ]),
    )
    const input = { ...ada, lease_no: 10001, lease_number: 10001 }
    const read = async (token: string) => {
      const answers = new Map<string, unknown>()
      for (const name of machineKeyOperations.tenants) {
        const { status, body } = await call(app, { name }, input, token)
        expect([name, status]).toEqual([name, 200])
        answers.set(name, body)
      }
      return answers
    }
    const complete = await read(withPii)
    const masked = await read(withoutPii)
    expect(JSON.stringify([...complete])).toMatch(/Ada.*Byrne.*1111/s)
    expect(JSON.stringify([...masked])).not.toMatch(/ada|byrne|@|1111/i)
    for (const [name, body] of complete)
      expect([name, Object.keys(masked.get(name) as object)]).toEqual([name, Object.keys(body as object)])
    expect(masked.get('GetTenantInfo')).toMatchObject({ tenantId: 1001, location_code: 'GA1', first: '', email: '' })
    expect(complete.get('GetTenantUnitLeaseDetails')).toMatchObject({ leaseNumber: 10001, gateCode: '', comboCode: '' })
  })

  it('counts calls by key, not by address', async () => {
    const slow = await makeKey(services, 'site', { perMinute: 3 })
    const other = await makeKey(services, 'site')
    for (let calls = 0; calls < 3; calls++) expect((await call(app, GetStates, {}, slow)).status).toBe(200)
    const tooFast = await call(app, GetStates, {}, slow)
    expect(tooFast).toMatchObject({ status: 429, body: refusal('too_many') })
    expect(Number(tooFast.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await call(app, GetStates, {}, other)).status).toBe(200)
    services.clock.advance(60_000)
    expect((await call(app, GetStates, {}, slow)).status).toBe(200)
  })

  it('counts an operation’s own limit by the key', async () => {
    const token = await makeKey(services, 'site')
    const other = await makeKey(services, 'site')
    const byEmail = { name: 'GetTenantDetailsByEmail' }
    const limit = operations.get(byEmail.name)?.limit?.points ?? 0
    expect(limit).toBeGreaterThan(0)
    const callByEmail = (token: string, index: number) => call(app, byEmail, { email: `x${index}@example.com` }, token)
    for (let index = 0; index < limit; index++) expect((await callByEmail(token, index)).status).toBe(200)
    expect((await callByEmail(token, limit)).status).toBe(429)
    expect((await callByEmail(other, limit)).status).toBe(200)
  })

  it('is not extended by a cookie, and is refused for a malformed or wrong token', async () => {
    const token = await makeKey(services, 'gate')
    const cookie = { cookie: 'latchkey=whatever' }
    expect(await call(app, GetTenantInfo, ada, token, cookie)).toMatchObject({ status: 403 })
    expect(resources.size).toBeGreaterThan(0)
    for (const badToken of [
      'lk_',
      'lk_000000000000_x',
      `${token}x`,
      token.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')),
    ])
      expect([badToken, await call(app, GetStates, {}, badToken)]).toMatchObject([
        badToken,
        { status: 401, body: refusal('unauthorized') },
      ])
    expect(services.security.recorded).toContainEqual(['key.refused', expect.objectContaining({ why: 'wrong' })])
  })
})

describeOnBothEngines('A key', (open) => {
  let services: TestServices
  let app: WebApp
  let owner: StaffCallers
  beforeEach(async () => {
    const site = await openTestSite(await open())
    services = site.services
    app = site.app
    owner = await addStaffCaller(services, 'owner')
  })

  const input = {
    name: 'Books',
    role: 'tenants',
    scopes: ['facility:GA1'],
    pii: false,
    days: 30,
    reason: 'For the bookkeeper',
  }

  async function make(changes: object = {}): Promise<{ key_id: string; token: string }> {
    const outcome = await perform(services, MakeMachineKey, { ...input, ...changes }, owner)
    if (!outcome.ok) throw new Error(JSON.stringify(outcome))
    return outcome.value
  }

  const callWith = (token: string, on = app) => call(on, GetTenantInfo, ada, token)

  it('works after it was created and audited, and is stored only as a hash', async () => {
    const { key_id, token } = await make()
    expect(token).toMatch(/^lk_[0-9A-Za-z]{12}_[\w-]{43}$/)
    expect((await callWith(token)).status).toBe(200)
    const rows = await services.db.read.selectFrom('machine_keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token.slice(16))
    const [audited] = await services.db.read
      .selectFrom('audit_events')
      .selectAll()
      .where('kind', '=', 'key.made')
      .execute()
    expect(audited).toMatchObject({ subject: key_id, reason: 'For the bookkeeper', permission: 'key.manage' })
    expect(await perform(services, MakeMachineKey, input, owner)).toMatchObject({ ok: false, status: 409 })
  })

  it('is made once where its form is sent twice at the same moment', async () => {
    for (const name of ['First', 'Second', 'Third']) {
      const outcomes = await Promise.all([0, 1].map(() => perform(services, MakeMachineKey, { ...input, name }, owner)))
      expect(outcomes.map((outcome) => outcome.ok).sort()).toEqual([false, true])
      expect(outcomes.find((outcome) => !outcome.ok)).toMatchObject({ status: 409, code: 'known' })
    }
    expect(await services.db.read.selectFrom('machine_keys').select('name').execute()).toHaveLength(3)
  })

  it('that is revoked fails at its next call, in another process too', async () => {
    const { key_id, token } = await make()
    const second = await openDatabase(placeOf(services.db))
    try {
      const otherServices: Services = {
        ...services,
        db: second,
        limits: new RateLimits({ db: second, clock: services.clock }),
      }
      const otherApp = createTestSite(otherServices)
      expect((await callWith(token, otherApp)).status).toBe(200)
      expect((await callWith(token)).status).toBe(200)
      const revoked = await perform(services, RevokeMachineKey, { key_id, reason: 'Lost' }, owner)
      expect(revoked.ok).toBe(true)
      // A second click changes nothing and leaves no event.
      expect(await perform(services, RevokeMachineKey, { key_id, reason: 'Lost' }, owner)).toEqual(revoked)
      expect(await recordsOf(services, 'audit_events', { kind: 'key.revoked', subject: key_id })).toHaveLength(1)
      for (const on of [otherApp, app])
        expect(await callWith(token, on)).toMatchObject({ status: 401, body: refusal('key_ended') })
    } finally {
      await second.close()
    }
  })

  it('accepts both secrets for 24 hours after a rotation, then only the new one', async () => {
    const { key_id, token } = await make()
    const rotated = await perform(services, RotateMachineKey, { key_id, reason: 'Yearly' }, owner)
    if (!rotated.ok) throw new Error(JSON.stringify(rotated))
    const newest = rotated.value.token
    expect(newest).not.toBe(token)
    // A second press must not end the secret that the program still uses.
    expect(await perform(services, RotateMachineKey, { key_id, reason: 'Yearly' }, owner)).toMatchObject({
      status: 409,
    })
    for (const secret of [token, newest]) expect((await callWith(secret)).status).toBe(200)
    services.clock.advance(DAY - 1)
    expect((await callWith(token)).status).toBe(200)
    services.clock.advance(1)
    expect(await callWith(token)).toMatchObject({ status: 401, body: refusal('key_ended') })
    expect((await callWith(newest)).status).toBe(200)
  })

  it('of any kind waits while the database may be a restored copy', async () => {
    const working = await Promise.all(machineRoles.map((role) => makeKey(services, role)))
    const revoked = await make({ name: 'Revoked since' })
    await perform(services, RevokeMachineKey, { key_id: revoked.key_id, reason: 'Leaked' }, owner)
    const younger = `lk_madesince001_${'x'.repeat(43)}`
    services.mayBeRestored = async () => true
    for (const token of [...working, revoked.token, younger])
      expect(await callWith(token)).toMatchObject({ status: 503, body: refusal('held') })
    services.mayBeRestored = async () => false
    expect(await callWith(revoked.token)).toMatchObject({ status: 401 })
    expect(await callWith(younger)).toMatchObject({ status: 401 })
  })

  it('ends on its day', async () => {
    const { token } = await make({ days: 1 })
    services.clock.advance(DAY - 1)
    expect((await callWith(token)).status).toBe(200)
    services.clock.advance(1)
    expect(await callWith(token)).toMatchObject({ status: 401, body: refusal('key_ended') })
  })

  it('stores its last use once a minute', async () => {
    const { token } = await make()
    const used = async () =>
      (await services.db.read.selectFrom('machine_keys').select(['last_used_at', 'last_address']).execute())[0]
    expect(await used()).toMatchObject({ last_used_at: null, last_address: '' })
    await callWith(token)
    const first = services.clock.now()
    expect(await used()).toMatchObject({ last_used_at: first, last_address: '127.0.0.1' })
    services.clock.advance(59_999)
    await callWith(token)
    expect(await used()).toMatchObject({ last_used_at: first })
    services.clock.advance(1)
    await callWith(token)
    expect(await used()).toMatchObject({ last_used_at: first + 60_000 })
  })

  it('is announced once to each owner 14 days before its end', async () => {
    await services.db.write.updateTable('staff').set({ password_hash: 'x' }).execute()
    await make({ name: 'Yearly', days: 365 })
    await make({ name: 'For two weeks', days: 14 })
    await make({ name: 'Without an end', days: null })
    const mails = () =>
      services.db.read
        .selectFrom('jobs')
        .select(['payload', 'run_at'])
        .where('kind', '=', 'machine_key_ending')
        .execute()
    services.clock.advance(351 * DAY - 1)
    expect(await mailExpiringKeys(services)).toBe(0)
    services.clock.advance(1)
    expect(await mailExpiringKeys(services)).toBe(1)
    services.clock.advance(DAY)
    expect(await mailExpiringKeys(services)).toBe(0)
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    const keys = JSON.parse(mail?.payload ?? '{}')
    expect(keys).toMatchObject({ staffId: owner.staff.staffId })
    const sent = await machineKeyEndingMail.compose(services, keys)
    expect(sent).toMatchObject({ letter: { subject: 'The key "Yearly" ends on 11/20/2027 at 5:00 PM UTC' } })
    await services.db.write.updateTable('machine_keys').set({ revoked_at: 1 }).execute()
    expect(await machineKeyEndingMail.compose(services, keys)).toBeNull()
  })
})
