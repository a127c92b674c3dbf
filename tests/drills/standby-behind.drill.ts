import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { toWire } from '../../domain/money.ts'
import type { ProviderComparison } from '../../modules/payments/reconcile-with-provider.ts'
import { environmentOf, killPostgres, run } from '../actors/run-site-process.ts'
import { runFailover } from '../faults/failover.ts'
import { KEYS, type Servers } from '../faults/prepare-servers-on-shared-database.ts'
import { type PostgresPair, startPostgresPair } from '../support/postgres.ts'
import { openRedirectableProxy } from '../support/redirectable-tcp-proxy.ts'
import type { Drill } from './drill-definition.ts'
import { processesOf } from './start-patroni-cluster.ts'

const BEHIND_MS = 3000

/** Returns the id of the standby's WAL receiver process. */
function receiverOf({ standby }: PostgresPair): number {
  const postmaster = Number(readFileSync(join(standby.dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0])
  const pid = processesOf(postmaster).find((child) =>
    /walreceiver/.test(readFileSync(`/proc/${child}/cmdline`, 'utf8')),
  )
  if (pid === undefined) throw new Error('The standby does not follow')
  return pid
}

/** Makes the primary's commits no longer wait for the standby. */
async function makeAsynchronous({ primary }: PostgresPair): Promise<void> {
  const client = new pg.Client(primary.url('postgres'))
  await client.connect()
  await client.query("alter system set synchronous_standby_names = ''")
  await client.query('select pg_reload_conf()')
  await client.end()
}

/**
 * Returns a check for the time after the failover: lists the card charges that the provider has and the new primary
 * lacks, enters them into the database, and reports any that remain.
 */
const decideLostCharges =
  (databaseUrl: string, since: string, log: (line: string) => void) =>
  async ({ folder, sandboxUrl }: Servers): Promise<string[]> => {
    const faults: string[] = []
    const place = { dataDir: join(folder, 'server-0'), databaseUrl }
    const command = (...words: string[]) =>
      run(['operator/launch.mjs', ...words], { ...environmentOf(place, sandboxUrl), KEYS }).ended
    const compare = async () => {
      const { code, output } = await command('reconcile', '--provider', '--since', since, '--json')
      if (code !== 0) throw new Error(output)
      return JSON.parse(output.slice(output.indexOf('{'))) as ProviderComparison
    }
    const { lost } = await compare()
    log(`${lost.length} charged orders are gone: ${toWire(lost.reduce((sum, { amount }) => sum + amount, 0))}`)
    if (lost.length === 0) faults.push('no order was lost: the standby was not behind')
    log((await command('reconcile', '--provider', '--since', since, '--adopt', 'all')).output)
    const left = (await compare()).lost.length
    if (left > 0) faults.push(`${left} orders of the provider are still not in the books`)
    log((await command('resume', '--after-restore')).output)
    return faults
  }

async function losePrimary(isSynchronous: boolean, seed: number, log: (line: string) => void): Promise<string[]> {
  const pair = await startPostgresPair()
  const { port, redirectTo, close } = await openRedirectableProxy({ path: pair.primary.socket })
  const since = new Date(Date.now() - 60_000).toISOString()
  try {
    if (!isSynchronous) await makeAsynchronous(pair)
    const databaseUrl = `postgres://latchkey@127.0.0.1:${port}/postgres`
    const { violations, ...report } = await runFailover({
      databaseUrl,
      seed,
      kiosks: 8,
      log,
      async strike() {
        const receiver = receiverOf(pair)
        process.kill(receiver, 'SIGSTOP')
        await pause(BEHIND_MS)
        await killPostgres(pair.primary.dataFolder)
        // The receiver ends before it reads the log that arrived meanwhile.
        process.kill(receiver, 'SIGTERM')
        process.kill(receiver, 'SIGCONT')
        await pair.promote()
        redirectTo({ path: pair.standby.socket })
        await pause(5000)
      },
      ...(!isSynchronous && { decide: decideLostCharges(databaseUrl, since, log) }),
    })
    log(JSON.stringify(report))
    return violations
  } finally {
    await close()
    pair.stop()
  }
}

export default {
  about:
    'The primary is killed while its standby is 3 s behind: nothing that was answered is lost where commits wait for it; where they do not, what the card provider has charged is found and decided.',
  needs: ['initdb'],
  options: { only: { type: 'string' }, seed: { type: 'string', default: '1' } },
  async run({ only, seed }, log) {
    const faults: string[] = []
    for (const way of ['synchronous', 'asynchronous']) {
      if (only !== undefined && only !== way) continue
      log(`${way}:`)
      for (const fault of await losePrimary(way === 'synchronous', Number(seed), log)) faults.push(`${way}: ${fault}`)
    }
    return faults
  },
} satisfies Drill
