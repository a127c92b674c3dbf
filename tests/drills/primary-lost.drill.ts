import { setTimeout as pause } from 'node:timers/promises'
import { killPostgres } from '../actors/run-site-process.ts'
import { runFailover } from '../faults/failover.ts'
import { startPostgresPair } from '../support/postgres.ts'
import { openRedirectableProxy } from '../support/redirectable-tcp-proxy.ts'
import type { Drill } from './drill-definition.ts'
import {
  type Node,
  type PatroniCluster,
  postmasterOf,
  processesOf,
  startPatroniCluster,
} from './start-patroni-cluster.ts'

const signalAll = (pids: number[], signal: NodeJS.Signals) => {
  for (const pid of pids) process.kill(pid, signal)
}

/**
 * Ways in which the drill takes the database's primary away, each with the longest time without a successful write that
 * it allows, in milliseconds.
 */
const ways = {
  process: { bound: 10_000, lose: (primary: Node) => killPostgres(primary.dataFolder) },
  machine: {
    bound: 25_000,
    lose(primary: Node) {
      primary.patroni.kill('SIGKILL')
      return killPostgres(primary.dataFolder)
    },
  },
  freeze: {
    bound: 30_000,
    async lose(primary: Node) {
      const pids = [...processesOf(primary.patroni.pid!), ...processesOf(postmasterOf(primary))]
      signalAll(pids, 'SIGSTOP')
      void pause(45_000).then(() => signalAll(pids, 'SIGCONT'))
    },
  },
  switchover: {
    bound: 8000,
    async lose(primary: Node) {
      const body = JSON.stringify({ leader: primary.name })
      const answer = await fetch(`${primary.restUrl}/switchover`, { method: 'POST', body })
      if (!answer.ok) throw new Error(`switchover: ${answer.status} ${await answer.text()}`)
    },
  },
}

async function onPatroni(way: keyof typeof ways, seed: number, log: (line: string) => void): Promise<string[]> {
  const { bound, lose } = ways[way]
  const cluster: PatroniCluster = await startPatroniCluster()
  try {
    const { violations, ...report } = await runFailover({
      databaseUrl: cluster.databaseUrl,
      seed,
      kiosks: 5,
      paceMs: 500,
      probes: ['/', '/readyz', '/readyz?for=pages'],
      log,
      environment: { DATABASE_HA: 'required' },
      async strike() {
        const lost = await cluster.primary()
        log(`${lost.name} is lost: ${way}`)
        await lose(lost)
        log(`${(await cluster.succeeded(lost)).name} is the primary`)
        // A frozen primary is resumed while kiosks still rent.
        await pause(way === 'freeze' ? 40_000 : 8000)
      },
    })
    log(JSON.stringify(report, null, 2))
    if (report.longestGapMs > bound)
      violations.push(`${report.longestGapMs} ms without a successful write, above ${bound}`)
    // `/readyz` may fail while there is no primary, so it is only reported.
    for (const path of ['/', '/readyz?for=pages']) {
      const { failed, answers } = report.probes[path]!
      if (failed > 0) violations.push(`${failed} of ${answers} answers of ${path} were no 200`)
    }
    if (report.writesAfter === 0) violations.push('nothing was written afterwards')
    return violations
  } finally {
    await cluster.stop()
  }
}

/**
 * Runs a failover like that of `tests/faults/failover.test.ts`: a proxy switches to the promoted standby, without Patroni.
 * @returns violations; more than 3 s without a successful write is one
 */
async function onSwitch(seed: number, log: (line: string) => void): Promise<string[]> {
  const pair = await startPostgresPair()
  const { port, redirectTo, close } = await openRedirectableProxy({ path: pair.primary.socket })
  try {
    const { violations, ...report } = await runFailover({
      databaseUrl: `postgres://latchkey@127.0.0.1:${port}/postgres`,
      seed,
      paceMs: 100,
      log,
      async strike() {
        await killPostgres(pair.primary.dataFolder)
        await pair.promote()
        redirectTo({ path: pair.standby.socket })
        await pause(5000)
      },
    })
    log(JSON.stringify(report, null, 2))
    if (report.longestGapMs > 3000) violations.push(`${report.longestGapMs} ms without a successful write, above 3000`)
    return violations
  } finally {
    await close()
    pair.stop()
  }
}

const drill: Drill = {
  about:
    'The primary is lost while kiosks rent: nothing that was answered is lost or charged twice, failures are 503, the home page never fails, and writes go on within 10 s (process), 25 s (--machine), 30 s (--freeze) or 8 s (--switchover). With --engine switch, without Patroni, writes go on within 3 s and no pages are loaded.',
  needs: ['initdb'],
  needsFor: ({ engine = 'patroni' }) => (engine === 'switch' ? [] : ['patroni', 'etcd', 'haproxy']),
  options: {
    machine: { type: 'boolean' },
    freeze: { type: 'boolean' },
    switchover: { type: 'boolean' },
    engine: { type: 'string', default: 'patroni' },
    seed: { type: 'string', default: '1' },
  },
  run(values, log) {
    const way = (['machine', 'freeze', 'switchover'] as const).find((option) => values[option]) ?? 'process'
    const seed = Number(values.seed)
    return values.engine === 'switch' ? onSwitch(seed, log) : onPatroni(way, seed, log)
  },
}
export default drill
