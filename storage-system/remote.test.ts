/** A website's house whose storage system is behind its own doors: the same outcomes as in process, over XML. */
import { beforeEach, describe, expect, it } from 'vitest'
import { describeOnBothEngines } from '../database/testing.ts'
import { seededRandom, standingClock } from '../ports/testing.ts'
import { operations } from './catalogue.ts'
import { doors } from './http.ts'
import { type Callers, type House, perform } from './operation.ts'
import { Circuit, remoteStorageSystem } from './remote.ts'
import { SaveReservationDetails_WEB } from './reservations.ts'
import { AddTenantNotes, GetTenantInfo } from './tenants.ts'
import { asAda, contact, openTestHouse, type TestHouse, visitor, withDraft } from './testing.ts'
import { GetUnitsList } from './units.ts'

const siteKey = 'a-key-that-website-and-storage-system-share'
const reservation = { location_code: 'GA1', unit_type_id: 1, move_in_date: '11/22/2026', ...contact }

/** The other server, reached through its doors without a network between; `trouble` stands for the network. */
function network(house: House) {
  const api = doors({ house, callers: async () => visitor(), grant: async () => {}, siteKey })
  const net = {
    asked: 0,
    paused: [] as number[],
    reported: [] as unknown[],
    counted: [] as string[],
    /** What happens to the next calls: lost on the way there, on the way back, or as answered. */
    trouble: [] as ('lost' | 'answer lost' | Response)[],
    async fetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
      net.asked += 1
      const next = net.trouble.shift()
      if (next === 'lost') throw new TypeError('fetch failed')
      if (next instanceof Response) return next
      const answer = await api.request(String(url).replace('https://records.example/api', ''), init)
      if (next === 'answer lost') throw new DOMException('timed out', 'TimeoutError')
      return answer
    },
  }
  return net
}

function websiteOf(house: TestHouse) {
  const net = network(house)
  const storageSystem = remoteStorageSystem({
    url: 'https://records.example',
    siteKey,
    clock: house.clock,
    random: seededRandom(5),
    fetch: net.fetch as typeof fetch,
    pause: async (milliseconds) => {
      net.paused.push(milliseconds)
      house.clock.advance(milliseconds)
    },
    report: (error) => net.reported.push(error),
    count: (outcome) => net.counted.push(outcome),
  })
  // A website that would do it itself after all would fail.
  const website: House = {
    ...house,
    storageSystem,
    db: new Proxy({} as House['db'], {
      get: () => {
        throw new Error('the website asked its own database')
      },
    }),
  }
  return { website, net, storageSystem }
}

