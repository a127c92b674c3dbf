/**
 * Runs kiosks that rent by card while the site (with PostgreSQL also its database) is killed at random moments and
 * restarted, then checks the invariants. A seed determines renters, cards and moments, but not their exact
 * interleaving.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, openDatabase } from '../../platform/database/open.ts'
import { folderFiles } from '../../ports/files/folder.ts'
import { seededRandom } from '../../ports/testing-clock-and-random.ts'
import { startSandbox } from '../../sandbox/server.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'
import { findBrokenPromises } from '../actors/check-confirmed-rentals.ts'
import { watchInvariants } from '../actors/invariants.ts'
import { availableKinds, type RentalResult, rentAtKiosk } from '../actors/renter.ts'
import { crashPostgres, ON_SEEDED_DEMO, openSite } from '../actors/run-site-process.ts'
import { choicesOf } from '../support/random-choices.ts'
import { createRequestCountdown } from './create-request-countdown.ts'
import { findZeroCounts } from './find-zero-counts.ts'

export interface FaultRuns {
  runs: number
  seed: number
  /** Signal that ends the site. After SIGTERM, requests in progress must still be answered. */
  signal?: 'SIGKILL' | 'SIGTERM'
  kiosks?: number
  /** PostgreSQL database, and its cluster's folder if the server may be killed too. */
  postgres?: { url: string; clusterFolder?: string }
  log?: (line: string) => void
}

export interface FaultReport {
  kills: number
  movedIn: number
  refused: number
  walkedAway: number
  /** Descriptions of the violated invariants. */
  violations: string[]
}

/** Cards used by kiosks; most are good. */
const cards: readonly TestCardName[] = [
  'visa',
  'visa',
  'mastercard',
  'amex',
  'discover',
  'visa',
  'declined',
  'late',
  'garbled',
  'lost',
]

/** Milliseconds by which the clock advances at a restart: more than a browser has to return from the card page. */
const step = 30_000
/** Maximum number of restarts after which all work must be finished. */
const maxRounds = 12

/**
 * Runs the fault test.
 * @throws Error when the site does not start, or refuses a rental for an unexpected reason
 */
export async function runFaults({
  runs,
  seed,
  signal = 'SIGKILL',
  kiosks = 6,
  postgres,
  log = () => {},
}: FaultRuns): Promise<FaultReport> {
  const random = seededRandom(seed)
  const { pick } = choicesOf(random)
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-faults-'))
  const sandbox = await startSandbox({ port: 0, dataDir, slowMs: 300 })
  const site = await openSite({ dataDir, sandboxUrl: sandbox.url, databaseUrl: postgres?.url })
  let clock = Date.now()
  const startAgain = () => {
    clock += step
    return site.start(clock, ON_SEEDED_DEMO)
  }
  let db: Database | null = null
  const report: FaultReport = { kills: 0, movedIn: 0, refused: 0, walkedAway: 0, violations: [] }
  try {
    await site.start(clock)
    db = await openDatabase({ dataDir, ...(postgres ? { url: postgres.url } : {}) })
    const openedDb = db
    const results: RentalResult[] = []
    const watched = await watchInvariants(openedDb, sandbox.url)

    for (let run = 1; run <= runs; run += 1) {
      const { sent, struck, strike } = createRequestCountdown(random.integer(1, kiosks * 5))
      const cut: number[] = []
      const reach = { url: site.url, up: site.up, sent, cut: (sentAt: number) => cut.push(sentAt) }
      const renting = Promise.all(
        Array.from({ length: kiosks }, (_, index) =>
          rentAtKiosk(reach, {
            kind: pick(availableKinds),
            card: pick(cards),
            patient: random.integer(0, 3) > 0,
            email: `kiosk-${seed}-${run}-${index}@example.com`,
            address: `127.${run % 250}.${index}.${random.integer(1, 250)}`,
          }),
        ),
      ).finally(strike)
      await struck
      await pause(random.integer(0, 40))
      const killsDatabase = postgres?.clusterFolder !== undefined && random.integer(0, 2) === 0
      const killsSite = !killsDatabase || random.integer(0, 1) === 0
      const endedAt = performance.now()
      const code = killsSite ? await site.end(signal) : null
      if (killsSite && signal === 'SIGTERM') {
        if (code !== 0) report.violations.push(`asked to stop, the site ended with ${code}`)
        // A request sent just before the signal may meet a closing connection.
        const lost = cut.filter((sentAt) => sentAt < endedAt - 100)
        if (lost.length > 0) report.violations.push(`${lost.length} requests under way were cut off`)
      }
      if (killsDatabase && postgres?.clusterFolder) await crashPostgres(postgres.clusterFolder)
      if (killsSite) await startAgain()
      report.kills += 1
      const ended = await renting
      results.push(...ended)
      log(
        `run ${run}: ${killsSite ? 'site' : ''}${killsSite && killsDatabase ? ' and ' : ''}${killsDatabase ? 'database' : ''} killed; ${ended.map(({ end }) => end).join(', ')}`,
      )
    }

    for (let round = 1; !(await watched.isSettled(clock)); round += 1) {
      if (round > maxRounds) {
        report.violations.push(`the site did not finish what was begun: ${await watched.describeOpenWork(clock)}`)
        break
      }
      // Jobs claimed by a killed process are free only after their timeout.
      await site.end('SIGTERM')
      await startAgain()
      for (let wait = 0; wait < 20 && !(await watched.isSettled(clock)); wait += 1) await pause(100)
    }
    const files = folderFiles(join(dataDir, 'files'))
    report.violations.push(...(await watched.findViolations()), ...(await findBrokenPromises(openedDb, files, results)))
    const leases = await openedDb.read
      .selectFrom('leases')
      .select('order_id')
      .where('order_id', 'is not', null)
      .execute()
    report.movedIn = leases.length
    report.refused = results.filter(({ end }) => end === 'refused').length
    report.walkedAway = results.filter(({ end }) => end === 'walked away').length
    if (runs * kiosks >= 10) report.violations.push(...findZeroCounts(report, 'movedIn'))
    return report
  } finally {
    await db?.close()
    await site.end('SIGKILL')
    await sandbox.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
