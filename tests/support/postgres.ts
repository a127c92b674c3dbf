import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { PooledPostgresDialect } from '../../platform/database/postgres.ts'
import { migrateToLatest } from '../../platform/schema/migrations/migrate.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { postgresProgramFolder } from './executable-search-folders.ts'

/**
 * PostgreSQL for tests: one server of the test run, which the first test that needs it starts in the run's folder, or
 * that of TEST_DATABASE_URL; and additional servers for single tests, drills and benchmarks.
 */

/** Name of the environment variable with the folder of a test run. */
const FOLDER = 'LATCHKEY_TEST_FOLDER'
/** Name of the environment variable that is set when tests may start PostgreSQL in the folder. */
const STARTABLE = 'LATCHKEY_TEST_POSTGRES'

/** Folder that Linux keeps in memory, so that a commit waits for no disk. */
const IN_MEMORY = '/dev/shm'
/** Free bytes above which the test run uses `IN_MEMORY`, both on the file system of that folder and in memory. */
const ENOUGH_BYTES = 4_000_000_000

/** Returns the folder for test runs: TMPDIR, else in memory if that has room and may run programs, else on disk. */
function folderOfRuns(): string {
  if (process.env.TMPDIR || !existsSync(IN_MEMORY)) return tmpdir()
  // A container may forbid programs in memory, and a test starts an unpacked release.
  if (/^\S+ \/dev\/shm \S+ \S*\bnoexec\b/m.test(readFileSync('/proc/mounts', 'utf8'))) return tmpdir()
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  return Math.min(bavail * bsize, freemem()) > ENOUGH_BYTES ? IN_MEMORY : tmpdir()
}

/** Whether `setup` created the folder; false when an outer test run, which started this one, did. */
let isFolderOwn = false
/** Value of `TMPDIR` before the test run. */
let givenTmpdir: string | undefined

export function setup(): void {
  sweep()
  if (process.env[FOLDER]) return
  isFolderOwn = true
  const folder = mkdtempSync(join(folderOfRuns(), `latchkey-tests-${process.pid}-`))
  // PostgreSQL's own user must be able to enter its subfolder.
  chmodSync(folder, 0o755)
  process.env[FOLDER] = folder
  // Temporary files of the tests, and of the processes that they start, are in the folder too.
  givenTmpdir = process.env.TMPDIR
  process.env.TMPDIR = folder
  if (process.env.TEST_DATABASE_URL) return
  const missing = postgresUnavailableReason()
  if (missing) {
    if (process.env.LATCHKEY_NEEDS_POSTGRES) throw new Error(`PostgreSQL was asked for: ${missing}`)
    console.log(`\n${'!'.repeat(100)}\nThe tests on PostgreSQL are SKIPPED: ${missing}\n${'!'.repeat(100)}\n`)
    return
  }
  ownFolder(join(folder, 'pg'))
  process.env[STARTABLE] = 'yes'
}

