import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../actors/free-port.ts'
import { killPostgres } from '../actors/run-site-process.ts'
import { runFailover } from '../faults/failover.ts'
import { startPostgresPair } from '../support/postgres.ts'
import { openRedirectableProxy } from '../support/redirectable-tcp-proxy.ts'
import { type Drill, findProgram } from './drill-definition.ts'

const CONNECTIONS = 6

/** Returns why the drill cannot run: named prepared statements need PgBouncer 1.21; null when it can. */
function whyNot(): string | null {
  const { stdout } = spawnSync(findProgram('pgbouncer')!, ['--version'], { encoding: 'utf8' })
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? []
  if (Number(major) > 1 || Number(minor) >= 21) return null
  return `PgBouncer is ${major}.${minor}, and has to be 1.21 or later (Debian 13 has one; a folder with it may stand first in PATH)`
}

const settings = (port: number, to: number) => `[databases]
postgres = host=127.0.0.1 port=${to} user=latchkey
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${CONNECTIONS}
max_client_conn = 200
max_prepared_statements = 500
server_login_retry = 1
`

/** Loads `synchronous_commit` of each of the pool's connections, by one open transaction on each. */
async function loadCommitSettings(url: string): Promise<string[]> {
  const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client(url))
  try {
    for (const client of clients) await client.connect()
    return await Promise.all(
      clients.map(async (client) => {
        await client.query('begin')
        return (await client.query('show synchronous_commit')).rows[0].synchronous_commit
      }),
    )
  } finally {
    for (const client of clients) await client.end()
  }
}

export default {
  about:
    'Two processes share six connections through PgBouncer (transactions) while kiosks rent and the primary is killed: no 500, and afterwards every connection waits for the disk.',
  needs: ['initdb', 'pgbouncer'],
  options: { seed: { type: 'string', default: '1' } },
  whyNot,
  async run({ seed }, log) {
    const pair = await startPostgresPair()
    const { port: to, redirectTo, close } = await openRedirectableProxy({ path: pair.primary.socket })
    const port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-pooler-'))
    chmodSync(folder, 0o755)
    writeFileSync(join(folder, 'pgbouncer.ini'), settings(port, to))
    // Like PostgreSQL, PgBouncer refuses to run as root.
    const { uid, gid } = statSync(pair.primary.dataFolder)
    const owner = process.getuid?.() === 0 ? { uid, gid } : {}
    const pooler = spawn(findProgram('pgbouncer')!, [join(folder, 'pgbouncer.ini')], { ...owner, stdio: 'ignore' })
    const databaseUrl = `postgres://latchkey@127.0.0.1:${port}/postgres`
    try {
      await pause(1000)
      const { violations, ...report } = await runFailover({
        databaseUrl,
        seed: Number(seed),
        paceMs: 100,
        log,
        environment: { DATABASE_POOLED: 'on' },
        async strike() {
          await killPostgres(pair.primary.dataFolder)
          await pair.promote()
          redirectTo({ path: pair.standby.socket })
          await pause(10_000)
        },
      })
      log(JSON.stringify(report))
      if (report.writesAfter === 0) violations.push('nothing was written afterwards')
      const found = await loadCommitSettings(databaseUrl)
      log(`synchronous_commit of ${found.length} connections: ${found.join(' ')}`)
      if (found.some((setting) => setting !== 'on')) violations.push('a connection does not wait for the disk')
      return violations
    } finally {
      pooler.kill('SIGKILL')
      await close()
      pair.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
} satisfies Drill
