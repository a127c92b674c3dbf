/**
 * Runs site processes on PostgreSQL while kiosks rent by card, and makes the database or a server fail. Everything that
 * a response confirmed must be stored (unless `decide` is given) and agree with the card provider's records. No response
 * may be 500, and a 503 must have Retry-After.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '../../platform/database/open.ts'
import { folderFiles } from '../../ports/files/folder.ts'
import { seededRandom } from '../../ports/testing-clock-and-random.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'
import { findBrokenPromises, type Mail } from '../actors/check-confirmed-rentals.ts'
import { watchInvariants } from '../actors/invariants.ts'
import { availableKinds, type DemoUnitType, type RentalResult, rentAtKiosk } from '../actors/renter.ts'
import { fetchStatus, ON_SEEDED_DEMO } from '../actors/run-site-process.ts'
import type { Reach } from '../actors/visitor-http-client.ts'
import { choicesOf } from '../support/random-choices.ts'
import { createRequestCountdown } from './create-request-countdown.ts'
import { prepareIdenticalServers, type Servers } from './prepare-servers-on-shared-database.ts'

/** Options of a failover run. */
export interface Failover {
  /**
   * URL of the database; when a standby takes over, of the proxy in front of primary and standby. Without `open`, the
   * first process seeds the demo in it.
   */
  databaseUrl: string
  /** Determines the renters and the moment of the strike. */
  seed: number
  kiosks?: number
  environment?: Record<string, string>
  /** Opens the servers; two processes of this source tree by default. */
  open?(): Promise<Servers>
  /** Unit types that kiosks rent; the demo's by default. */
  kinds?: readonly DemoUnitType[]
  /** Mails sent by the site, when it does not capture them. */
  mails?(): readonly Mail[]
  /** Makes the database or a server fail; called at a random moment. Resolves when the kiosks may stop. */
  strike(struck: Struck): Promise<void>
  /** Called after all checks, while the site still runs. */
  settled?(): Promise<void>
  /**
   * Checks the site after the kiosks have stopped. With this function the database may lose orders, a kiosk may end with
   * an error, and the run does not check that every confirmed rental is stored.
   * @returns violations
   */
  decide?(servers: Servers): Promise<string[]>
  /** Whether to restart the processes, once the kiosks have stopped, with clocks a minute ahead, so that work is due. */
  hurry?: boolean
  /** Pause between two rentals of a kiosk, in milliseconds. */
  paceMs?: number
  /** Paths that are requested continuously during the run, each time from a random process. */
  probes?: readonly string[]
  log?: (line: string) => void
}

/** Servers of a failover run, as `strike` gets them. */
export interface Struck extends Servers {
  /** Runs `kill`. A request without a response is no fault while `kill` runs and for a second after. */
  killing(kill: () => Promise<unknown>): Promise<void>
}

export interface FailoverReport {
  answers: number
  /** Number of responses with a status of 500 or more. */
  failed: number
  /** Number of requests without a response during `killing`, including its last second. */
  cut: number
  movedIn: number
  walkedAway: number
  /** Number of POST requests that succeeded after the strike. */
  writesAfter: number
  /** Longest time between two successive POST requests that succeeded, in milliseconds. */
  longestGapMs: number
  /** By path: number of requests of each probe (`answers`), and how many of them did not get a 200 (`failed`). */
  probes: Record<string, { answers: number; failed: number }>
  violations: string[]
}

const cards: readonly TestCardName[] = ['visa', 'visa', 'mastercard', 'amex', 'declined', 'late', 'lost']
const MINUTE = 60_000

