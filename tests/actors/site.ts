/** The processes that a fault run starts, kills and starts again: the site, and on PostgreSQL its database. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SANDBOX_CREDENTIALS } from '../../sandbox/sandbox.ts'
import { freePort } from './free-port.ts'

const root = resolve(import.meta.dirname, '..', '..')

export interface SiteMachine {
  readonly url: string
  /** Resolves while the site answers; during an outage, once it answers again. */
  up(): Promise<void>
  /** SIGKILL, as pulling the plug, or SIGTERM, which lets it finish what is under way. @returns its exit code */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
  /** @param clock epoch milliseconds that the site's clock shows from now on */
  start(clock: number): Promise<void>
}

/** @param place where data lie: a folder, and the URL of a PostgreSQL database where it is not SQLite in that folder */
export async function siteMachine(place: {
  dataDir: string
  databaseUrl?: string
  sandboxUrl: string
  environment?: Record<string, string>
}): Promise<SiteMachine> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  let child: ChildProcess | null = null
  let said = ''
  let answering: Promise<void> = Promise.resolve()
  let resume = () => {}

  async function launch(clock: number): Promise<void> {
    said = ''
    const started = spawn(process.execPath, ['server/launch.mjs'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        // A test runner's own mode must not become the site's.
        NODE_ENV: 'production',
        MODE: 'demo',
        PORT: String(port),
        DATA_DIR: place.dataDir,
        ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {}),
        CARD_PROVIDER_URL: place.sandboxUrl,
        CARD_PROVIDER_XWEB_ID: SANDBOX_CREDENTIALS.xwebId,
        CARD_PROVIDER_TERMINAL_ID: SANDBOX_CREDENTIALS.terminalId,
        CARD_PROVIDER_AUTH_KEY: SANDBOX_CREDENTIALS.authKey,
        // Every kiosk has an address of its own, so that limits per address do not end the run.
        TRUST_PROXY: '1',
        CLOCK: new Date(clock).toISOString(),
        PRINT_LOGINS: 'off',
        LOG_LEVEL: 'error',
        ...place.environment,
      },
    })
    child = started
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-20_000)
      })
    for (;;) {
      if (started.exitCode !== null || started.signalCode !== null)
        throw new Error(`The site ended (${started.exitCode ?? started.signalCode}):\n${said}`)
      const ready = await fetch(`${url}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      )
      if (ready) return
      await pause(25)
    }
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const running = child
    child = null
    if (!running || running.exitCode !== null || running.signalCode !== null) return running?.exitCode ?? null
    const gone = new Promise<number | null>((done) => running.once('exit', (code) => done(code)))
    running.kill(signal)
    return gone
  }

  return {
    url,
    up: () => answering,
    async end(signal) {
      answering = new Promise((done) => {
        resume = done
      })
      return end(signal)
    },
    async start(clock) {
      await launch(clock)
      resume()
    },
  }
}

/**
 * Ends a PostgreSQL server and all its processes at once, and starts it again with the options it had.
 * @param dataFolder the cluster's own
 */
export async function crashPostgres(dataFolder: string): Promise<void> {
  const pidFile = join(dataFolder, 'postmaster.pid')
  const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  const program = /^(\S+)/.exec(readFileSync(join(dataFolder, 'postmaster.opts'), 'utf8'))?.[1] ?? ''
  const { uid, gid } = statSync(dataFolder)
  const children = (readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').match(/\d+/g) ?? []).map(
    Number,
  )
  for (const pid of [postmaster, ...children]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It had ended by itself, as children do without their postmaster.
    }
  }
  for (const pid of [postmaster, ...children]) while (existsSync(`/proc/${pid}/exe`)) await pause(5)
  // A process that its parent has not buried yet still counts as running for pg_ctl; we have seen all of them end.
  rmSync(pidFile, { force: true })
  const folder = dirname(dataFolder)
  for (const name of readdirSync(folder)) if (/^\.s\.PGSQL\..*\.lock$/.test(name)) rmSync(join(folder, name))
  const control = join(dirname(program), 'pg_ctl')
  const started = spawnSync(
    control,
    ['-D', dataFolder, '-l', join(dirname(dataFolder), 'log'), '-w', '-t', '60', 'restart'],
    {
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
      cwd: tmpdir(),
      stdio: 'ignore',
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
    },
  )
  if (started.status !== 0) throw new Error(`PostgreSQL did not come back (${started.status})`)
}
