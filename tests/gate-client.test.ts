/** The example client of docs/running/gates.md, run as a stranger would run it. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished, vi } from 'vitest'
import { lockFacility } from '../modules/facilities/setup-lock.ts'
import { setGate } from '../modules/gate/connect-gate.ts'
import { makeMachineKey } from '../modules/staff/machine-keys.ts'
import { listen } from '../server/http-server.ts'
import { freePort } from './actors/free-port.ts'
import { openerForTests } from './support/databases.ts'
import { configOf, createTestSite } from './support/site.ts'
import { openTestServices } from './support/small-operator.ts'

const open = openerForTests()
const client = join(import.meta.dirname, '../docs/running/gate-client.mjs')

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

  const running = spawn(process.execPath, [client, site, 'GA1'], { env: { ...process.env, GATE_KEY: key?.token } })
  onTestFinished(() => void running.kill())
  const said: string[] = []
  createInterface({ input: running.stdout }).on('line', (line) => said.push(line))
  const says = (line: RegExp) => vi.waitFor(() => expect(said.at(-1)).toMatch(line), { timeout: 20_000, interval: 50 })
  await says(/^list e\w+-1: 2 codes$/)
  running.stdin.write('591734\n')
  await says(/^open: unit 302$/)
  await services.db.write.updateTable('leases').set({ overlocked: 1 }).where('lease_number', '=', 10002).execute()
  await says(/^list e\w+-2: 2 codes$/)
  running.stdin.write('591734\n')
  await says(/^shut$/)
  running.stdin.write('123456\n')
  await vi.waitFor(
    async () => {
      const events = await services.db.read.selectFrom('gate_events').select('what').orderBy('at').execute()
      expect(events.map(({ what }) => what)).toEqual(['opened', 'refused'])
    },
    { timeout: 20_000, interval: 50 },
  )
}, 60_000)
