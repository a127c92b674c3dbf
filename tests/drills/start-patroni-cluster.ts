/** Two PostgreSQL nodes under Patroni with etcd and HAProxy, from the files in deploy/postgres with ports filled in. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../actors/free-port.ts'
import { findProgram } from './drill-definition.ts'

const files = join(import.meta.dirname, '..', '..', 'deploy', 'postgres')
const address = '127.0.0.1'

export interface Node {
  name: string
  dataFolder: string
  /** Folder of the node's files, owned by the user that runs PostgreSQL. */
  home: string
  /** Process of Patroni. */
  patroni: ChildProcess
  restUrl: string
}

export interface PatroniCluster {
  /** Database URL of the site's role, through HAProxy. */
  databaseUrl: string
  /** Database URL of the superuser, through HAProxy. */
  administratorUrl: string
  /** The initial primary first, then its standby. */
  nodes: readonly Node[]
  /** Stops Patroni on a node, and with it PostgreSQL. */
  halt(node: Node): Promise<void>
  /** Starts Patroni again on a node. */
  resume(node: Node): void
  /**
   * Runs patronictl.
   * @param answers typed input
   * @throws Error with its output
   */
  patronictl(words: string[], answers?: string[]): string
  /** Resolves when the node is a synchronous standby. */
  standsBy(node: Node): Promise<unknown>
  primary(): Promise<Node>
  /** Resolves, with the new primary, when another node than this one is the primary. */
  succeeded(lost: Node): Promise<Node>
  stop(): Promise<void>
}

/** Returns a configuration file from deploy/postgres with its placeholders filled in, as an operator would. */
export const filledIn = (file: string, values: Record<string, string | number>) =>
  readFileSync(join(files, file), 'utf8').replace(/\$\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))

/**
 * Calls `look` until it returns a value other than null and false. An exception counts as null.
 * @param name what is awaited, for the error
 * @param maxMs maximum time in milliseconds
 * @throws Error when there is no value in time
 */
async function until<T>(name: string, look: () => Promise<T | null | false>, maxMs = 90_000): Promise<T> {
  for (const began = performance.now(); performance.now() - began < maxMs; await pause(100)) {
    const found = await look().catch(() => null)
    if (found) return found
  }
  throw new Error(`${name} did not come in time`)
}

/** Returns the process ids of a process and its descendants; none for a process that has ended. */
export function processesOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []
    return [pid, ...children.flatMap((child) => processesOf(Number(child)))]
  } catch {
    return []
  }
}

export const postmasterOf = ({ dataFolder }: Node): number =>
  Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0])

/**
 * Starts the cluster.
 * @param archiveCommand command that archives a WAL segment, run in each node's data folder
 */
