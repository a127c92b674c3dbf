/** Tests the simulated gates against the site itself, over HTTP on this machine. */
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { demoGateToken } from '../demo/gates.ts'
import { lockFacility } from '../modules/facilities/lock-facility-for-setup.ts'
import { changeGateCode } from '../modules/gate/change-tenant-gate-code.ts'
import { setGate } from '../modules/gate/set-gate-kind-and-hours.ts'
import { makeMachineKey } from '../modules/staff/machine-keys.ts'
import type { Clock } from '../ports/clock-and-random.ts'
import { listen } from '../server/http-server.ts'
import { freePort } from '../tests/actors/free-port.ts'
import { openerForTests, temporaryFolder } from '../tests/support/databases.ts'
import { configOf, createTestSite } from '../tests/support/site.ts'
import { openTestServices, type TestServices } from '../tests/support/small-operator.ts'
import type { GateFault } from './faults.ts'
import { GateController, type StoredGate } from './gate-controller.ts'
import { SANDBOX_GATE_KEY } from './gate-controller-per-facility.ts'
import { keypadPage } from './gate-pages.ts'
import { type Sandbox, startSandbox } from './server.ts'

const open = openerForTests()
const cleanups: (() => unknown)[] = []
let services: TestServices
let site: string
let key: string
let stored: StoredGate
let faults: GateFault[]

/** Ada's code is for unit 301, Cy's for unit 302. */
const ada = '482917'
const cy = '591734'

const overlock = (on: 0 | 1) =>
  services.db.write.updateTable('leases').set({ overlocked: on }).where('lease_number', '=', 10002).execute()

const eventsStored = () =>
  services.db.read.selectFrom('gate_events').select(['what', 'tenant_id', 'why']).orderBy('received_at').execute()

function controller(changes: { key?: string; clock?: Clock } = {}): GateController {
  const closing = new AbortController()
  cleanups.push(() => closing.abort())
  return new GateController({
    code: 'GA1',
    name: 'Depot Street',
    phone: '(404) 555-0100',
    site,
    key: changes.key ?? key,
    clock: changes.clock ?? services.clock,
    closing: closing.signal,
    stored,
    save: () => {},
    fault: () => faults.shift() ?? null,
  })
}

