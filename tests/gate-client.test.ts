/** The example client of docs/running/gates.md, run as a stranger would run it. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished, vi } from 'vitest'
import { lockFacility } from '../modules/facilities/lock-facility-for-setup.ts'
import { setGate } from '../modules/gate/set-gate-kind-and-hours.ts'
import { makeMachineKey } from '../modules/staff/machine-keys.ts'
import { serverForTests } from '../ports/testing-server.ts'
import { listen } from '../server/http-server.ts'
import { freePort } from './actors/free-port.ts'
import { openerForTests } from './support/databases.ts'
import { configOf, createTestSite } from './support/site.ts'
import { openTestServices } from './support/small-operator.ts'

const open = openerForTests()
const client = join(import.meta.dirname, '../docs/running/gate-client.mjs')

/** Code that runs first in the client's process: the pauses of two seconds between its calls take a twentieth. */
const shortPauses = `{
  const wait = setTimeout
  globalThis.setTimeout = (done, ms, ...more) => wait(done, ms === 2000 ? 100 : ms, ...more)
}`

/**
 * Starts the client. `preload` is further code that runs first in the client's process, such as a clock that the test
 * moves.
 */
function startClient(site: string, { key = 'lk_test', preload = '' } = {}) {
  const before = `--import=data:text/javascript,${encodeURIComponent(`${shortPauses}\n${preload}`)}`
  const running = spawn(process.execPath, [before, client, site, 'GA1'], { env: { ...process.env, GATE_KEY: key } })
  onTestFinished(() => void running.kill())
  const lines: string[] = []
  createInterface({ input: running.stdout }).on('line', (line) => lines.push(line))
  /** Returns the first matching line at index `from` or later, as soon as it is printed. */
  const waitForLine = (line: RegExp, from = 0) =>
    vi.waitFor(
      () => {
        const found = lines.slice(from).find((text) => line.test(text))
        if (found === undefined) throw new Error(`${line} is not in: ${lines.slice(from).join(' | ')}`)
        return found
      },
      { timeout: 20_000, interval: 20 },
    )
  return {
    waitForLine,
    /**
     * Types a code at the keypad.
     * @returns output line, which begins with `open` or `shut`
     */
    typeCode(code: string) {
      const from = lines.length
      running.stdin.write(`${code}\n`)
      return waitForLine(/^(open|shut)/, from)
    },
    /** Makes the preloaded code of the test move the clock. */
    async moveClock() {
      const from = lines.length
      running.kill('SIGUSR2')
      await waitForLine(/^clock moved$/, from)
    },
  }
}

const waitUntil = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 20 })

interface SentEvent {
  id: string
  what: string
  at: string
  code_id?: string
  command?: string
  why?: string
}

/** A response of a simulated site; 'cut' closes the connection instead. */
type SimulatedResponse = { status: number; headers?: Record<string, string>; body?: object } | 'cut'

/** Starts a simulated site, which answers each call with the test's response. Returns the site's URL. */
const startSimulatedSite = (answers: {
  state(etag: string): SimulatedResponse
  events?(sent: SentEvent[]): SimulatedResponse
  other?(path: string): SimulatedResponse
}): Promise<string> =>
  serverForTests(async (request, response) => {
    const path = request.url ?? ''
    const answer: SimulatedResponse =
      path === '/api/gate/GA1/state'
        ? answers.state(request.headers['if-none-match'] ?? '')
        : path === '/api/gate/GA1/events'
          ? (answers.events ?? (() => eventsTaken))(JSON.parse(await textOf(request)).events)
          : (answers.other ?? (() => notFound))(path)
    if (answer === 'cut') return void request.socket.destroy()
    response.writeHead(answer.status, answer.headers)
    response.end(answer.body && JSON.stringify(answer.body))
  }, onTestFinished)

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const notFound: SimulatedResponse = { status: 404 }
const eventsTaken: SimulatedResponse = { status: 200, body: { taken: 1, known: 0, unread: [] } }

const list = {
  facility: 'GA1',
  epoch: 'e1',
  version: 1,
  zone: 'America/New_York',
  poll_s: 0.05,
  week: Array.from({ length: 7 }, () => null),
  codes: [
    { id: 'c1', code: '591734', opens: true, hours: 'any', units: ['302'] },
    { id: 'c2', code: '482917', opens: true, hours: 'week', units: ['301'] },
    { id: 'c3', code: '770011', opens: false, hours: 'any', units: ['303'] },
  ],
  open: [] as object[],
}
const answerList = (etag: string): SimulatedResponse =>
  etag === '"e1-1"' ? { status: 304 } : { status: 200, body: list }

