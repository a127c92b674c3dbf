import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../actors/free-port.ts'
import { availableKinds, rentAtKiosk } from '../actors/renter.ts'
import type { Site } from '../actors/site.ts'
import { type Answer, Outage, Visitor } from '../actors/visitor.ts'
import { identicalServers } from '../faults/identical-servers.ts'
import { startSyncingPostgres } from '../support/postgres.ts'
import type { Drill } from './drill.ts'
import { caddyTooOld, ownAuthority, startCaddy, startHaproxy, startNginx } from './start-reverse-proxies.ts'

const host = 'rent.latchkey.test'
const proxies = { haproxy: startHaproxy, nginx: startNginx, caddy: startCaddy }
const names = Object.keys(proxies) as (keyof typeof proxies)[]
/** Request id that a simulated visitor sends, which no proxy may pass on to the site. */
const FORGED = 'an-id-that-a-visitor-chose'

const answerOf = (url: string, path: string): Promise<Answer> =>
  new Visitor(url, '203.0.113.9').send('GET', path, undefined, { 'x-request-id': FORGED })

/**
 * Checks what a visitor sees through a proxy.
 * @returns violations
 */
async function visited(url: string, serial: number): Promise<string[]> {
  const faults: string[] = []
  const hold = (what: string, holds: boolean) => void (holds || faults.push(what))
  const page = await answerOf(url, '/')
  hold('the home page is there', page.status === 200 && page.text.includes('</html>'))
  hold("the request id is the proxy's", ![undefined, FORGED].includes(String(page.headers['x-request-id'])))
  const own = await new Visitor(url, '203.0.113.9', { encodings: 'gzip' }).send('GET', '/login')
  hold("a person's page is compressed", own.status === 200 && own.headers['content-encoding'] === 'gzip')
  for (const path of ['/healthz', '/readyz', '/api/locations']) hold(path, (await answerOf(url, path)).status === 200)
  hold('metrics are not', (await answerOf(url, '/metrics')).status === 404)
  const kind = availableKinds[serial]!
  const told = await rentAtKiosk(
    { url },
    {
      kind,
      card: 'visa',
      email: `proxied${serial}@example.com`,
      patient: false,
      address: '203.0.113.10',
    },
  )
  hold(`a unit is rented (${told.end})`, told.end === 'moved in')
  return faults
}

/** Restarts one server after another while pages are requested. */
async function rolled(url: string, machines: Site[]): Promise<string[]> {
  let over = false
  const faults: string[] = []
  const asking = (async () => {
    let asked = 0
    for (; !over; asked += 1, await pause(50))
      await answerOf(url, '/size-guide').catch((error) => faults.push(`while a server is exchanged: ${error}`))
    return asked
  })()
  for (const machine of machines) {
    await machine.end('SIGTERM')
    await machine.start()
    // Time for the proxy's next health check.
    await pause(2500)
  }
  over = true
  return (await asking) > 20 ? faults : [...faults, 'hardly a page was asked for']
}

async function awayAndBack(url: string, machines: Site[]): Promise<string[]> {
  for (const machine of machines) await machine.end('SIGKILL')
  await pause(1500)
  const said = await answerOf(url, '/size-guide').catch((error: unknown) => error)
  for (const machine of machines) await machine.start()
  await pause(2500)
  const isPage = said instanceof Outage && said.message.includes('back in a moment')
  return isPage ? [] : [`with no server left the proxy says ${said}`]
}

export default {
  about:
    "HAProxy, nginx and Caddy, each with its shipped file and TLS before two servers: pages and health by the site's name, no metrics, a rental; servers are stopped and started in turn without a failed page, and with none left the proxy says so. --only names one.",
  needs: ['initdb'],
  needsFor: ({ only }) => names.filter((name) => only === undefined || name === only),
  options: { only: { type: 'string' } },
  whyNot: ({ only }) => (only === undefined || only === 'caddy' ? caddyTooOld() : null),
  async run({ only }, log) {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-proxies-'))
    chmodSync(folder, 0o755)
    const port = await freePort()
    const [url, pem] = [`https://${host}:${port}`, ownAuthority(join(folder, 'ca')).pemFor(host)]
    const postgres = startSyncingPostgres()
    const servers = await identicalServers(2, {
      databaseUrl: await postgres.create('latchkey'),
      environment: { PUBLIC_URL: url, DRAIN_MS: '3000' },
    })
    const { machines } = servers
    const faults: string[] = []
    try {
      for (const machine of machines) await machine.start()
      for (const [serial, name] of names.entries()) {
        if (only !== undefined && only !== name) continue
        const own = join(folder, name)
        mkdirSync(own)
        const ports = machines.map((machine) => Number(new URL(machine.url).port))
        const proxy: ChildProcess = await proxies[name]({ folder: own, port, ports, pem, host })
        try {
          const found = [
            ...(await visited(url, serial)),
            ...(await rolled(url, machines)),
            ...(await awayAndBack(url, machines)),
          ]
          log(`${name}: ${found.length === 0 ? 'holds' : 'DOES NOT HOLD'}`)
          faults.push(...found.map((fault) => `${name}: ${fault}`))
        } finally {
          const ended = new Promise((done) => proxy.once('exit', done))
          proxy.kill('SIGTERM')
          await ended
        }
      }
      return faults
    } finally {
      await servers.close()
      postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
} satisfies Drill
