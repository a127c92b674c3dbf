import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../tests/actors/free-port.ts'
import { end, hasEnded, run } from '../tests/actors/run-site-process.ts'

const childrenOf = (pid: number): number[] =>
  (readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []).map(Number)

/**
 * Returns a process's CPU time in milliseconds, from the scheduler, which is more exact than ticks.
 * @param family whether the process's direct children are included
 */
export function cpuMs(pid: number, family = false): number {
  const folders = [pid, ...(family ? childrenOf(pid) : [])].flatMap((id) => threadFoldersOf(id, id === pid))
  return folders.reduce((sum, folder) => sum + threadNanoseconds(folder), 0) / 1e6
}

/** Lists the folders of a process's threads. @throws Error if the process has ended and `mustExist` is set */
function threadFoldersOf(pid: number, mustExist: boolean): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)
  } catch (error) {
    if (mustExist) throw error
    return []
  }
}

/** Returns a thread's CPU time; 0 if the thread has ended since it was listed. */
function threadNanoseconds(folder: string): number {
  try {
    return Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0])
  } catch {
    return 0
  }
}

export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

export const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/**
 * Starts a server with a single JSON route, of the same library as the site. Its CPU time is the lower bound to which
 * pages are compared.
 */
export async function startBareServer(): Promise<{ url: string; pid: number; stop(): Promise<unknown> }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const running = run(['bench/baseline-server.mjs'], { ...process.env, NODE_ENV: 'production', PORT: String(port) })
  while (!(await fetch(url).catch(() => null))?.ok) {
    if (hasEnded(running.child)) throw new Error(running.output())
    await pause(10)
  }
  return { url, pid: running.child.pid as number, stop: () => end(running, 'SIGTERM') }
}

/**
 * Requests per second at which servers are compared. The rate is the same for every server, since a busier server needs
 * less CPU time per request.
 */
const REQUESTS_PER_SECOND = 5_000

/**
 * Measures the server's CPU time per request in µs, with autocannon, 16 connections and the same rate for every server.
 * @param cpu returns the server's CPU time, in milliseconds
 * @throws Error if a request failed or a response was not 2xx
 */
export async function requestCost(url: string, seconds: number, cpu: () => number): Promise<number> {
  const program = join(import.meta.dirname, '../node_modules/autocannon/autocannon.js')
  const load = ['-c', '16', '-d', String(seconds), '-R', String(REQUESTS_PER_SECOND)]
  const options = ['-j', ...load, '-H', 'accept-encoding=br', url]
  const before = cpu()
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...options], { maxBuffer: 1e7 })
  const used = cpu() - before
  const { requests, non2xx, errors } = JSON.parse(stdout)
  if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} answers were not 2xx, ${errors} failed`)
  return (used * 1000) / requests.total
}

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
/** Returns the lowest of measured times. Other work on the machine only increases them, so the lowest is the most exact. */
export const lowest = (values: number[]) => Math.min(...values)
