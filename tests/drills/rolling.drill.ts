import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../actors/free-port.ts'
import { environmentOf, run, type Site } from '../actors/run-site-process.ts'
import { type FailoverReport, runFailover, type Struck } from '../faults/failover.ts'
import { KEYS, prepareIdenticalServers } from '../faults/prepare-servers-on-shared-database.ts'
import { createPostgresDatabase, setup, teardown } from '../support/postgres.ts'
import { lastRelease, nextRelease } from './build-last-and-next-release.ts'
import type { Drill } from './drill-definition.ts'
import { ownAuthority, startHaproxy } from './start-reverse-proxies.ts'

const host = 'rent.latchkey.test'

interface Rolling {
  folder: string
  databaseUrl: string
  last: string
  next: string
  seed: number
  log: (line: string) => void
}

async function roll({ folder, databaseUrl, last, next, seed, log }: Rolling): Promise<string[]> {
  const front = await freePort()
  const violations = [] as string[]
  const publicUrl = `https://${host}:${front}`
  const roles = ['worker', 'web', 'web']
  /** Release that each server runs from its next start on. */
  const releases = roles.map(() => last)
  // The kiosks act as a proxy in front of HAProxy, so that each has its own network address.
  const environment = { KEYS, PUBLIC_URL: publicUrl, TRUST_PROXY: '2', DRAIN_MS: '5000' }
  const expectTrue = (claim: string, isTrue: boolean) => {
    log(`${isTrue ? 'holds' : 'DOES NOT HOLD'}: ${claim}`)
    if (!isTrue) violations.push(claim)
  }

  async function migrate(sandboxUrl: string, words: string[], clock = Date.now()) {
    const dataDir = join(folder, 'commands')
    mkdirSync(dataDir, { recursive: true })
    const env = {
      ...environmentOf({ dataDir, databaseUrl }, sandboxUrl),
      ...environment,
      CLOCK: new Date(clock).toISOString(),
    }
    return run([join(next, 'operator/launch.mjs'), 'migrate', ...words], env, next).ended
  }

  async function strike({ sites, sandboxUrl, killing }: Struck): Promise<void> {
    const restartOn = async (index: number, release: string) => {
      const site = sites[index]!
      const code = await site.end('SIGTERM')
      // The code is null when the process was not running, or when a signal killed it.
      if (code !== 0 && code !== null) violations.push(`${roles[index]} ${index} ended with ${code}: ${site.output()}`)
      releases[index] = release
      await site.start()
      log(`${roles[index]} ${index} runs the ${release === last ? 'last' : 'next'} release`)
    }
    const kill = async (site: Site) => {
      await killing(() => site.end('SIGKILL'))
      await site.start()
    }
    const expanded = await migrate(sandboxUrl, [])
    expectTrue('the next release expands the tables under the last', expanded.code === 0)
    await restartOn(0, next)
    await restartOn(1, next)
    await pause(3000)
    const refused = await migrate(sandboxUrl, ['--contract'])
    expectTrue(
      'migrate --contract is refused while both run',
      refused.code === 1 && /in the last five minutes/.test(refused.output),
    )
    for (const [index, site] of sites.entries()) {
      await kill(site)
      log(`${roles[index]} ${index} was killed and started again beside the other release`)
    }
    await restartOn(1, last)
    await restartOn(0, last)
    expectTrue(
      'going back to the last release works',
      sites.every((site) => site.fate() === null),
    )
    await pause(3000)
    for (const index of roles.keys()) await restartOn(index, next)
    const early = await migrate(sandboxUrl, ['--contract'])
    expectTrue('it is refused when the last release has just gone', early.code === 1)
    const contracted = await migrate(sandboxUrl, ['--contract'], Date.now() + 6 * 60_000)
    expectTrue(
      `it is done five minutes later (${contracted.output})`,
      contracted.code === 0 && /Done: 999/.test(contracted.output),
    )
    await pause(3000)
    await sites[2]!.end('SIGTERM')
    releases[2] = last
    const why = await sites[2]!.start().catch((error: Error) => error.message)
    expectTrue('from then on the last release is refused', /newer version/.test(String(why)))
    await sites[2]!.end('SIGKILL')
    await restartOn(2, next)
  }

  const report: FailoverReport = await runFailover({
    databaseUrl,
    seed,
    kiosks: 5,
    paceMs: 200,
    log,
    strike,
    async open() {
      const servers = await prepareIdenticalServers(roles.length, {
        databaseUrl,
        environment,
        each: (index) => ({ release: () => releases[index]!, environment: { ROLE: roles[index]! } }),
      })
      const pem = ownAuthority(join(folder, 'ca')).pemFor(host)
      const ports = servers.sites.slice(1).map(({ url }) => Number(new URL(url).port))
      const haproxy = await startHaproxy({ folder, port: front, ports, pem })
      return {
        ...servers,
        frontUrl: publicUrl,
        async close() {
          haproxy.kill('SIGTERM')
          await servers.close()
        },
      }
    },
  })
  const { violations: failoverViolations, ...counts } = report
  log(JSON.stringify(counts))
  if (report.failed > report.cut) violations.push(`${report.failed - report.cut} requests failed with 5xx`)
  if (report.movedIn === 0) violations.push('no kiosk has moved in')
  return [...violations, ...failoverViolations]
}

export default {
  about:
    'The last release and the next, a test build with two more migrations, serve side by side behind HAProxy under kiosks, are killed once each, rolled back and forward: no request fails but what a killed process had in flight, every invariant holds, and contract waits for the last release to be gone. --last takes the tarball of a real one.',
  needs: ['initdb', 'haproxy'],
  options: { last: { type: 'string' }, seed: { type: 'string', default: '1' } },
  async run({ last, seed }, log) {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-rolling-'))
    setup()
    try {
      log('packing the last release, building the next')
      const releases = { last: lastRelease(folder, last as string | undefined), next: nextRelease(folder) }
      const databaseUrl = await createPostgresDatabase('latchkey_rolling')
      return await roll({ ...releases, folder, databaseUrl, seed: Number(seed), log })
    } finally {
      await teardown()
      rmSync(folder, { recursive: true, force: true })
    }
  },
} satisfies Drill