export async function teardown(): Promise<void> {
  const folder = process.env[FOLDER]
  if (!folder || !isFolderOwn) return
  isFolderOwn = false
  if (process.env.TEST_DATABASE_URL && existsSync(join(folder, 'ready'))) {
    const { url, template } = serverOf(folder)
    await asAdministrator(url, `drop database if exists "${template}" with (force)`)
  }
  delete process.env[FOLDER]
  delete process.env[STARTABLE]
  if (givenTmpdir === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = givenTmpdir
  discard(folder)
}

export function temporaryFolder(): string {
  return mkdtempSync(join(process.env[FOLDER] ?? tmpdir(), 'latchkey-test-'))
}

/** Returns whether tests on PostgreSQL can run on this machine, without starting PostgreSQL. */
export function canUsePostgres(): boolean {
  return Boolean(process.env[FOLDER] && (process.env.TEST_DATABASE_URL || process.env[STARTABLE]))
}

/** Creates a database with all tables, copied from a migrated template. Returns its URL. */
export async function createPostgresDatabase(name: string): Promise<string> {
  const server = await startedServer()
  await asAdministrator(server.url, `create database "${name}" template "${server.template}" strategy file_copy`)
  return withDatabase(server.url, name)
}

export async function dropPostgresDatabase(name: string): Promise<void> {
  const server = await startedServer()
  await asAdministrator(server.url, `drop database if exists "${name}" with (force)`)
}

/** Runs `work` on a new database with all tables and drops it afterwards. */
export async function onNewPostgres<T>(purpose: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `latchkey_${purpose}_${process.pid}`
  const url = await createPostgresDatabase(name)
  try {
    return await work(url)
  } finally {
    await dropPostgresDatabase(name)
  }
}

/** Creates a migrated database under a name that no other test uses. Returns its URL. */
export const freshPostgresDatabase = (): Promise<string> =>
  // Not a counter: a test that resets modules would restart it.
  createPostgresDatabase(`latchkey_${process.pid}_${randomUUID().slice(0, 8)}`)

/** Schema and rows of a new, migrated database, which `readPristineState` reads once. */
let pristine: Promise<{ schema: string; rows: [table: string, rows: string][] }> | undefined

/**
 * Reads, once, the schema with which `emptyPostgresDatabase` compares and the rows that it restores. The database must
 * not have been used yet.
 */
export async function readPristineState(db: Kysely<Tables>): Promise<void> {
  pristine ??= (async () => {
    const rows: [string, string][] = []
    for (const { name } of await filledTables(db)) {
      const found = await sql<{
        rows: string | null
      }>`select jsonb_agg(t)::text as rows from ${sql.table(name)} t`.execute(db)
      if (found.rows[0]?.rows) rows.push([name, found.rows[0].rows])
    }
    return { schema: await schemaOf(db), rows }
  })()
  await pristine
}

/** Bytes of all tables above which a used database is dropped instead of emptied. */
const LARGE_BYTES = 20_000_000

/**
 * Removes the rows that a test wrote and restores those of a new database, which is faster than creating one.
 * @returns false when the schema changed, the database grew large, another program is connected or another connection
 * is active, so that the database must be dropped
 */
export function emptyPostgresDatabase(db: Kysely<Tables>): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    const template = await pristine
    if (!template || (await schemaOf(connection)) !== template.schema || (await othersAtWork(connection))) return false
    const filled = await filledTables(connection)
    if (filled.reduce((sum, { bytes }) => sum + bytes, 0) > LARGE_BYTES) return false
    // Triggers and foreign keys are off, so the order does not matter.
    const statements = ['begin', 'set local session_replication_role = replica']
    statements.push(...filled.map(({ name }) => `delete from "${name}"`))
    await sql.raw(statements.join(';')).execute(connection)
    for (const [table, rows] of template.rows)
      await sql`insert into ${sql.table(table)} select * from jsonb_populate_recordset(null::${sql.table(table)}, ${rows})`.execute(
        connection,
      )
    await sql.raw('commit').execute(connection)
    return true
  })
}

/**
 * Returns whether another program is connected to this database, or another connection of this program has a statement
 * or transaction in progress.
 */
async function othersAtWork(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
    and pid <> pg_backend_pid() and (state <> 'idle' or application_name <> 'latchkey')`.execute(db)
  return rows.length > 0
}

/** Returns tables that have had rows since the database was created. */
async function filledTables(db: Kysely<Tables>): Promise<{ name: string; bytes: number }[]> {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select relname as name, pg_relation_size(oid) as bytes from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`.execute(db)
  return rows
}

/**
 * Returns a text that changes when a table, index, trigger, function or setting is added or removed, a column is added or dropped,
 * or a trigger is disabled. PostgreSQL's own objects have ids up to 16383.
 */
