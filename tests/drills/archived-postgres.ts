/**
 * PostgreSQL with pgBackRest and the shipped configuration, restored to an instant as the runbook describes, alone or
 * under Patroni.
 */
import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startSyncingPostgres } from '../support/postgres.ts'
import { findProgram } from './drill.ts'
import { filledIn, type Node, startPatroniCluster } from './patroni.ts'

type Log = (line: string) => void

export interface Archived {
  /** Database URL of the site's role. */
  url: string
  /** Database URL of the superuser. */
  administratorUrl: string
  /**
   * Makes a full backup.
   * @returns seconds
   */
  backUp(): string
  /**
   * Restores the database while no server runs.
   * @param at instant in PostgreSQL's format
   */
  restore(at: string, log: Log): Promise<void>
  stop(): Promise<void>
}

/** Runs one SQL statement and returns its rows. */
export async function asked<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const one = new pg.Client(url)
  await one.connect()
  try {
    return (await one.query<Row>(statement)).rows
  } finally {
    await one.end()
  }
}

/**
 * Runs a program as PostgreSQL's user.
 * @returns seconds
 */
function asOwner(folder: string, program: string, words: string[]): string {
  const began = performance.now()
  const { uid, gid } = statSync(folder)
  const owner = process.getuid?.() === 0 ? { uid, gid } : {}
  const env = { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C' }
  // A server that inherits our output would keep us waiting.
  const stdio = program === 'pg_ctl' ? 'ignore' : 'pipe'
  const how = { ...owner, cwd: folder, encoding: 'utf8', env, stdio } as const
  const { status, stdout, stderr } = spawnSync(findProgram(program)!, words, how)
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stdout}${stderr}`)
  return ((performance.now() - began) / 1000).toFixed(1)
}

const fileIn = (folder: string) => join(folder, 'pgbackrest.conf')

/**
 * Writes the pgBackRest configuration of a node.
 * @param of.folder folder of the node, with data and socket
 * @param of.repository backup repository, outside the node's folder when there are several nodes
 */
function openRepository(of: { folder: string; repository: string; port: number; user: string }) {
  const { folder, repository, port, user } = of
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
  writeFileSync(fileIn(folder), text)
  return (...words: string[]) =>
    asOwner(folder, 'pgbackrest', [`--config=${fileIn(folder)}`, '--stanza=latchkey', ...words])
}

const restoring = (at: string) => ['--delta', '--type=time', `--target=${at}`, '--target-action=promote', 'restore']

async function recovered(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const [row] = await asked<{ going: boolean }>(url, 'select pg_is_in_recovery() as going').catch(() => [])
    if (row?.going === false) return
    await pause(100)
  }
  throw new Error('The restored database did not come out of recovery.')
}

/** Starts a single archived PostgreSQL server. */
export async function archivedAlone(): Promise<Archived> {
  const postgres = startSyncingPostgres((cluster) => [
    'wal_level=replica',
    'archive_mode=on',
    'archive_timeout=60',
    `archive_command='${findProgram('pgbackrest')} --config=${fileIn(cluster)} --stanza=latchkey archive-push %p'`,
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
        log(`restored to ${at} in ${pgbackrest(...restoring(at))} s`)
        postgres.start()
        await recovered(url)
      },
      stop: async () => postgres.stop(),
    }
  } catch (error) {
    postgres.stop()
    throw error
  }
}

const portOf = (node: Node) =>
  Number(filledPort.exec(spawnSync('cat', [join(node.home, 'patroni.yml')]).stdout.toString())?.[1])
const filledPort = /^postgresql:\n {2}listen: [\d.]+:(\d+)$/m

/**
 * Starts an archived cluster under Patroni. To restore, both nodes are stopped, the first is restored and started
 * alone, the state in etcd is deleted, and then Patroni recreates the standby.
 */
export async function archivedUnderPatroni(): Promise<Archived> {
  // Each node has its own configuration file, like each machine.
  const push = `PGBACKREST_CONFIG="$PWD/../pgbackrest.conf" ${findProgram('pgbackrest')} --stanza=latchkey archive-push %p`
  const cluster = await startPatroniCluster(push)
  const [first, second] = [cluster.nodes[0]!, cluster.nodes[1]!]
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
        log(`restored to ${at} in ${pgbackrest!(...restoring(at))} s`)
        const began = performance.now()
        const pgCtl = (...words: string[]) => asOwner(first.home, 'pg_ctl', ['-D', first.dataFolder, '-w', ...words])
        pgCtl('start')
        const direct = new URL(cluster.administratorUrl)
        direct.port = String(portOf(first))
        await recovered(direct.href)
        pgCtl('-m', 'fast', 'stop')
        log(cluster.patronictl(['remove', 'latchkey'], ['latchkey', 'Yes I am aware']))
        cluster.resume(first)
        await cluster.primary()
        cluster.resume(second)
        for (let tries = 0; ; tries += 1) {
          // Refused until Patroni knows the member.
          const refused = await reinitialised(() => cluster.patronictl(['reinit', 'latchkey', second.name, '--force']))
          if (refused === null) break
          if (tries === 60) throw refused
          await pause(1000)
        }
        await cluster.standsBy(second)
        log(`primary and synchronous standby again after ${((performance.now() - began) / 1000).toFixed(1)} s`)
        await recovered(cluster.administratorUrl)
        direct.port = String(portOf(second))
        const [there] = await asked<{ rows: string }>(
          direct.href,
          'select count(*) as rows from ledger_entries where pg_is_in_recovery()',
        )
        log(`the standby has ${there!.rows} rows`)
      },
      stop: cluster.stop,
    }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

async function reinitialised(ask: () => string): Promise<unknown> {
  try {
    const said = ask()
    return /Success/.test(said) ? null : new Error(said)
  } catch (error) {
    return error
  }
}
