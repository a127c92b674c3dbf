import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../actors/free-port.ts'
import { availableKinds, rentAtKiosk } from '../actors/renter.ts'
import type { Site } from '../actors/run-site-process.ts'
import { type Answer, Outage, Visitor } from '../actors/visitor-http-client.ts'
import { prepareIdenticalServers } from '../faults/prepare-servers-on-shared-database.ts'
import { startSyncingPostgres } from '../support/postgres.ts'
import type { Drill } from './drill-definition.ts'
import { caddyTooOld, ownAuthority, startCaddy, startHaproxy, startNginx } from './start-reverse-proxies.ts'

const host = 'rent.latchkey.test'
const proxies = { haproxy: startHaproxy, nginx: startNginx, caddy: startCaddy }
const names = Object.keys(proxies) as (keyof typeof proxies)[]
/** Request id that a simulated visitor sends, which no proxy may pass on to the site. */
const FORGED = 'an-id-that-a-visitor-chose'

const sendForged = (url: string, path: string): Promise<Answer> =>
  new Visitor(url, '203.0.113.9').send('GET', path, undefined, { 'x-request-id': FORGED })

/**
 * Checks pages, health, metrics and a rental through a proxy.
 * @param serial position in `availableKinds` of the unit type to rent
 * @returns violations
 */
async function visit(url: string, serial: number): Promise<string[]> {
  const faults: string[] = []
  const expectTrue = (claim: string, isTrue: boolean) => void (isTrue || faults.push(claim))
  const page = await sendForged(url, '/')
  expectTrue('the home page is there', page.status === 200 && page.text.includes('</html>'))
  expectTrue(
    "the request id is the proxy's",
    ![undefined, '', FORGED].includes(page.headers['x-request-id']?.toString()),
  )
  const privatePage = await new Visitor(url, '203.0.113.9', { encodings: 'gzip' }).send('GET', '/login')
  expectTrue(
    "a person's page is compressed",
    privatePage.status === 200 && privatePage.headers['content-encoding'] === 'gzip',
  )
  for (const path of ['/healthz', '/readyz', '/api/locations'])
    expectTrue(path, (await sendForged(url, path)).status === 200)
  expectTrue('metrics are not', (await sendForged(url, '/metrics')).status === 404)
  const kind = availableKinds[serial]!
  const result = await rentAtKiosk(
    { url },
    {
      kind,
      card: 'visa',
      email: `proxied${serial}@example.com`,
      patient: false,
      address: '203.0.113.10',
    },
  )
  expectTrue(`a unit is rented (${result.end})`, result.end === 'moved in')
  return faults
}

/** Restarts one server after another while pages are requested. Returns violations. */
async function restartInTurn(url: string, sites: Site[]): Promise<string[]> {
  let isOver = false
  const faults: string[] = []
  const requesting = (async () => {
    let requests = 0
    for (; !isOver; requests += 1, await pause(50))
      await sendForged(url, '/size-guide').catch((error) => faults.push(`while a server is exchanged: ${error}`))
    return requests
  })()
  for (const site of sites) {
    await site.end('SIGTERM')
    await site.start()
    // Time for the proxy's next health check.
    await pause(2500)
  }
  isOver = true
  return (await requesting) > 20 ? faults : [...faults, 'hardly a page was asked for']
}

/** Kills all servers, requests a page, expects the proxy's own error page, and restarts the servers. Returns violations. */
async function stopAll(url: string, sites: Site[]): Promise<string[]> {
  for (const site of sites) await site.end('SIGKILL')
  await pause(1500)
  const outcome = await sendForged(url, '/size-guide').catch((error: unknown) => error)
  for (const site of sites) await site.start()
  await pause(2500)
  const isErrorPage = outcome instanceof Outage && outcome.message.includes('back in a moment')
  return isErrorPage ? [] : [`with no server left the proxy says ${outcome}`]
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
    const url = `https://${host}:${port}`
    const pem = ownAuthority(join(folder, 'ca')).pemFor(host)
    const postgres = startSyncingPostgres()
    const servers = await prepareIdenticalServers(2, {
      databaseUrl: await postgres.create('latchkey'),
      environment: { PUBLIC_URL: url, DRAIN_MS: '3000' },
    })
    const { sites } = servers
    const faults: string[] = []
    try {
      for (const site of sites) await site.start()
      for (const [serial, name] of names.entries()) {
        if (only !== undefined && only !== name) continue
        const proxyFolder = join(folder, name)
        mkdirSync(proxyFolder)
        const ports = sites.map((site) => Number(new URL(site.url).port))
        const proxy: ChildProcess = await proxies[name]({ folder: proxyFolder, port, ports, pem, host })
        try {
          const found = [
            ...(await visit(url, serial)),
            ...(await restartInTurn(url, sites)),
            ...(await stopAll(url, sites)),
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