it('has at most 40 lines', () => {
  expect(readFileSync(client, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(40)
})

it('opens the gate for the listed codes and reports its events', async () => {
  const services = await openTestServices(await open())
  // The client uses this machine's clock, and the site refuses events far in the future.
  services.clock.set(Date.now())
  const port = await freePort()
  const site = `http://localhost:${port}`
  const app = createTestSite(services, { config: configOf({ PUBLIC_URL: site }) })
  const server = await listen({ fetch: app.fetch, first: () => false, host: 'localhost', port })
  onTestFinished(() => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  const key = await services.db.transaction(async (tx) => {
    await lockFacility(tx, 'GA1')
    const week = Array.from({ length: 7 }, () => ['00:00', '24:00'] as const)
    await setGate(tx, services, 'GA1', { kind: 'pull', week })
    const gate = { name: 'Gate', role: 'gate', pii: false, perMinute: 6000, expiresAt: null } as const
    return makeMachineKey(tx, services, 'test', { ...gate, scopes: [{ facility: 'GA1' }] })
  })

  const client = startClient(site, { key: key?.token })
  const firstList = await client.waitForLine(/^list e\w+-\d+: 2 codes$/)
  expect(await client.typeCode('591734')).toBe('open: unit 302')
  await services.db.write.updateTable('leases').set({ overlocked: 1 }).where('lease_number', '=', 10002).execute()
  await client.waitForLine(new RegExp(`^(?!${firstList})list e\\w+-\\d+: 2 codes$`))
  expect(await client.typeCode('591734')).toBe('shut')
  expect(await client.typeCode('123456')).toBe('shut')
  await vi.waitFor(
    async () => {
      const events = await services.db.read.selectFrom('gate_events').select('what').orderBy('at').execute()
      expect(events.map(({ what }) => what)).toEqual(['opened', 'refused'])
    },
    { timeout: 20_000, interval: 50 },
  )
}, 60_000)

it('carries out a remote opening once, and sends its event until the site has stored the event', async () => {
  const calls: SentEvent[][] = []
  const isTaken = () => calls.length >= 3
  const site = await startSimulatedSite({
    state: (etag) => {
      const open = [{ id: 'o1', point: 'main', within_s: 30 }]
      return isTaken() ? answerList(etag) : { status: 200, body: { ...list, open } }
    },
    events(sent) {
      calls.push(sent)
      return isTaken() ? eventsTaken : 'cut'
    },
  })
  const client = startClient(site)
  await waitUntil(() => expect(calls.length).toBe(3))
  expect(await client.typeCode('591734')).toBe('open: unit 302')
  await waitUntil(() => expect(calls.length).toBe(4))
  const [first] = calls[0] ?? []
  expect(first).toMatchObject({ what: 'opened', command: 'o1' })
  expect(calls.slice(0, 3)).toEqual([[first], [first], [first]])
  expect(calls[3]).toEqual([expect.objectContaining({ what: 'opened', code_id: 'c1' })])
}, 60_000)

it('says why a code does not open, and sends again what the site could not read', async () => {
  const calls: SentEvent[][] = []
  const site = await startSimulatedSite({
    state: answerList,
    events(sent) {
      calls.push(sent)
      const unread = calls.length === 1 ? [{ place: 0, why: 'at: lies ahead of our clock' }] : []
      return { status: 200, body: { taken: sent.length - unread.length, known: 0, unread } }
    },
  })
  const client = startClient(site)
  await client.waitForLine(/^list e1-1: 3 codes$/)
  expect(await client.typeCode('482917')).toBe('shut')
  await waitUntil(() => expect(calls.length).toBe(2))
  expect(calls[0]).toMatchObject([{ what: 'refused', code_id: 'c2', why: 'hours' }])
  expect(calls[1]).toEqual(calls[0])
  expect(await client.typeCode('770011')).toBe('shut')
  await waitUntil(() => expect(calls.length).toBe(3))
  expect(calls[2]).toMatchObject([{ what: 'refused', code_id: 'c3', why: 'closed' }])
}, 60_000)

it('opens nothing once its key has been refused for 72 hours, until the key is accepted', async () => {
  let isRefused = false
  let accepted = 0
  const site = await startSimulatedSite({
    state(etag) {
      if (isRefused) return { status: 401, headers: { 'retry-after': '0.05' }, body: { error: 'unauthorized' } }
      accepted += 1
      return answerList(etag)
    },
  })
  const preload = `
    const now = Date.now
    let ahead = 0
    Date.now = () => now() + ahead
    process.on('SIGUSR2', () => {
      ahead += 36 * 3_600_000
      console.log('clock moved')
    })`
  const client = startClient(site, { preload })
  await client.waitForLine(/^list e1-1/)
  isRefused = true
  await client.waitForLine(/401/)
  expect(await client.typeCode('591734')).toBe('open: unit 302')
  await client.moveClock()
  expect(await client.typeCode('591734')).toBe('open: unit 302')
  await client.moveClock()
  expect(await client.typeCode('591734')).toBe('shut')
  isRefused = false
  const before = accepted
  // The client makes its second call only after it has processed the first response.
  await waitUntil(() => expect(accepted).toBeGreaterThan(before + 1))
  expect(await client.typeCode('591734')).toBe('open: unit 302')
}, 60_000)

it('waits as long as Retry-After says, and follows no redirect', async () => {
  const paths: string[] = []
  const answers: SimulatedResponse[] = [
    { status: 429, headers: { 'retry-after': '37' } },
    { status: 302, headers: { location: '/elsewhere' } },
  ]
  const site = await startSimulatedSite({
    state: (etag) => answers.shift() ?? answerList(etag),
    other(path) {
      paths.push(path)
      return { status: 404 }
    },
  })
  const preload = `
    const wait = setTimeout
    globalThis.setTimeout = (done, ms) => {
      if (ms === 37_000) console.log('waits 37 s')
      return wait(done, ms === 37_000 ? 0 : ms)
    }`
  const client = startClient(site, { preload })
  await client.waitForLine(/^waits 37 s$/)
  await client.waitForLine(/^list e1-1/)
  expect([answers, paths]).toEqual([[], []])
}, 60_000)
