/** Processes under test: the site, its database, and the operator's commands. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SANDBOX_CREDENTIALS } from '../../sandbox/server.ts'
import { freePort } from './free-port.ts'
import type { Reach } from './visitor-http-client.ts'

const root = resolve(import.meta.dirname, '..', '..')

/** Database of a business: SQLite in the folder, or PostgreSQL by URL. */
export interface DatabaseLocation {
  dataDir: string
  databaseUrl?: string | undefined
}

/** Returns the environment of a process on a demo business. Replaces MODE and NODE_ENV, which Vitest sets to 'test'. */
export const environmentOf = ({ dataDir, databaseUrl }: DatabaseLocation, sandboxUrl?: string): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: 'production',
  MODE: 'demo',
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl ?? '',
  ...(sandboxUrl && {
    CARD_PROVIDER_URL: sandboxUrl,
    CARD_PROVIDER_XWEB_ID: SANDBOX_CREDENTIALS.xwebId,
    CARD_PROVIDER_TERMINAL_ID: SANDBOX_CREDENTIALS.terminalId,
    CARD_PROVIDER_AUTH_KEY: SANDBOX_CREDENTIALS.authKey,
    BANK_URL: `${sandboxUrl}/bank`,
    BANK_KEY: SANDBOX_CREDENTIALS.authKey,
  }),
})

/** A started process whose output is collected. */
export interface Running {
  child: ChildProcess
  output(): string
  ended: Promise<{ code: number | null; output: string }>
}

/**
 * Starts a Node process.
 * @param from folder of a release; this source tree by default
 */
export function run(words: string[], env: NodeJS.ProcessEnv, from = root): Running {
  return collectOutput(spawn(process.execPath, words, { cwd: from, stdio: ['ignore', 'pipe', 'pipe'], env }))
}

/** Collects a process's output. Keeps the last 20,000 characters. */
export function collectOutput(child: ChildProcess): Running {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000)
    })
  const ended = new Promise<{ code: number | null; output: string }>((done) =>
    child.once('close', (code) => done({ code, output: output.trim() })),
  )
  return { child, output: () => output, ended }
}

/** Returns the HTTP status of a URL; 0 without a response. */
export const fetchStatus = (url: string): Promise<number> =>
  fetch(url).then(
    (answer) => answer.status,
    () => 0,
  )

/** Returns whether a process has exited, or was killed by a signal and thus has no exit code. */
export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** Ends a process and returns its exit code; null without a process, or when a signal killed it. */
export async function end(running: Running | null, signal: NodeJS.Signals): Promise<number | null> {
  if (!running) return null
  if (!hasEnded(running.child)) running.child.kill(signal)
  return (await running.ended).code
}

/** The site under test, which can be started and ended. */
export interface Site extends Reach {
  readonly pid: number
  /** Time in milliseconds from the start of the process to the first response that the site is ready. */
  readonly startMs: number
  /** Resolves at once or, after `end`, once the site has started again. */
  up(): Promise<void>
  /** Returns exit code and last output of a process that ended by itself; otherwise null. */
  fate(): string | null
  /** Returns the output since the last start. */
  output(): string
  /**
   * Ends the site: SIGKILL at once, SIGTERM after requests in progress.
   * @returns exit code; null when the site was not running, or a signal killed it
   */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
  /**
   * Starts the site.
   * @param clock time at which the site's clock starts, epoch milliseconds; the machine's time by default
   * @param environment further settings of this start
   */
  start(clock?: number, environment?: Record<string, string>): Promise<void>
}

/**
 * Prepares the built site on a free port. The site trusts one proxy, so that each simulated visitor can send a network
 * address of its own in X-Forwarded-For.
 * @param options `release` returns the folder of the release that the next start runs; this source tree by default
 */
export async function openSite(
  options: DatabaseLocation & { sandboxUrl?: string; environment?: Record<string, string>; release?: () => string },
): Promise<Site> {
  const port = await freePort()
  const sandboxPort = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...environmentOf(options, options.sandboxUrl),
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    PUBLIC_URL: url,
    TRUST_PROXY: '1',
    PRINT_LOGINS: 'off',
    LOG_LEVEL: 'error',
  }
  let running: Running | null = null
  let output = () => ''
  let startMs = 0
  let isUp: Promise<void> = Promise.resolve()
  let resume = () => {}
  return {
    url,
    get pid() {
      return running?.child.pid ?? 0
    },
    get startMs() {
      return startMs
    },
    up: () => isUp,
    output: () => output(),
    fate: () => (running && hasEnded(running.child) ? `${running.child.exitCode}: ${running.output()}` : null),
    async end(signal) {
      isUp = new Promise((done) => {
        resume = done
      })
      const ending = running
      running = null
      return end(ending, signal)
    },
    async start(clock, environment) {
      const began = performance.now()
      const clockSetting = clock === undefined ? {} : { CLOCK: new Date(clock).toISOString() }
      const started = run(
        // The option is that of the shipped start commands (docs/decisions/performance.md).
        ['--max-semi-space-size=4', 'server/launch.mjs'],
        { ...env, ...clockSetting, ...options.environment, ...environment },
        options.release?.(),
      )
      running = started
      output = started.output
      for (;;) {
        if (hasEnded(started.child)) throw new Error(`The site ended (${started.child.exitCode}):\n${started.output()}`)
        if ((await fetchStatus(`${url}/readyz`)) === 200) break
        await pause(10)
      }
      startMs = performance.now() - began
      resume()
    },
  }
}

/**
 * Settings of a start on a demo that an earlier start has seeded: the process neither seeds the demo nor computes its
 * past days.
 */
export const ON_SEEDED_DEMO = { DEMO: 'off' }

/** Starts one of the operator's commands. */
export const operator = (words: string[], place: DatabaseLocation, sandboxUrl: string): Running =>
  run([join(root, 'operator', 'launch.mjs'), ...words], environmentOf(place, sandboxUrl))

/**
 * Kills a PostgreSQL server with all its processes.
 * @param dataFolder data folder of its cluster
 */
export async function killPostgres(dataFolder: string): Promise<void> {
  const pidFile = join(dataFolder, 'postmaster.pid')
  const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  const children = (readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').match(/\d+/g) ?? []).map(
    Number,
  )
  for (const pid of [postmaster, ...children]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process ended by itself, as children do without their postmaster.
    }
  }
  for (const pid of [postmaster, ...children]) while (existsSync(`/proc/${pid}/exe`)) await pause(5)
  // For pg_ctl a zombie (an ended process for which its parent has not waited) is a running server.
  rmSync(pidFile, { force: true })
}

/**
 * Kills a PostgreSQL server and starts it again with the same options.
 * @param dataFolder data folder of its cluster
 */
export async function crashPostgres(dataFolder: string): Promise<void> {
  const program = /^(\S+)/.exec(readFileSync(join(dataFolder, 'postmaster.opts'), 'utf8'))?.[1] ?? ''
  const { uid, gid } = statSync(dataFolder)
  await killPostgres(dataFolder)
  const folder = dirname(dataFolder)
  // The socket's lock names the killed process too.
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