describeOnBothEngines('A storage system on another address', (openDatabase) => {
  let house: TestHouse
  beforeEach(async () => {
    house = await openTestHouse(await openDatabase())
  })
  const reservations = async () => (await house.db.read.selectFrom('reservations').selectAll().execute()).length

  it('answers as it does in process: values with their types, refusals with their fields, grants', async () => {
    const { website } = websiteOf(house)
    const both = async (name: string, input: unknown, callers: Callers) => {
      const declared = operations.get(name)!
      return [await perform(website, declared, input, callers), await perform(house, declared, input, callers)]
    }
    const asked: [string, unknown, Callers][] = [
      ['GetUnitsList', { location_code: 'GA1' }, visitor()],
      ['GetLocationUnitTypes', { location_code: 'GA1' }, visitor()],
      ['GetAllDiscounts', { location_code: 'HI1', unit_type_id: 1 }, visitor()],
      ['GetInsuranceSchemes', { location_code: 'HI1' }, visitor()],
      ['GetTenantInfo', { location_code: 'GA1', tenant_id: 1001 }, asAda],
      ['GetTenantInfo', { location_code: 'GA1', tenant_id: 1002 }, asAda],
      ['GetTenantInfo', { location_code: 'GA1', tenant_id: 1001 }, visitor()],
      ['GetTenantInfo', { location_code: 'GA1', tenant_id: 1001 }, { ...visitor(), site: true }],
      ['GetTenantInfo', { location_code: 'GA1', tenant_id: 'x' }, asAda],
      ['GetLocationDetails', { location_code: 'NOWHERE' }, visitor()],
      ['login', { username: 'nobody@example.com', password: 'Tom & <Jerry>' }, visitor()],
    ]
    for (const [name, input, callers] of asked) {
      const [remote, here] = await both(name, input, callers)
      expect(remote, name).toEqual(JSON.parse(JSON.stringify(here)))
    }
    const made = await perform(website, SaveReservationDetails_WEB, reservation, visitor())
    expect(made.ok && made.grants?.draftId).toBeTruthy()
    const session = await withDraft(house, made.ok ? made.grants?.draftId : undefined)
    const own = { location_code: 'GA1', tenant_id: session.rental?.tenantId }
    const info = await perform(website, GetTenantInfo, own, session)
    expect(info.ok && info.value.first).toBe(contact.first)
  })

  it('gives three tries, three seconds apart, and a write whose answer was lost is done once', async () => {
    const { website, net } = websiteOf(house)
    net.trouble = ['lost', 'answer lost']
    const made = await perform(website, SaveReservationDetails_WEB, reservation, visitor())
    expect(made).toMatchObject({ ok: true, replayed: true })
    expect([net.asked, net.paused]).toEqual([3, [3000, 3000]])
    expect(net.reported).toHaveLength(2)
    expect(await reservations()).toBe(1)
  })

  it('passes a caller’s own idempotency key on', async () => {
    const { website } = websiteOf(house)
    const key = 'a-key-of-the-callers-own'
    const first = await perform(website, SaveReservationDetails_WEB, reservation, visitor(), key)
    const second = await perform(website, SaveReservationDetails_WEB, reservation, visitor(), key)
    expect([first.ok, second.replayed]).toEqual([true, true])
    expect(await reservations()).toBe(1)
  })

  it('is not asked again after an answer, however it turned out', async () => {
    const { website, net } = websiteOf(house)
    await perform(website, AddTenantNotes, { location_code: 'GA1', tenant_id: 1001, note: 'x' }, visitor())
    expect([net.asked, net.paused, net.reported]).toEqual([1, [], []])
    // What does not parse is not sent at all.
    await perform(website, AddTenantNotes, {}, asAda)
    expect(net.asked).toBe(1)
  })

  it('case 21: answers 503 with Retry-After while it cannot be reached, then leaves it alone, then probes', async () => {
    const { website, net, storageSystem } = websiteOf(house)
    const units = () => perform(website, GetUnitsList, { location_code: 'GA1' }, visitor())
    net.trouble = Array.from({ length: 6 }, () => 'lost' as const)
    expect(await units()).toMatchObject({ ok: false, status: 503, code: 'unavailable', retryAfter: 3 })
    expect(net.asked).toBe(3)
    // Two more failures open the circuit; the third try is held back.
    expect(await units()).toMatchObject({ ok: false, status: 503 })
    expect([net.asked, storageSystem.circuit.state]).toEqual([5, 'open'])
    const held = await units()
    expect(held).toMatchObject({ ok: false, status: 503 })
    expect(!held.ok && held.retryAfter).toBeGreaterThan(0)
    expect(net.asked).toBe(5)
    house.clock.advance(10_000)
    expect(storageSystem.circuit.state).toBe('half-open')
    // The probe fails: closed again at once, for as long.
    expect(await units()).toMatchObject({ ok: false, status: 503 })
    expect([net.asked, storageSystem.circuit.state]).toEqual([6, 'open'])
    house.clock.advance(10_000)
    expect((await units()).ok).toBe(true)
    expect(storageSystem.circuit.state).toBe('closed')
    expect(net.counted.at(-1)).toBe('answered')
  })

  it.each([
    ['a fault', () => new Response('oh', { status: 500 })],
    ['a busy server', () => new Response('busy', { status: 503, headers: { 'Retry-After': '1' } })],
    ['a page instead of an answer', () => new Response('<html><p>hi</html>', { status: 200 })],
    ['another operation’s answer', () => new Response('<LoginResult/>', { status: 200 })],
    ['nothing', () => new Response('', { status: 200 })],
    [
      'another key',
      () => new Response('<Error><Code>invalid_site_caller</Code><Message>m</Message></Error>', { status: 401 }),
    ],
    ['an empty refusal', () => new Response('', { status: 403 })],
  ])('tries again after %s', async (_, answer) => {
    const { website, net } = websiteOf(house)
    net.trouble = [answer()]
    expect((await perform(website, GetUnitsList, { location_code: 'GA1' }, visitor())).ok).toBe(true)
    expect([net.asked, net.reported.length]).toEqual([2, 1])
  })
})

describe('the circuit', () => {
  it('lets one probe through at a time', () => {
    const clock = standingClock(0)
    const circuit = new Circuit(clock)
    for (let at = 0; at < 5; at += 1) {
      expect(circuit.enter()).toBe(0)
      circuit.failed()
    }
    expect(circuit.enter()).toBe(10)
    clock.advance(9_500)
    expect(circuit.enter()).toBe(1)
    clock.advance(500)
    expect([circuit.enter(), circuit.enter(), circuit.enter()]).toEqual([0, 1, 1])
    circuit.succeeded()
    expect(circuit.enter()).toBe(0)
  })

  it('forgets failures that a success has interrupted', () => {
    const circuit = new Circuit(standingClock(0))
    for (let at = 0; at < 20; at += 1) {
      circuit.failed()
      if (at % 4 === 3) circuit.succeeded()
    }
    expect(circuit.state).toBe('closed')
  })
})
