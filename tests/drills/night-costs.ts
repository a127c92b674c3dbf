/** Measures the CPU cost of a night's work and extrapolates it to a whole business. */
import { readFileSync } from 'node:fs'

/** Maximum seconds of each part at this many facilities, on the machines recommended in capacity.md. */
const whole = { facilities: 4000, billing: 600, autopay: 8 * 3600, mails: 12 * 3600, workers: 2, databaseCores: 8 }
/** Concurrency that capacity.md recommends. */
export const rates = { autopayAtATime: 128, mailConnections: 40 }
/** Number of leases of each facility, 88 % of its 600 units. Of 20 leases, 13 are on autopay. */
export const leasesEach = 525
export const onAutopay = (lease: number) => lease % 20 < 13
export const autopaysEach = Array.from({ length: leasesEach }, (_, index) => index + 1).filter(onAutopay).length

export type Part = 'billing' | 'autopay' | 'mails' | 'night'

/** CPU seconds so far, and the progress of the night. */
export interface Look {
  /** Wall-clock time, in seconds. */
  at: number
  web: number
  worker: number
  postgres: number
  /** Whether billing has begun, including the snapshot that it makes first; `billed` is set when it is over. */
  begun: boolean
  billed: boolean
  leases: number
  posted: number
  mails: number
}

/** CPU milliseconds of workers and PostgreSQL. */
interface Cost {
  worker: number
  postgres: number
}

/**
 * Extrapolates the night to the recommended machines. Each part is limited by its slowest resource: its worker thread
 * (one for billing and autopay, all for mails), the database's cores, the provider, or the mail server.
 * @returns descriptions of parts that take too long
 */
export function computed(
  facilities: number,
  { providerMs, mailMs }: { providerMs: number; mailMs: number },
  took: Record<Part, number>,
  cost: Record<Part, Cost>,
  log: (line: string) => void,
): string[] {
  const leases = whole.facilities * leasesEach
  const autopays = whole.facilities * autopaysEach
  const seconds = (count: number, ms: number) => (count * ms) / 1000
  const spent = (of: keyof Cost) =>
    seconds(leases, cost.billing[of] + cost.mails[of]) + seconds(autopays, cost.autopay[of])
  const own = ({ worker, postgres }: Cost) => worker + postgres
  const billing = Math.max(
    seconds(leases, cost.billing.worker),
    seconds(leases, cost.billing.postgres) / whole.databaseCores,
  )
  const autopay = Math.max(
    seconds(autopays, cost.autopay.worker),
    seconds(autopays, cost.autopay.postgres) / whole.databaseCores,
    // Two provider calls each: the query for the order, then the charge.
    seconds(autopays, 2 * providerMs + own(cost.autopay)) / rates.autopayAtATime,
  )
  const mails = Math.max(
    billing + autopay,
    spent('worker') / whole.workers,
    spent('postgres') / whole.databaseCores,
    billing + seconds(leases, mailMs + own(cost.mails)) / (rates.mailConnections * whole.workers),
  )
  const minutes = (of: number) => (of / 60).toFixed(of < 600 ? 1 : 0)
  return Object.entries({ billing, autopay, mails }).flatMap(([name, needs]) => {
    const part = name as Exclude<Part, 'night'>
    const { worker, postgres } = cost[part]
    log(
      `${part}: ${took[part].toFixed(0)} s here; CPU of each, worker ${worker.toFixed(2)} ms, PostgreSQL ${postgres.toFixed(2)} ms\n` +
        `  computed for ${whole.facilities} facilities: ${minutes(needs)} min (at most ${whole[part] / 60}); ` +
        `with this machine alone ${minutes((took[part] * whole.facilities) / facilities)} min`,
    )
    return needs <= whole[part]
      ? []
      : [`${part} takes ${minutes(needs)} min at ${whole.facilities} facilities, computed`]
  })
}

/**
 * Computes the cost of each lease, autopay charge and mail. A mail's cost is measured between billing and autopay, when
 * nothing else runs; the idle cost after that is subtracted everywhere.
 */
export function costs(looks: readonly Look[], dues: number): Record<Part, Cost> {
  const end = looks.at(-1)!
  const begun = looks.findLast((one) => !one.begun) ?? end
  const billed = looks.find((one) => one.billed) ?? end
  const sent = looks.find((one) => one.mails >= dues) ?? end
  const before = looks.findLast((one) => one.posted === 0) ?? end
  const idle = (of: keyof Cost) => (before.at > sent.at ? (before[of] - sent[of]) / (before.at - sent.at) : 0)
  const each = (of: keyof Cost, from: Look, to: Look, what: 'leases' | 'posted' | 'mails', mail = 0) => {
    const ms = (to[of] - from[of] - idle(of) * (to.at - from.at)) * 1000 - (to.mails - from.mails) * mail
    return Math.max(0, ms) / Math.max(1, to[what] - from[what])
  }
  const mails = { worker: each('worker', billed, sent, 'mails'), postgres: each('postgres', billed, sent, 'mails') }
  const part = (from: Look, to: Look, what: 'leases' | 'posted'): Cost => ({
    worker: each('worker', from, to, what, mails.worker),
    postgres: each('postgres', from, to, what, mails.postgres),
  })
  return { mails, billing: part(begun, billed, 'leases'), autopay: part(before, end, 'posted'), night: mails }
}

/** CPU ticks per second that Linux counts. */
const TICKS = 100

/** Returns the CPU seconds used so far by web process, workers and PostgreSQL. */
export function cpuOf(web: number, workers: readonly number[], postmaster: number) {
  const seconds = (pid: number, from = 11, to = 13) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return fields.slice(from, to).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS
    } catch {
      // The process has ended; its parent counts it.
      return 0
    }
  }
  const backends = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').match(/\d+/g) ?? []
  const sum = (pids: readonly number[]) => pids.reduce((all, pid) => all + seconds(pid), 0)
  return {
    web: seconds(web),
    worker: sum(workers),
    // Includes backends that have ended.
    postgres: seconds(postmaster, 11, 15) + sum(backends.map(Number)),
  }
}