beforeEach(async () => {
  services = await openTestServices(await open())
  services.errors = { report: () => {} }
  const port = await freePort()
  site = `http://localhost:${port}`
  const app = createTestSite(services, { config: configOf({ PUBLIC_URL: site }) })
  const server = await listen({ fetch: app.fetch, first: () => false, host: 'localhost', port })
  expect((server.address() as AddressInfo).port).toBe(port)
  cleanups.push(() => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  await services.db.transaction(async (tx) => {
    await lockFacility(tx, 'GA1')
    const week = Array.from({ length: 7 }, () => ['05:00', '21:00'] as const)
    await setGate(tx, services, 'GA1', { kind: 'pull', week })
    const machineKey = await makeMachineKey(tx, services, 'test', {
      name: 'Gate',
      role: 'gate',
      scopes: [{ all: true }],
      pii: false,
      perMinute: 6000,
      expiresAt: null,
    })
    key = machineKey?.token ?? ''
  })
  stored = { list: null, waiting: [] }
  faults = []
})

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

it('opens for the codes of its last contact, and the site stores each event once, even if it is repeated', async () => {
  const gate = controller()
  expect(gate.type(ada)).toMatchObject({ opened: false })
  await gate.contact()
  expect(gate.type(ada)).toMatchObject({ opened: true, text: 'Open. Unit 301.' })
  await overlock(1)
  expect(gate.type(cy)).toMatchObject({ opened: true })
  await gate.contact()
  expect(gate.type(cy)).toMatchObject({ opened: false, text: 'Not accepted. Please call (404) 555-0100.' })
  expect(gate.type('123456')).toMatchObject({ opened: false })
  await overlock(0)
  await gate.contact()
  expect(gate.type(cy)).toMatchObject({ opened: true })
  gate.repeatsEvents = true
  for (const _ of [1, 2, 3]) await gate.contact()
  expect(gate.waiting).toBe(0)
  expect((await eventsStored()).map(({ what, tenant_id }) => `${what} ${tenant_id}`).sort()).toEqual([
    'opened 1001',
    'opened 1002',
    'opened 1002',
    'refused 1002',
  ])
})

it('keeps its list while disconnected and over a restart, updates it once connected, and connects after 72 hours', async () => {
  const gate = controller()
  await gate.contact()
  await overlock(1)
  gate.goAway(true)
  await gate.contact()
  expect(gate.type(cy)).toMatchObject({ opened: true })
  stored = structuredClone(stored)
  const restarted = controller()
  expect(restarted.type(cy)).toMatchObject({ opened: true })
  await restarted.contact()
  expect(restarted.type(cy)).toMatchObject({ opened: false })
  services.clock.advance(72 * 3_600_000)
  expect(gate.isAway).toBe(false)
})

it('keeps its list and its events if a response is lost', async () => {
  const gate = controller()
  await gate.contact()
  const before = gate.etag
  await overlock(1)
  gate.losesAnswers = true
  await gate.contact()
  expect([gate.etag, gate.problem]).toEqual([before, 'the answer was lost'])
  gate.losesAnswers = false
  gate.type(ada)
  faults = ['lost', 'down']
  await gate.contact()
  await gate.contact()
  expect([gate.etag, gate.waiting]).toEqual([before, 1])
  await gate.contact()
  expect(gate.etag).not.toBe(before)
  expect(await eventsStored()).toHaveLength(1)
})

it('shows for each code what the newest list from the site says, beside what the controller does', async () => {
  const gate = controller()
  /**
   * Returns the texts of a code's row: what the controller does, and what the newest list received from the site says.
   */
  const rowOf = async (code: string) => {
    const html = String(await keypadPage(gate, services.clock.now()))
    const cells = new RegExp(`<code>${code}</code></th><td>[^<]*</td><td>([^<]*)</td><td>(?:<strong>)?([^<]*)`)
    return cells.exec(html)?.slice(1)
  }
  await gate.contact()
  expect(await rowOf(cy)).toEqual(['in gate hours', 'in gate hours'])
  gate.losesAnswers = true
  await overlock(1)
  await gate.contact()
  expect(await rowOf(cy)).toEqual(['in gate hours', 'no'])
  expect(gate.type(cy)).toMatchObject({ opened: true })
  gate.losesAnswers = false
  await gate.contact()
  expect(await rowOf(cy)).toEqual(['no', 'no'])
  gate.goAway(true)
  await overlock(0)
  await gate.contact()
  expect(await rowOf(cy)).toEqual(['no', 'no'])
  await gate.requestSiteList()
  expect(await rowOf(cy)).toEqual(['no', 'in gate hours'])
  expect(gate.type(cy)).toMatchObject({ opened: false })
})

it('refuses the next new code on request, and reports it, also over a restart, until it accepts it', async () => {
  const refusedAtSite = async () => {
    const rows = await services.db.read
      .selectFrom('gate_wanted')
      .select(['gate_code', 'refused'])
      .where('refused', 'is not', null)
      .execute()
    return rows.map(({ gate_code, refused }) => `${gate_code}: ${refused}`)
  }
  const gate = controller()
  await gate.contact()
  gate.refuseNext()
  await overlock(1)
  await gate.contact()
  await overlock(0)
  await gate.contact()
  expect([gate.refusesNext, gate.type(ada).opened, await refusedAtSite()]).toEqual([true, true, []])
  const tenant = { locationCode: 'GA1', tenantId: 1001 }
  await services.db.transaction((tx) => changeGateCode(tx, services, tenant, '770011'))
  faults = ['lost']
  await gate.contact()
  await gate.contact()
  expect([gate.type('770011').opened, gate.type(cy).opened]).toEqual([false, true])
  expect(await refusedAtSite()).toEqual(['770011: no room left'])
  stored = structuredClone(stored)
  const restarted = controller()
  expect(restarted.type('770011').opened).toBe(false)
  restarted.refuseNext()
  await restarted.contact()
  expect([restarted.type('770011').opened, await refusedAtSite()]).toEqual([true, []])
})

it('stays shut outside its weekly hours, and shows when it opens', async () => {
  const gate = controller()
  await gate.contact()
  services.clock.advance(10 * 3_600_000)
  expect(gate.type(ada)).toMatchObject({ opened: false, text: 'Opens Saturday at 5 AM.' })
  services.clock.advance(6 * 3_600_000)
  expect(gate.type(ada)).toMatchObject({ opened: false, text: 'Opens at 5 AM.' })
  await gate.contact()
  expect((await eventsStored()).map(({ why }) => why)).toEqual(['hours', 'hours'])
})

it('opens nothing once its key was refused for 72 hours, also over a restart, until a key is accepted', async () => {
  const HOUR = 3_600_000
  const gate = controller()
  await gate.contact()
  const revoke = (at: number | null) => services.db.write.updateTable('machine_keys').set({ revoked_at: at }).execute()
  await revoke(services.clock.now())
  await gate.contact()
  services.clock.advance(71 * HOUR)
  await gate.contact()
  expect(gate.type(ada)).toMatchObject({ opened: true })
  stored = structuredClone(stored)
  const restarted = controller()
  services.clock.advance(HOUR)
  expect(restarted.type(ada)).toMatchObject({ opened: false, text: 'Not accepted. Please call (404) 555-0100.' })
  await restarted.contact()
  expect(restarted.type(cy)).toMatchObject({ opened: false })
  await revoke(null)
  await restarted.contact()
  expect(restarted.type(ada)).toMatchObject({ opened: true })
  await restarted.contact()
  const why = (await eventsStored()).map(({ what, why }) => `${what} ${why}`)
  expect(why.sort()).toEqual(['opened ', 'opened ', 'refused the key is refused', 'refused the key is refused'])
})

it('keeps its list however long it is disconnected', async () => {
  const gate = controller()
  await gate.contact()
  gate.goAway(true)
  services.clock.advance(30 * 24 * 3_600_000)
  gate.goAway(true)
  await gate.contact()
  expect(gate.type(ada)).toMatchObject({ opened: true })
})

it('carries out a remote opening once, also over a restart before the site has its event', async () => {
  const gate = controller()
  await gate.contact()
  const now = services.clock.now()
  await services.db.write
    .insertInto('gate_commands')
    .values({
      command_id: 'o1',
      location_code: 'GA1',
      tenant_id: 1001,
      point: 'main',
      staff_id: 'test',
      reason: 'at the gate',
      created_at: now,
      lapses_at: now + 30_000,
      done_at: null,
      answer: '',
    })
    .execute()
  await gate.contact()
  expect(gate.display?.text).toBe('Open. The office has opened the gate.')
  await services.db.write.updateTable('gate_commands').set({ done_at: null, answer: '' }).execute()
  stored = structuredClone(stored)
  const restarted = controller()
  await restarted.contact()
  expect(restarted.display).toBeNull()
})

it('keeps events that the site rejects for their time, and sends them again once its own clock is right', async () => {
  const ahead = { now: () => services.clock.now() + 10 * 60_000 }
  const gate = controller({ clock: ahead })
  await gate.contact()
  gate.type(ada)
  await gate.contact()
  expect([gate.waiting, await eventsStored()]).toEqual([1, []])
  stored = structuredClone(stored)
  const restarted = controller()
  await restarted.contact()
  await restarted.contact()
  expect([restarted.waiting, (await eventsStored()).length]).toEqual([0, 1])
})

it('shows why the site refuses its requests', async () => {
  const mistyped = controller({ key: `${key.slice(0, -4)}AAAA` })
  await mistyped.contact()
  expect(mistyped.problem).toBe('the site does not take this key')
  const unconnected = controller()
  await services.db.write.updateTable('gates').set({ kind: 'none' }).execute()
  await unconnected.contact()
  expect(unconnected.problem).toContain('no gate is connected here')
})

it('exists for each facility of the site, with a keypad that works without scripts', async () => {
  const sandbox: Sandbox = await startSandbox({
    port: 0,
    dataDir: temporaryFolder(),
    clock: services.clock,
    site,
    gateKey: key,
    faultKey: 'x',
  })
  cleanups.push(() => sandbox.close())
  const report = async () =>
    ((await (await fetch(`${sandbox.url}/gates?format=json`)).json()) as { gates: object[] }).gates
  await vi.waitFor(
    async () => expect(await report()).toContainEqual(expect.objectContaining({ facility: 'GA1', codes: 2 })),
    {
      timeout: 10_000,
    },
  )
  const keypad = `${sandbox.url}/gates/GA1`
  const response = await fetch(keypad, { method: 'POST', body: new URLSearchParams({ do: 'type', code: '482 917' }) })
  const html = await response.text()
  expect([response.status, html]).toEqual([200, expect.stringContaining('Open. Unit 301.')])
  expect(await (await fetch(`${sandbox.url}/gates`)).text()).toContain('/gates/GA1')
  await fetch(keypad, { method: 'POST', body: new URLSearchParams({ do: 'away' }) })
  await fetch(keypad, { method: 'POST', body: new URLSearchParams({ do: 'refuse' }) })
  const page = await (await fetch(keypad)).text()
  expect(page).toContain('Come back')
  expect(page).toContain('value="refuse" aria-pressed="true"')
  expect((await fetch(`${sandbox.url}/gates/XX9`)).status).toBe(404)
  const order = (kind: string) =>
    fetch(`${sandbox.url}/sandbox/faults`, {
      method: 'POST',
      headers: { authorization: 'Bearer x' },
      body: JSON.stringify({ orderId: 'GA1', kind, on: 'gate' }),
    })
  expect([(await order('repeat')).status, (await order('500')).status]).toEqual([201, 400])
})

it('has the key that the demo creates', () => {
  expect(SANDBOX_GATE_KEY).toBe(demoGateToken)
})
