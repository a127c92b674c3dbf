/** The processes under test: the site, its database, the operator's commands. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SANDBOX_CREDENTIALS } from '../../sandbox/server.ts'
import { freePort } from './free-port.ts'
import type { Reach } from './visitor.ts'

const root = resolve(import.meta.dirname, '..', '..')

/** Where a business lies: SQLite in the folder, or PostgreSQL by its URL. */
export interface Place {
  dataDir: string
  databaseUrl?: string | undefined
}

/** Of any of our processes on a demo business; a test runner's own mode must not become theirs. */
export const environmentOf = ({ dataDir, databaseUrl }: Place, sandboxUrl?: string): NodeJS.ProcessEnv => ({
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

export interface Running {
  child: ChildProcess
  said(): string
  ended: Promise<{ code: number | null; said: string }>
}

/** @param from the folder of a release; this tree by default */
export function run(words: string[], env: NodeJS.ProcessEnv, from = root): Running {
  return startedBy(spawn(process.execPath, words, { cwd: from, stdio: ['ignore', 'pipe', 'pipe'], env }))
}

/** Keeps what a process says. */
export function startedBy(child: ChildProcess): Running {
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-20_000)
    })
  const ended = new Promise<{ code: number | null; said: string }>((done) =>
    child.once('close', (code) => done({ code, said: said.trim() })),
  )
  return { child, said: () => said, ended }
}

const isOver = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** @returns the exit code, once it has ended */
export async function end(running: Running | null, signal: NodeJS.Signals): Promise<number | null> {
  if (!running) return null
  if (!isOver(running.child)) running.child.kill(signal)
  return (await running.ended).code
}

export interface Site extends Reach {
  readonly pid: number
  /** From the spawn to the first answer that it is ready, ms. */
  readonly startMs: number
  up(): Promise<void>
  /** What it said last, where it has ended by itself. */
  fate(): string | null
  /** What it has said since its last start. */
  said(): string
  /** SIGKILL, as pulling the plug, or SIGTERM, which lets it finish what is under way. @returns its exit code */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
  /** @param clock epoch milliseconds that the site's clock shows from now on; the machine's by default */
  start(clock?: number): Promise<void>
}

/** The built site on a port of its own; it trusts one proxy, so that each visitor has an address. */
export async function openSite(
  of: Place & { sandboxUrl?: string; environment?: Record<string, string>; release?: () => string },
): Promise<Site> {
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...environmentOf(of, of.sandboxUrl),
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    PUBLIC_URL: url,
    TRUST_PROXY: '1',
    PRINT_LOGINS: 'off',
    LOG_LEVEL: 'error',
  }
  let running: Running | null = null
  let said = () => ''
  let startMs = 0
  let answering: Promise<void> = Promise.resolve()
  let resume = () => {}
  return {
    url,
    get pid() {
      return running?.child.pid ?? 0
    },
    get startMs() {
      return startMs
    },
    up: () => answering,
    said: () => said(),
    fate: () => (running && isOver(running.child) ? `${running.child.exitCode}: ${running.said()}` : null),
    async end(signal) {
      answering = new Promise((done) => {
        resume = done
      })
      const ending = running
      running = null
      return end(ending, signal)
    },
    async start(clock) {
      const began = performance.now()
      const show = clock === undefined ? {} : { CLOCK: new Date(clock).toISOString() }
      const started = run(['server/launch.mjs'], { ...env, ...show, ...of.environment }, of.release?.())
      running = started
      said = started.said
      for (;;) {
        if (isOver(started.child)) throw new Error(`The site ended (${started.child.exitCode}):\n${started.said()}`)
        const ready = await fetch(`${url}/readyz`).then(
          (answer) => answer.ok,
          () => false,
        )
        if (ready) break
        await pause(10)
      }
      startMs = performance.now() - began
      resume()
    },
  }
}

/** One of the operator's commands. */
export const operator = (words: string[], place: Place, sandboxUrl: string): Running =>
  run([join(root, 'operator', 'launch.mjs'), ...words], environmentOf(place, sandboxUrl))

/** Ends a PostgreSQL server and all its processes at once. @param dataFolder the cluster's own */
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
      // It had ended by itself, as children do without their postmaster.
    }
  }
  for (const pid of [postmaster, ...children]) while (existsSync(`/proc/${pid}/exe`)) await pause(5)
  // A process that its parent has not buried yet still counts as running for pg_ctl; we have seen all of them end.
  rmSync(pidFile, { force: true })
}

/** `killPostgres`, and started again with the options it had. @param dataFolder the cluster's own */
export async function crashPostgres(dataFolder: string): Promise<void> {
  const program = /^(\S+)/.exec(readFileSync(join(dataFolder, 'postmaster.opts'), 'utf8'))?.[1] ?? ''
  const { uid, gid } = statSync(dataFolder)
  await killPostgres(dataFolder)
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