async function schemaOf(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql`select
    (select array_agg(oid::int order by oid) from pg_class where relnamespace = 'public'::regnamespace) as classes,
    (select count(*)::int from pg_attribute where attrelid > 16383 and not attisdropped) as columns,
    (select array_agg(concat(oid, tgenabled) order by oid) from pg_trigger) as triggers,
    (select array_agg(oid::int order by oid) from pg_proc where pronamespace = 'public'::regnamespace) as functions,
    (select count(*)::int from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
      where d.datname = current_database()) as settings`.execute(db)
  return JSON.stringify(rows)
}

async function onOneConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function createEmptyPostgresDatabase(name: string): Promise<string> {
  const { url } = await startedServer()
  await asAdministrator(url, `create database "${name}"`)
  return withDatabase(url, name)
}

/**
 * Runs one of PostgreSQL's programs, such as pg_dump, as an operator would.
 * @throws Error with the program's output
 */
export function runPostgresProgram(program: string, args: string[]): void {
  const folder = postgresProgramFolder()
  const result = spawnSync(folder ? join(folder, program) : program, args, { encoding: 'utf8' })
  if (result.status !== 0) throw new Error(`${program} failed: ${result.error?.message ?? result.stderr}`)
}

interface Server {
  url: string
  template: string
}

let started: Promise<Server> | undefined

function startedServer(): Promise<Server> {
  started ??= prepareOnce(process.env[FOLDER] as string)
  return started
}

const urlIn = (cluster: string) => `postgres://latchkey@localhost/postgres?host=${encodeURIComponent(cluster)}`
const ownUrl = (folder: string) => urlIn(join(folder, 'pg'))

function serverOf(folder: string): Server {
  return {
    url: process.env.TEST_DATABASE_URL || ownUrl(folder),
    template: `latchkey_template_${/-(\d+)-/.exec(folder)?.[1]}`,
  }
}

/**
 * Prepares the server once for all test processes: starts it, unless TEST_DATABASE_URL names one, and creates the
 * template. The process that creates the file `starting` does this; the others wait for the file `ready`.
 * @throws Error when preparing failed, in every process
 */
async function prepareOnce(folder: string): Promise<Server> {
  const server = serverOf(folder)
  const ready = join(folder, 'ready')
  const failed = join(folder, 'failed')
  try {
    closeSync(openSync(join(folder, 'starting'), 'wx'))
  } catch {
    while (!existsSync(ready)) {
      if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'))
      await pause(50)
    }
    return server
  }
  try {
    if (!process.env.TEST_DATABASE_URL) startOwn(join(folder, 'pg'))
    await makeTemplate(server.url, server.template)
    writeFileSync(ready, '')
    return server
  } catch (error) {
    writeFileSync(
      failed,
      `The PostgreSQL of the tests is not to be had: ${error instanceof Error ? error.message : error}`,
    )
    throw error
  }
}

/** Settings of the test server. Test data does not outlive the run, so nothing is synced to disk. */
const testSettings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'deadlock_timeout=100ms',
  'shared_buffers=32MB',
  'max_connections=400',
]

/** Creates and starts a server that listens on a socket in `cluster`, and on a port only if `settings` say so. */
function startOwn(cluster: string, settings = testSettings): void {
  const data = join(cluster, 'data')
  const locale = ['-E', 'UTF8', '--no-locale']
  run('initdb', ['-D', data, '-U', 'latchkey', '--auth=trust', ...locale, '--no-sync', '--no-instructions'])
  startServer(cluster, settings)
}

function startServer(cluster: string, settings: string[]): void {
  const data = join(cluster, 'data')
  const options = ["listen_addresses=''", `unix_socket_directories='${cluster}'`, ...settings].map(
    (setting) => `-c ${setting}`,
  )
  run('pg_ctl', ['-D', data, '-l', join(cluster, 'log'), '-w', '-o', options.join(' '), 'start'])
}

/** Creates the folder of an additional server, beside the folder of the test run, where `sweep` finds it. */
function newClusterFolder(): string {
  const parent = process.env[FOLDER] ? dirname(process.env[FOLDER]) : tmpdir()
  const folder = mkdtempSync(join(parent, `latchkey-tests-${process.pid}-`))
  chmodSync(folder, 0o755)
  return folder
}

