import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../tests/actors/free-port.ts'
import { end, run } from '../tests/actors/site.ts'

const childrenOf = (pid: number): number[] =>
  (readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []).map(Number)

/** CPU used so far, ms, its children's with `family`. By the scheduler's account: the usual 100 ticks a second are too coarse. */
export function cpuMs(pid: number, family = false): number {
  let nanoseconds = 0
  for (const one of family ? [pid, ...childrenOf(pid)] : [pid]) {
    try {
      for (const thread of readdirSync(`/proc/${one}/task`))
        nanoseconds += Number(readFileSync(`/proc/${one}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    } catch (error) {
      if (one === pid && !existsSync(`/proc/${pid}`)) throw error
    }
  }
  return nanoseconds / 1e6
}

export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

export const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** The floor under pages: one JSON route of the same server library. */
export async function startBareServer(): Promise<{ url: string; pid: number; stop(): Promise<unknown> }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const running = run(['bench/bare-server.mjs'], { ...process.env, NODE_ENV: 'production', PORT: String(port) })
  while (!(await fetch(url).catch(() => null))?.ok) {
    if (running.child.exitCode !== null) throw new Error(running.said())
    await pause(10)
  }
  return { url, pid: running.child.pid as number, stop: () => end(running, 'SIGTERM') }
}

/**
 * Server CPU of a request, µs: autocannon, 16 connections. Not the rate, since both share the machine.
 * @param cpu of the server so far, ms
 * @throws Error where an answer was not 2xx
 */
export async function requestCost(url: string, seconds: number, cpu: () => number): Promise<number> {
  const program = join(import.meta.dirname, '../node_modules/autocannon/autocannon.js')
  const given = ['-j', '-c', '16', '-d', String(seconds), '-H', 'accept-encoding=br', url]
  const before = cpu()
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...given], { maxBuffer: 1e7 })
  const used = cpu() - before
  const { requests, non2xx, errors } = JSON.parse(stdout)
  if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} answers were not 2xx, ${errors} failed`)
  return (used * 1000) / requests.total
}

export const sorted = (values: number[]) => values.toSorted((a, b) => a - b)
export const median = (values: number[]) => sorted(values)[Math.floor(values.length / 2)] as number
/** Other work on the machine makes CPU times longer, never shorter: of several rounds the lower quartile counts. */
export const quartile = (values: number[]) => sorted(values)[Math.floor(values.length / 4)] as number