/** Rents by card through a failover and checks the invariants. */
export async function runFailover(options: Failover): Promise<FailoverReport> {
  const { databaseUrl, seed, kiosks = 5, paceMs = 0, probes = [], kinds = availableKinds, log = () => {} } = options
  const random = seededRandom(seed)
  const { pick } = choicesOf(random)
  const servers = await (options.open?.() ?? prepareIdenticalServers(2, options))
  const { sites, folder, filesFolder, sandboxUrl, frontUrl } = servers
  const report: FailoverReport = {
    answers: 0,
    failed: 0,
    cut: 0,
    movedIn: 0,
    walkedAway: 0,
    writesAfter: 0,
    longestGapMs: 0,
    probes: Object.fromEntries(probes.map((path) => [path, { answers: 0, failed: 0 }])),
    violations: [],
  }
  const writeTimes: number[] = []
  let isKilling = false
  const reach = (sent: () => void): Reach => ({
    get url() {
      return frontUrl ?? pick(sites).url
    },
    async up() {
      for (;;) {
        if ((await fetchStatus(`${pick(sites).url}/readyz`)) === 200) return
        for (const site of sites) if (site.fate()) throw new Error(`a process ended: ${site.fate()}`)
        await pause(50)
      }
    },
    sent,
    cut() {
      if (isKilling) report.cut += 1
      else report.violations.push('a request got no answer')
    },
    answered({ status, headers }, method) {
      report.answers += 1
      if (status >= 500) report.failed += 1
      if (status === 500) report.violations.push('an answer was 500')
      if (status === 503 && !headers['retry-after']) report.violations.push('a 503 came without Retry-After')
      if (status < 400 && method === 'POST') writeTimes.push(performance.now())
    },
  })
  let db: Awaited<ReturnType<typeof openDatabase>> | null = null
  const onSeeded = options.open ? undefined : ON_SEEDED_DEMO
  try {
    if (!options.open) {
      // The first process seeds the demo, so that none computes the demo's past days while the kiosks rent.
      await sites[0]!.start()
      await sites[0]!.end('SIGTERM')
    }
    for (const site of sites) await site.start(undefined, onSeeded)
    const settings = { pooled: options.environment?.DATABASE_POOLED === 'on' }
    db = await openDatabase({ dataDir: folder, url: databaseUrl, settings })
    const watched = await watchInvariants(db, sandboxUrl, options.decide !== undefined)
    let isOver = false
    // Without its database, a process serves only pages that it has served before, so each serves the probed ones.
    for (const { url } of sites) for (const path of probes) await fetch(`${url}${path}`)
    const probing = probes.map(async (path) => {
      const count = report.probes[path]!
      while (!isOver) {
        count.answers += 1
        if ((await fetchStatus(`${pick(sites).url}${path}`)) !== 200) count.failed += 1
        await pause(100)
      }
    })
    const results: RentalResult[] = []
    const { sent, struck, strike } = createRequestCountdown(random.integer(kiosks * 2, kiosks * 12))
    const renting = Promise.allSettled(
      Array.from({ length: kiosks }, async (_, index) => {
        for (let round = 1; !isOver; round += 1) {
          results.push(
            await rentAtKiosk(reach(sent), {
              kind: pick(kinds),
              card: pick(cards),
              patient: random.integer(0, 3) > 0,
              email: `kiosk-${seed}-${index}-${round}@example.com`,
              address: `10.${round % 250}.${index}.${random.integer(1, 250)}`,
            }),
          )
          if (paceMs > 0) await pause(paceMs)
        }
      }),
    ).finally(strike)
    await struck
    const struckAt = performance.now()
    log(`strikes after ${report.answers} answers`)
    const struckServers: Struck = {
      ...servers,
      async killing(kill) {
        isKilling = true
        await kill()
        // A proxy in front of the servers needs a moment to notice the ended process.
        await pause(1000)
        isKilling = false
      },
    }
    await options.strike(struckServers).finally(() => {
      isOver = true
    })
    for (const outcome of await renting)
      if (outcome.status === 'rejected' && !options.decide)
        report.violations.push(`a kiosk: ${outcome.reason instanceof Error ? outcome.reason.message : outcome.reason}`)
    await Promise.all(probing)
    report.writesAfter = writeTimes.filter((at) => at > struckAt).length
    report.longestGapMs = Math.round(
      Math.max(
        0,
        ...writeTimes.toSorted((a, b) => a - b).map((at, index, all) => (index === 0 ? 0 : at - all[index - 1]!)),
      ),
    )
    if (options.decide) report.violations.push(...(await options.decide(servers)))
    const ahead = options.hurry ? MINUTE : 0
    if (options.hurry) {
      await Promise.all(sites.map((site) => site.end('SIGTERM')))
      for (const site of sites) await site.start(Date.now() + ahead, onSeeded)
    }
    const until = performance.now() + MINUTE
    while (!(await watched.isSettled(Date.now() + ahead)) && performance.now() < until) await pause(200)
    if (!(await watched.isSettled(Date.now() + ahead))) report.violations.push('something is still open a minute after')
    report.violations.push(...(await watched.findViolations()))
    if (!options.decide)
      report.violations.push(...(await findBrokenPromises(db, folderFiles(filesFolder), results, options.mails?.())))
    await options.settled?.()
    report.movedIn = results.filter(({ end }) => end === 'moved in').length
    report.walkedAway = results.filter(({ end }) => end === 'walked away').length
    return report
  } finally {
    await db?.close()
    await servers.close()
  }
}
