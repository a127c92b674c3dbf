/**
 * For the night drill: reads CPU use, computes what a lease's billing, an autopay charge and a mail cost, and
 * extrapolates how long each part takes an operator of 4,000 facilities.
 */
import { readFileSync } from 'node:fs'

/** The extrapolated operator: facilities, maximum seconds of each part, workers and database cores. */
const target = { facilities: 4000, billing: 600, autopay: 8 * 3600, mails: 12 * 3600, workers: 2, databaseCores: 8 }
/** Concurrent autopay charges, and mail connections of each worker, as docs/running/capacity.md recommends. */
export const recommendedConcurrency = { autopayAtATime: 128, mailConnections: 40 }
/** Number of leases of each facility: 525 of its 600 units, 87.5 %. */
export const leasesPerFacility = 525
/** Returns whether a lease is on autopay: 13 of 20 are. */
export const isOnAutopay = (lease: number) => lease % 20 < 13
export const autopaysPerFacility = Array.from({ length: leasesPerFacility }, (_, index) => index + 1).filter(
  isOnAutopay,
).length

export type Part = 'billing' | 'autopay' | 'mails' | 'night'

/** A measurement during the night: CPU seconds of each process since its start, and numbers of finished items. */
export interface Sample {
  /** Time of the measurement, in seconds (`performance.now`). */
  seconds: number
  web: number
  worker: number
  postgres: number
  /** Whether billing has begun; it stores the daily snapshot first. */
  begun: boolean
  /** Whether billing has finished. */
  billed: boolean
  /** Number of billed leases. */
  leases: number
  /** Number of posted autopay charges. */
  posted: number
  /** Number of tenants who got a mail. */
  mails: number
}

/** CPU milliseconds that one lease, charge or mail costs the workers and PostgreSQL. */
interface Cost {
  worker: number
  postgres: number
}

/**
 * Extrapolates the night to the recommended machines. Each part is limited by its slowest resource: its worker thread
 * (one for billing and autopay, all for mails), the database's cores, the provider, or the mail server.
 * @param facilities number of facilities in this run
 * @param delays response time of the provider and delivery time of a mail, in milliseconds
 * @param measuredSeconds seconds that each part took in this run
 * @param cost CPU of each lease, autopay charge and mail
 * @returns descriptions of parts that take too long
 */
export function extrapolateNight(
  facilities: number,
  { providerMs, mailMs }: { providerMs: number; mailMs: number },
  measuredSeconds: Record<Part, number>,
  cost: Record<Exclude<Part, 'night'>, Cost>,
  log: (line: string) => void,
): string[] {
  const leases = target.facilities * leasesPerFacility
  const autopays = target.facilities * autopaysPerFacility
  const seconds = (count: number, ms: number) => (count * ms) / 1000
  const spent = (resource: keyof Cost) =>
    seconds(leases, cost.billing[resource] + cost.mails[resource]) + seconds(autopays, cost.autopay[resource])
  const cpuMs = ({ worker, postgres }: Cost) => worker + postgres
  const billing = Math.max(
    seconds(leases, cost.billing.worker),
    seconds(leases, cost.billing.postgres) / target.databaseCores,
  )
  const autopay = Math.max(
    seconds(autopays, cost.autopay.worker),
    seconds(autopays, cost.autopay.postgres) / target.databaseCores,
    // Each autopay calls the provider twice: it queries the order, then charges.
    seconds(autopays, 2 * providerMs + cpuMs(cost.autopay)) / recommendedConcurrency.autopayAtATime,
  )
  // Autopay's receipts follow its charges, so the mails end after autopay. CPU or delivery limits the mails.
  const mails = Math.max(
    billing + autopay,
    spent('worker') / target.workers,
    spent('postgres') / target.databaseCores,
    billing + seconds(leases, mailMs + cpuMs(cost.mails)) / (recommendedConcurrency.mailConnections * target.workers),
  )
  const minutes = (seconds: number) => (seconds / 60).toFixed(seconds < 600 ? 1 : 0)
  return Object.entries({ billing, autopay, mails }).flatMap(([name, neededSeconds]) => {
    const part = name as Exclude<Part, 'night'>
    const { worker, postgres } = cost[part]
    log(
      `${part}: ${measuredSeconds[part].toFixed(0)} s here; CPU of each, worker ${worker.toFixed(2)} ms, PostgreSQL ${postgres.toFixed(2)} ms\n` +
        `  computed for ${target.facilities} facilities: ${minutes(neededSeconds)} min (at most ${target[part] / 60}); ` +
        `with this machine alone ${minutes((measuredSeconds[part] * target.facilities) / facilities)} min`,
    )
    return neededSeconds <= target[part]
      ? []
      : [`${part} takes ${minutes(neededSeconds)} min at ${target.facilities} facilities, computed`]
  })
}

/**
 * Computes the cost of a lease, an autopay charge and a mail. Between billing and autopay only mails are sent, which
 * gives a mail's cost; after the last of these mails nothing runs, which gives the idle cost to subtract.
 * @param dues number of mails that billing sends: one for each lease that is not on autopay
 */
export function computeCosts(samples: readonly Sample[], dues: number): Record<Exclude<Part, 'night'>, Cost> {
  const end = samples.at(-1)!
  const beforeBilling = samples.findLast((sample) => !sample.begun) ?? end
  const afterBilling = samples.find((sample) => sample.billed) ?? end
  const mailsSent = samples.find((sample) => sample.mails >= dues) ?? end
  const beforeAutopay = samples.findLast((sample) => sample.posted === 0) ?? end
  const idle = (resource: keyof Cost) =>
    beforeAutopay.seconds > mailsSent.seconds
      ? (beforeAutopay[resource] - mailsSent[resource]) / (beforeAutopay.seconds - mailsSent.seconds)
      : 0
  const each = (resource: keyof Cost, from: Sample, to: Sample, item: 'leases' | 'posted' | 'mails', mailMs = 0) => {
    const ms =
      (to[resource] - from[resource] - idle(resource) * (to.seconds - from.seconds)) * 1000 -
      (to.mails - from.mails) * mailMs
    return Math.max(0, ms) / Math.max(1, to[item] - from[item])
  }
  const mails = {
    worker: each('worker', afterBilling, mailsSent, 'mails'),
    postgres: each('postgres', afterBilling, mailsSent, 'mails'),
  }
  const part = (from: Sample, to: Sample, item: 'leases' | 'posted'): Cost => ({
    worker: each('worker', from, to, item, mails.worker),
    postgres: each('postgres', from, to, item, mails.postgres),
  })
  return { mails, billing: part(beforeBilling, afterBilling, 'leases'), autopay: part(beforeAutopay, end, 'posted') }
}

/** Linux's clock ticks per second, the unit of /proc/<pid>/stat. */
const TICKS = 100

/** Returns the CPU seconds used so far by web process, workers and PostgreSQL. */
export function readCpuSeconds(web: number, workers: readonly number[], postmaster: number) {
  // Fields after the command's name: 11 and 12 are utime and stime, 13 and 14 those of ended children.
  const seconds = (pid: number, from = 11, to = 13) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return fields.slice(from, to).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS
    } catch {
      // The process has ended. PostgreSQL's parent process counts the time of ended backends.
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
