/**
 * PostgreSQL with pgBackRest and the shipped configuration, restored to an instant as the runbook describes, alone or
 * under Patroni.
 */
import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startSyncingPostgres } from '../support/postgres.ts'
import { findProgram } from './drill-definition.ts'
import { filledIn, type Node, startPatroniCluster } from './start-patroni-cluster.ts'

type Log = (line: string) => void

/** A PostgreSQL server, or cluster, with an archive. */
export interface Archived {
  /** Database URL of the site's role. */
  url: string
  /** Database URL of the superuser. */
  administratorUrl: string
  /**
   * Makes a full backup.
   * @returns seconds that it took
   */
  backUp(): string
  /**
   * Restores the database while no site process runs.
   * @param at instant in PostgreSQL's format
   */
  restore(at: string, log: Log): Promise<void>
  stop(): Promise<void>
}

/** Runs one SQL statement on a connection of its own and returns its rows. */
export async function queryRows<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

/**
 * Runs a program as the owner of a folder, PostgreSQL's user.
 * @returns seconds that it took
 */
function asOwner(folder: string, program: string, words: string[]): string {
  const began = performance.now()
  const { uid, gid } = statSync(folder)
  const owner = process.getuid?.() === 0 ? { uid, gid } : {}
  const env = { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C' }
  // A server that inherits the output of pg_ctl would keep spawnSync waiting.
  const stdio = program === 'pg_ctl' ? 'ignore' : 'pipe'
  const options = { ...owner, cwd: folder, encoding: 'utf8', env, stdio } as const
  const { status, stdout, stderr } = spawnSync(findProgram(program)!, words, options)
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stdout}${stderr}`)
  return ((performance.now() - began) / 1000).toFixed(1)
}

const configFileIn = (folder: string) => join(folder, 'pgbackrest.conf')

/**
 * Writes the pgBackRest configuration of a node.
 * @param options `folder`: folder of the node, with data and socket; `repository`: folder of the backups, outside the
 * node's folder when there are several nodes
 * @returns function that runs pgBackRest on the node and returns the seconds that it took
 */
function openRepository(options: { folder: string; repository: string; port: number; user: string }) {
  const { folder, repository, port, user } = options
  const { uid, gid } = statSync(folder)
  const own = (path: string) => {
    mkdirSync(path, { mode: 0o700, recursive: true })
    chownSync(path, uid, gid)
    return path
  }
  const text = filledIn('pgbackrest.conf', {
    REPO_PATH: own(repository),
    REPO_PASSWORD: 'a password of the drill',
    LOG_PATH: own(join(folder, 'backup-log')),
    LOCK_PATH: own(join(folder, 'lock')),
    PG_DATA: join(folder, 'data'),
    PG_PORT: port,
    PG_FOLDER: folder,
    PG_USER: user,
  })
  writeFileSync(configFileIn(folder), text)
  return (...words: string[]) =>
    asOwner(folder, 'pgbackrest', [`--config=${configFileIn(folder)}`, '--stanza=latchkey', ...words])
}

const restoreArguments = (at: string) => [
  '--delta',
  '--type=time',
  `--target=${at}`,
  '--target-action=promote',
  'restore',
]

async function waitForRecovery(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const [row] = await queryRows<{ recovering: boolean }>(url, 'select pg_is_in_recovery() as recovering').catch(
      () => [],
    )
    if (row?.recovering === false) return
    await pause(100)
  }
  throw new Error('The restored database did not come out of recovery.')
}

/** Starts a single archived PostgreSQL server. */
export async function startArchivedServer(): Promise<Archived> {
  const postgres = startSyncingPostgres((cluster) => [
    'wal_level=replica',
    'archive_mode=on',
    'archive_timeout=60',
    `archive_command='${findProgram('pgbackrest')} --config=${configFileIn(cluster)} --stanza=latchkey archive-push %p'`,
  ])
  const folder = postgres.cluster
  try {
    const repository = join(folder, 'repository')
    const pgbackrest = openRepository({ folder, repository, port: 5432, user: 'latchkey' })
    pgbackrest('stanza-create')
    const url = await postgres.create('latchkey')
    return {
      url,
      administratorUrl: url,
      backUp: () => pgbackrest('--type=full', 'backup'),
      async restore(at, log) {
        postgres.halt()
        log(`restored to ${at} in ${pgbackrest(...restoreArguments(at))} s`)
        postgres.start()
        await waitForRecovery(url)
      },
      stop: async () => postgres.stop(),
    }
  } catch (error) {
    postgres.stop()
    throw error
  }
}

const portOf = (node: Node) => Number(filledPort.exec(readFileSync(join(node.home, 'patroni.yml'), 'utf8'))?.[1])
const filledPort = /^postgresql:\n {2}listen: [\d.]+:(\d+)$/m

/**
 * Starts an archived cluster under Patroni. To restore, both nodes are stopped, the first is restored and recovers
 * without Patroni, the state in etcd is deleted, and then Patroni starts the first and recreates the standby.
 */
export async function startArchivedCluster(): Promise<Archived> {
  // Each node has its own configuration file, like each machine.
  const push = `PGBACKREST_CONFIG="$PWD/../pgbackrest.conf" ${findProgram('pgbackrest')} --stanza=latchkey archive-push %p`
  const cluster = await startPatroniCluster(push)
  const first = cluster.nodes[0]!
  const second = cluster.nodes[1]!
  const repository = join(dirname(first.home), 'repository')
  try {
    const [pgbackrest] = [first, second].map((node) =>
      openRepository({ folder: node.home, repository, port: portOf(node), user: 'postgres' }),
    )
    pgbackrest!('stanza-create')
    return {
      url: cluster.databaseUrl,
      administratorUrl: cluster.administratorUrl,
      backUp: () => pgbackrest!('--type=full', 'backup'),
      async restore(at, log) {
        for (const node of [second, first]) await cluster.halt(node)
        log(`restored to ${at} in ${pgbackrest!(...restoreArguments(at))} s`)
        const began = performance.now()
        const pgCtl = (...words: string[]) => asOwner(first.home, 'pg_ctl', ['-D', first.dataFolder, '-w', ...words])
        pgCtl('start')
        const direct = new URL(cluster.administratorUrl)
        direct.port = String(portOf(first))
        await waitForRecovery(direct.href)
        pgCtl('-m', 'fast', 'stop')
        log(cluster.patronictl(['remove', 'latchkey'], ['latchkey', 'Yes I am aware']))
        cluster.resume(first)
        await cluster.primary()
        cluster.resume(second)
        for (let tries = 0; ; tries += 1) {
          // Patroni refuses until it has registered the member.
          const failure = await reinitialize(() => cluster.patronictl(['reinit', 'latchkey', second.name, '--force']))
          if (failure === null) break
          if (tries === 60) throw failure
          await pause(1000)
        }
        await cluster.standsBy(second)
        log(`primary and synchronous standby again after ${((performance.now() - began) / 1000).toFixed(1)} s`)
        await waitForRecovery(cluster.administratorUrl)
        direct.port = String(portOf(second))
        const [standby] = await queryRows<{ rows: string }>(
          direct.href,
          'select count(*) as rows from ledger_entries where pg_is_in_recovery()',
        )
        log(`the standby has ${standby!.rows} rows`)
      },
      stop: cluster.stop,
    }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

/** Runs `patronictl reinit`. Returns null when that succeeded, otherwise the error. */
async function reinitialize(run: () => string): Promise<unknown> {
  try {
    const output = run()
    return /Success/.test(output) ? null : new Error(output)
  } catch (error) {
    return error
  }
}
