/** Processes under measurement: how they are started, what CPU and memory they have used, how they are ended. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../tests/actors/free-port.ts'

const run = promisify(execFile)

/** Fields of /proc/<pid>/stat behind the name, which may itself hold spaces and parentheses. */
function stat(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

/**
 * CPU that a process has used so far, in milliseconds; its children's only with `family`. By the scheduler's own account of
 * the threads that live: the hundred ticks a second of the usual one are coarser than a page.
 */
export function cpuMs(pid: number, family = false): number {
  let nanoseconds = 0
  for (const one of family ? [pid, ...childrenOf(pid)] : [pid]) {
    try {
      for (const thread of readdirSync(`/proc/${one}/task`))
        nanoseconds += Number(readFileSync(`/proc/${one}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    } catch (error) {
      // One that is gone has nothing to say; the process that is measured must be there.
      if (one === pid && !existsSync(`/proc/${pid}`)) throw error
    }
  }
  return nanoseconds / 1e6
}

export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(stat(Number(name))?.[1]) === pid)
    .map(Number)
}

/** Resident memory in MB. */
export function residentMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kb) / 1024
}

/** Resident memory at its highest so far in MB; 0 where the process has just ended. */
export function peakMb(pid: number): number {
  try {
    const kb = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kb ?? 0) / 1024
  } catch {
    return 0
  }
}

export const scratchFolder = () => mkdtempSync(join(tmpdir(), 'latchkey-bench-'))

export interface Started {
  readonly pid: number
  readonly url: string
  /** From the spawn to the first answer that it is ready. */
  readonly startMs: number
  stop(): Promise<void>
}

/** Starts a program and waits until `url` answers well. @throws Error with what the program said when it ends before */
async function startProcess(
  command: string[],
  options: { cwd: string; env: Record<string, string>; ready: string; url: string },
): Promise<Started> {
  const began = performance.now()
  const child: ChildProcess = spawn(command[0] as string, command.slice(1), {
    cwd: options.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-10_000)
    })
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended (${child.exitCode}):\n${said}`)
    if (performance.now() - began > 60_000) {
      child.kill('SIGKILL')
      throw new Error(`${command.join(' ')} was not ready in a minute:\n${said}`)
    }
    const ready = await fetch(options.ready).then(
      (answer) => answer.body?.cancel().then(() => answer.ok) ?? answer.ok,
      () => false,
    )
    if (ready) break
    await pause(10)
  }
  const startMs = performance.now() - began
  return {
    pid: child.pid as number,
    url: options.url,
    startMs,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      const killer = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await gone
      clearTimeout(killer)
    },
  }
}

/** The site as `npm start` runs it, with the card sandbox beside it; believes one proxy, so that each visitor counts. */
export async function startSite(root: string, dataDir: string, databaseUrl?: string): Promise<Started> {
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  return startProcess([process.execPath, 'server/launch.mjs'], {
    cwd: root,
    url,
    ready: `${url}/readyz`,
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? '',
      PUBLIC_URL: url,
      TRUST_PROXY: '1',
      PRINT_LOGINS: 'off',
      LOG_LEVEL: 'warn',
    },
  })
}

/** The floor under pages: one JSON route, nothing else. */
export async function startBareServer(root: string): Promise<Started> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const env = { NODE_ENV: 'production', PORT: String(port) }
  return startProcess([process.execPath, 'bench/bare-server.mjs'], { cwd: root, url, ready: url, env })
}

export interface Postgres {
  /** The postmaster's process; CPU is asked of its family. */
  readonly pid: number
  readonly url: string
  stop(): void
}

const debian = '/usr/lib/postgresql'

/** Folder of PostgreSQL's programs, the newest first; null where there are none. */
export function postgresPrograms(): string | null {
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [process.env.PG_BIN, ...versions.map((version) => join(debian, version, 'bin'))]
  return folders.find((folder) => folder && existsSync(join(folder, 'initdb'))) ?? null
}

/** A throw-away PostgreSQL that syncs every commit, as one in service does; on a socket in a folder of its own, no port. */
export function startPostgres(programs: string): Postgres {
  const owner = process.getuid?.() === 0 ? unprivileged() : undefined
  // Not below DATA_DIR, which is the server's user's alone.
  const place = mkdtempSync(join(tmpdir(), 'latchkey-bench-postgres-'))
  if (owner) chownSync(place, owner.uid, owner.gid)
  const data = join(place, 'data')
  const call = (program: string, ...given: string[]) => {
    const result = spawnSync(join(programs, program), given, { ...owner, cwd: tmpdir(), stdio: 'ignore' })
    if (result.status !== 0) throw new Error(`${program} failed (${result.status})`)
  }
  call('initdb', '-D', data, '-U', 'latchkey', '--auth=trust', '-E', 'UTF8', '--no-locale', '--no-sync')
  const settings = `-c listen_addresses='' -c unix_socket_directories='${place}' -c shared_buffers=128MB`
  call('pg_ctl', '-D', data, '-l', join(place, 'log'), '-w', '-o', settings, 'start')
  return {
    pid: Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
    url: `postgres://latchkey@localhost/postgres?host=${encodeURIComponent(place)}`,
    stop() {
      call('pg_ctl', '-D', data, '-m', 'fast', '-w', 'stop')
      rmSync(place, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number } {
  for (const name of ['postgres', 'nobody']) {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((user) => user.startsWith(`${name}:`))
      ?.split(':')
    if (line) return { uid: Number(line[2]), gid: Number(line[3]) }
  }
  throw new Error('PostgreSQL needs a user other than root, and there is none.')
}

/**
 * Asks an address for some seconds, 16 callers at once; they share the machine with the server, so what a request costs is
 * the server's CPU and not the rate.
 * @param cpu of the server so far, in milliseconds
 * @throws Error where an answer was not 2xx
 */
export async function requestCost(
  root: string,
  url: string,
  seconds: number,
  cpu: () => number,
): Promise<{ rate: number; microseconds: number }> {
  const program = join(root, 'node_modules/autocannon/autocannon.js')
  const given = ['-j', '-c', '16', '-d', String(seconds), '-H', 'accept-encoding=br', url]
  const before = cpu()
  const { stdout } = await run(process.execPath, [program, ...given], { maxBuffer: 1e7 })
  const used = cpu() - before
  const result = JSON.parse(stdout) as {
    requests: { average: number; total: number }
    non2xx: number
    errors: number
  }
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} failed`)
  return { rate: result.requests.average, microseconds: (used * 1000) / result.requests.total }
}

export const discard = (folder: string) => rmSync(folder, { recursive: true, force: true })
