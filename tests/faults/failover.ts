/**
 * Two processes of the site on a PostgreSQL that fails over, while kiosks rent by card. What was answered must hold, in the
 * books of the card provider too; what fails must fail with 503 and Retry-After. The same seed draws the same renters.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '../../platform/database/open.ts'
import { folderFiles } from '../../ports/files/folder.ts'
import { seededRandom } from '../../ports/testing.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'
import { watch } from '../actors/invariants.ts'
import { type Mail, promisesBroken } from '../actors/promises.ts'
import { isAvailable, type Kind, rentAtKiosk, type Told } from '../actors/renter.ts'
import type { Reach } from '../actors/visitor.ts'
import { identicalServers, type Servers } from './identical-servers.ts'
import { momentAfter } from './moment.ts'

export interface Failover {
  /** Of an empty database, by way of what switches between primary and standby. */
  databaseUrl: string
  seed: number
  kiosks?: number
  environment?: Record<string, string>
  /** What serves; two processes of this tree by default. */
  open?(): Promise<Servers>
  /** What kiosks rent; the demo's types by default. */
  kinds?: readonly Kind[]
  /** Mails that have left the site, where it captures none. */
  mails?(): readonly Mail[]
  /** Breaks something, at a drawn moment; resolves once kiosks need not go on. */
  strike(struck: Struck): Promise<void>
  /** Looks at the site once its books were checked. */
  settled?(): Promise<void>
  /** Where what was answered may be lost: decides about it once the kiosks have stopped. @returns what does not hold */
  decide?(servers: Servers): Promise<string[]>
  /** Turns the processes' clocks on and starts them again, instead of waiting for the minute that is left to them. */
  hurry?: boolean
  /** Between one renting of a kiosk and its next. */
  paceMs?: number
  /** Looked at all the time beside the kiosks, by any process. */
  probes?: readonly string[]
  log?: (line: string) => void
}

export interface Struck extends Servers {
  /** What a killed process had in flight is lost to its visitor: no fault while `kill` runs, and for a moment after it. */
  killing(kill: () => Promise<unknown>): Promise<void>
}

export interface FailoverReport {
  answers: number
  failed: number
  /** In flight at a process that was killed. */
  cut: number
  movedIn: number
  walkedAway: number
  /** Writes that succeeded after the strike. */
  writesAfter: number
  longestGapMs: number
  /** Of each probe, answers other than 200 of all. */
  probes: Record<string, { answers: number; failed: number }>
  violations: string[]
}

const cards: readonly TestCardName[] = ['visa', 'visa', 'mastercard', 'amex', 'declined', 'late', 'lost']
const MINUTE = 60_000

export async function runFailover(of: Failover): Promise<FailoverReport> {
  const { databaseUrl, seed, kiosks = 5, paceMs = 0, probes = [], kinds = isAvailable, log = () => {} } = of
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[random.integer(0, list.length - 1)] as T
  const servers = await (of.open?.() ?? identicalServers(2, of))
  const { machines, folder, filesFolder, sandboxUrl, frontUrl } = servers
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
  const written: number[] = []
  let killing = false
  const look = (path: string) =>
    fetch(`${pick(machines).url}${path}`).then(
      (answer) => answer.status,
      () => 0,
    )
  const reach = (sent: () => void): Reach => ({
    get url() {
      return frontUrl ?? pick(machines).url
    },
    async up() {
      for (;;) {
        if ((await look('/readyz')) === 200) return
        for (const machine of machines) if (machine.fate()) throw new Error(`a process ended: ${machine.fate()}`)
        await pause(50)
      }
    },
    sent,
    cut() {
      if (killing) report.cut += 1
      else report.violations.push('a request got no answer')
    },
    answered({ status, headers }, method) {
      report.answers += 1
      if (status >= 500) report.failed += 1
      if (status === 500) report.violations.push('an answer was 500')
      if (status === 503 && !headers['retry-after']) report.violations.push('a 503 came without Retry-After')
      if (status < 400 && method === 'POST') written.push(performance.now())
    },
  })
  let db: Awaited<ReturnType<typeof openDatabase>> | null = null
  try {
    for (const machine of machines) await machine.start()
    const settings = { pooled: of.environment?.DATABASE_POOLED === 'on' }
    db = await openDatabase({ dataDir: folder, url: databaseUrl, settings })
    const watched = await watch(db, sandboxUrl, of.decide !== undefined)
    let over = false
    const probing = probes.map(async (path) => {
      const count = report.probes[path]!
      while (!over) {
        count.answers += 1
        if ((await look(path)) !== 200) count.failed += 1
        await pause(100)
      }
    })
    const told: Told[] = []
    const { sent, struck, strike } = momentAfter(random.integer(kiosks * 2, kiosks * 12))
    const renting = Promise.allSettled(
      Array.from({ length: kiosks }, async (_, index) => {
        for (let round = 1; !over; round += 1) {
          told.push(
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
    const struckAll: Struck = {
      ...servers,
      async killing(kill) {
        killing = true
        await kill()
        // The proxy has heard of it by then.
        await pause(1000)
        killing = false
      },
    }
    await of.strike(struckAll).finally(() => {
      over = true
    })
    for (const one of await renting)
      if (one.status === 'rejected' && !of.decide)
        report.violations.push(`a kiosk: ${one.reason instanceof Error ? one.reason.message : one.reason}`)
    await Promise.all(probing)
    report.writesAfter = written.filter((at) => at > struckAt).length
    report.longestGapMs = Math.round(
      Math.max(...written.toSorted((a, b) => a - b).map((at, index, all) => (index === 0 ? 0 : at - all[index - 1]!))),
    )
    if (of.decide) report.violations.push(...(await of.decide(servers)))
    const ahead = of.hurry ? MINUTE : 0
    if (of.hurry) {
      await Promise.all(machines.map((machine) => machine.end('SIGTERM')))
      for (const machine of machines) await machine.start(Date.now() + ahead)
    }
    const until = performance.now() + MINUTE
    while (!(await watched.settled(Date.now() + ahead)) && performance.now() < until) await pause(200)
    if (!(await watched.settled(Date.now() + ahead))) report.violations.push('something is still open a minute after')
    report.violations.push(...(await watched.broken()))
    if (!of.decide) report.violations.push(...(await promisesBroken(db, folderFiles(filesFolder), told, of.mails?.())))
    await of.settled?.()
    report.movedIn = told.filter(({ end }) => end === 'moved in').length
    report.walkedAway = told.filter(({ end }) => end === 'walked away').length
    return report
  } finally {
    await db?.close()
    await servers.close()
  }
}