export async function startPatroniCluster(archiveCommand = '/bin/true'): Promise<PatroniCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-patroni-'))
  chmodSync(folder, 0o755)
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? statSync('/var/lib/postgresql') : null
  const user = owner ? { uid: owner.uid, gid: owner.gid } : {}
  const own = (name: string) => {
    const path = join(folder, name)
    mkdirSync(path, { mode: 0o700 })
    if (owner) chownSync(path, owner.uid, owner.gid)
    return path
  }
  const started: ChildProcess[] = []
  const start = (name: string, program: string, words: string[]) => {
    const log = openSync(join(folder, `${name}.log`), 'a')
    const child = spawn(findProgram(program)!, words, { ...user, cwd: folder, stdio: ['ignore', log, log] })
    started.push(child)
    return child
  }
  const clientPort = await freePort()
  const peerPort = await freePort()
  const listenPort = await freePort()
  const clientUrl = `http://${address}:${clientPort}`
  const peerUrl = `http://${address}:${peerPort}`
  start('etcd', 'etcd', [
    '--data-dir',
    own('etcd'),
    '--listen-client-urls',
    clientUrl,
    '--advertise-client-urls',
    clientUrl,
    '--listen-peer-urls',
    peerUrl,
    '--initial-advertise-peer-urls',
    peerUrl,
    '--initial-cluster',
    `default=${peerUrl}`,
  ])
  const nodes: Node[] = []
  const ports: Record<string, string | number> = {}
  const boot = async (name: string) => {
    const pgPort = await freePort()
    const restPort = await freePort()
    const home = own(name)
    const upper = name.toUpperCase()
    Object.assign(ports, {
      [`${upper}_ADDRESS`]: address,
      [`${upper}_PG_PORT`]: pgPort,
      [`${upper}_REST_PORT`]: restPort,
    })
    const file = join(home, 'patroni.yml')
    const text = filledIn('patroni.yml', {
      NODE: name,
      ADDRESS: address,
      REST_PORT: restPort,
      PG_PORT: pgPort,
      ETCD_HOSTS: `${address}:${clientPort}`,
      PG_DATA: join(home, 'data'),
      PG_FOLDER: home,
      PG_BIN: dirname(findProgram('initdb')!),
      NETWORK: '127.0.0.1/32',
      SHARED_BUFFERS: '64MB',
      ARCHIVE_COMMAND: archiveCommand,
      POSTGRES_PASSWORD: 'su',
      REPLICATION_PASSWORD: 'rep',
      REWIND_PASSWORD: 'rew',
    })
    writeFileSync(file, text)
    const node: Node = {
      name,
      home,
      dataFolder: join(home, 'data'),
      restUrl: `http://${address}:${restPort}`,
      patroni: start(name, 'patroni', [file]),
    }
    nodes.push(node)
    await until(name, async () => (await fetch(`${node.restUrl}/${nodes.length === 1 ? 'primary' : 'replica'}`)).ok)
  }
  const stop = async () => {
    for (const node of nodes) {
      for (const pid of processesOf(node.patroni.pid!)) process.kill(pid, 'SIGCONT')
      try {
        for (const pid of processesOf(postmasterOf(node))) process.kill(pid, 'SIGCONT')
      } catch {
        // The process has ended.
      }
    }
    // Patroni stops its PostgreSQL. The loop after the pause stops a server whose Patroni was killed.
    for (const child of started) child.kill('SIGTERM')
    await pause(3000)
    for (const node of nodes)
      try {
        process.kill(postmasterOf(node), 'SIGQUIT')
      } catch {
        // The process has ended.
      }
    for (const child of started) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  try {
    await boot('node1')
    await boot('node2')
    writeFileSync(join(folder, 'haproxy.cfg'), filledIn('haproxy-pg.cfg', { ...ports, LISTEN_PORT: listenPort }))
    start('haproxy', 'haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')])
    const administrator = `postgres://postgres:su@${address}:${listenPort}/postgres`
    await until('HAProxy', async () => {
      const client = new pg.Client(administrator)
      await client.connect()
      await client.query("create role latchkey login password 'latchkey'")
      await client.query('grant pg_read_all_stats to latchkey')
      await client.query('create database latchkey owner latchkey')
      await client.end()
      return true
    })
    const standsBy = (node: Node) =>
      until('the synchronous standby', async () => (await fetch(`${node.restUrl}/sync`)).ok)
    await standsBy(nodes[1]!)
    const isPrimary = async ({ restUrl }: Node) =>
      (await fetch(`${restUrl}/primary`, { signal: AbortSignal.timeout(1000) }).catch(() => null))?.ok === true
    const findPrimary = async (lost?: Node) => {
      for (const node of nodes) if (node !== lost && (await isPrimary(node))) return node
      return null
    }
    return {
      databaseUrl: `postgres://latchkey:latchkey@${address}:${listenPort}/latchkey`,
      administratorUrl: administrator.replace(/postgres$/, 'latchkey'),
      nodes,
      standsBy,
      async halt({ patroni }) {
        const ended = new Promise((done) => patroni.once('exit', done))
        patroni.kill('SIGTERM')
        await ended
      },
      resume(node) {
        node.patroni = start(node.name, 'patroni', [join(node.home, 'patroni.yml')])
      },
      patronictl(words, answers = []) {
        const options = { ...user, cwd: folder, input: `${answers.join('\n')}\n`, encoding: 'utf8' } as const
        const args = ['-c', join(nodes[0]!.home, 'patroni.yml'), ...words]
        const { status, stdout, stderr } = spawnSync(findProgram('patronictl')!, args, options)
        if (status !== 0) throw new Error(`patronictl ${words.join(' ')}: ${stdout}${stderr}`)
        return stdout
      },
      primary: () => until('a primary', () => findPrimary()),
      succeeded: (lost) => until('another primary', () => findPrimary(lost)),
      stop,
    }
  } catch (error) {
    console.error(nodes.map(({ name }) => readFileSync(join(folder, `${name}.log`), 'utf8').slice(-3000)).join('\n'))
    await stop()
    throw error
  }
}