function ownFolder(folder: string): void {
  mkdirSync(folder, { mode: 0o700 })
  const owner = unprivileged()
  if (owner) chownSync(folder, owner.uid, owner.gid)
}

function ownFile(file: string, text: string): string {
  writeFileSync(file, text, { mode: 0o600 })
  const owner = unprivileged()
  if (owner) chownSync(file, owner.uid, owner.gid)
  return file
}

/** An additional PostgreSQL server, which syncs every commit. */
export interface SyncingPostgres {
  pid: number
  /** Creates an empty database. Returns its URL. */
  create(name: string): Promise<string>
  /** Cluster folder, with `data` and the socket in it. */
  cluster: string
  /** Stops the server and keeps its files, as for a restore. `start` starts it again with the same settings. */
  halt(): void
  start(): void
  /** Stops the server and removes its folder. */
  stop(): void
}

/**
 * Starts a PostgreSQL server that syncs every commit, as in production.
 * @param more returns further settings for the cluster folder
 * @throws Error when PostgreSQL cannot be started here
 */
export function startSyncingPostgres(more: (cluster: string) => string[] = () => []): SyncingPostgres {
  const missing = postgresUnavailableReason()
  if (missing) throw new Error(missing)
  const folder = newClusterFolder()
  ownFolder(join(folder, 'pg'))
  const cluster = join(folder, 'pg')
  const settings = ['shared_buffers=128MB', ...more(cluster)]
  startOwn(cluster, settings)
  const pid = Number(readFileSync(join(cluster, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
  const create = async (name: string) => {
    await asAdministrator(ownUrl(folder), `create database "${name}"`)
    return withDatabase(ownUrl(folder), name)
  }
  const halt = () => run('pg_ctl', ['-D', join(cluster, 'data'), '-m', 'fast', '-w', 'stop'])
  return { pid, create, cluster, halt, start: () => startServer(cluster, settings), stop: () => discard(folder) }
}

/** A primary and its synchronous standby. */
export interface PostgresPair {
  primary: PostgresNode
  standby: PostgresNode
  promote(): Promise<void>
  stop(): void
}

interface PostgresNode {
  dataFolder: string
  /** Path of the socket, the only access to a node without `address`. */
  socket: string
  /** Network address with TLS, if any. */
  address?: { host: string; port: number }
  /** Returns the URL of a database. */
  url(name: string): string
}

/**
 * Starts a primary whose commits wait for its standby. Neither syncs to disk, because only processes are killed, not
 * machines.
 * @param tls makes both listen on the network, with the key and certificate of this PEM file, requiring TLS and the
 * role's password
 */
export async function startPostgresPair(tls?: { pem: string; password: string }): Promise<PostgresPair> {
  const folder = newClusterFolder()
  const nodeIn = (cluster: string): PostgresNode => ({
    dataFolder: join(folder, cluster, 'data'),
    socket: join(folder, cluster, '.s.PGSQL.5432'),
    url: (name) => withDatabase(urlIn(join(folder, cluster)), name),
  })
  const primary = nodeIn('pg')
  const standby = nodeIn('standby')
  const settings = [
    ...testSettings.filter((setting) => !setting.startsWith('synchronous_commit')),
    'max_connections=60',
  ]
  const settingsOf = (node: PostgresNode, serial: number) => {
    if (!tls) return settings
    // The address follows from the process id, so that pairs of concurrent processes can use the same port.
    node.address = { host: `127.${process.pid % 250}.${(process.pid >> 8) % 250}.${serial}`, port: 5432 }
    const keys = ownFile(join(dirname(node.dataFolder), 'server.pem'), readFileSync(tls.pem, 'utf8'))
    const encrypted = ['ssl=on', `ssl_cert_file='${keys}'`, `ssl_key_file='${keys}'`]
    return [...settings, `listen_addresses='${node.address.host}'`, ...encrypted]
  }
  ownFolder(join(folder, 'pg'))
  startOwn(join(folder, 'pg'), settingsOf(primary, 1))
  if (tls) {
    await asAdministrator(primary.url('postgres'), `alter role latchkey password '${tls.password}'`)
    writeFileSync(
      join(primary.dataFolder, 'pg_hba.conf'),
      'local all all trust\nlocal replication all trust\nhostssl all all all scram-sha-256\n',
    )
    await asAdministrator(primary.url('postgres'), 'select pg_reload_conf()')
  }
  ownFolder(join(folder, 'standby'))
  run('pg_basebackup', ['-R', '-c', 'fast', '-D', standby.dataFolder, '-h', join(folder, 'pg'), '-U', 'latchkey'])
  startServer(join(folder, 'standby'), settingsOf(standby, 2))
  await asAdministrator(primary.url('postgres'), "alter system set synchronous_standby_names = '*'")
  await asAdministrator(primary.url('postgres'), 'select pg_reload_conf()')
  return {
    primary,
    standby,
    promote: () => asAdministrator(standby.url('postgres'), 'select pg_promote()'),
    stop: () => discard(folder),
  }
}

async function makeTemplate(url: string, template: string): Promise<void> {
  await asAdministrator(url, `create database "${template}"`)
  const dialect = new PooledPostgresDialect(withDatabase(url, template), { connections: 2, statementMs: 0 })
  const db = new Kysely<Tables>({ dialect })
  try {
    await migrateToLatest(db)
  } finally {
    await db.destroy()
  }
}

async function asAdministrator(url: string, statement: string): Promise<void> {
  await onOneConnection(url, async (client) => {
    for (let attempt = 1; ; attempt++) {
      try {
        await client.query(statement)
        return
      } catch (error) {
        // Error 55006, object in use: the template's last connection may still be closing.
        if ((error as { code?: string }).code !== '55006' || attempt === 50) throw error
        await pause(100)
      }
    }
  })
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

/**
 * Returns the user that runs PostgreSQL when the tests run as root, which PostgreSQL refuses; undefined when they do
 * not, or when there is no such user.
 */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const line = users.find((user) => user.startsWith(`${name}:`))?.split(':')
    if (line) return { uid: Number(line[2]), gid: Number(line[3]) }
  }
  return undefined
}

/** Returns why PostgreSQL cannot be started here; undefined when it can. */
export function postgresUnavailableReason(): string | undefined {
  if (process.platform === 'win32') return 'set TEST_DATABASE_URL to a server where databases may be created'
  if (!postgresProgramFolder()) {
    return 'PostgreSQL is not installed (Debian: apt-get install postgresql; macOS: brew install postgresql). Or set TEST_DATABASE_URL.'
  }
  if (process.getuid?.() === 0 && !unprivileged()) return 'PostgreSQL needs a user other than root, and there is none.'
  return undefined
}

function run(program: string, args: string[]): void {
  const result = spawnSync(join(postgresProgramFolder() as string, program), args, {
    ...unprivileged(),
    // A server that inherits the output of pg_ctl would keep spawnSync waiting.
    stdio: ['ignore', 'ignore', program === 'initdb' ? 'pipe' : 'ignore'],
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  })
  if (result.status !== 0)
    throw new Error(`${program} failed: ${result.error?.message ?? result.stderr ?? result.status}`)
}

function discard(folder: string): void {
  for (const cluster of ['pg', 'standby']) {
    const data = join(folder, cluster, 'data')
    if (!existsSync(join(data, 'postmaster.pid'))) continue
    try {
      run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
    } catch {
      // The server had ended already.
    }
  }
  rmSync(folder, { recursive: true, force: true })
}

/** Stops servers and removes folders of killed test runs. The folders' names contain the run's process id. */
function sweep(): void {
  for (const parent of [tmpdir(), IN_MEMORY].filter((folder) => existsSync(folder)))
    for (const name of readdirSync(parent)) {
      const pid = /^latchkey-tests-(\d+)-/.exec(name)?.[1]
      if (pid && !isAlive(Number(pid))) discard(join(parent, name))
    }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
