/**
 * Runs imports (two at once, some killed), exports, billing, backup and restore while the site is under load. In import
 * number n all prices end in n cents, so a response with two endings shows a partial import.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { demoLogins } from '../../demo/tenants-with-leases-and-reservations.ts'
import { type Database, openDatabase } from '../../platform/database/open.ts'
import { folderFiles } from '../../ports/files/folder.ts'
import { seededRandom } from '../../ports/testing-clock-and-random.ts'
import { startSandbox } from '../../sandbox/server.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'
import { findBrokenPromises } from '../actors/check-confirmed-rentals.ts'
import { watchInvariants } from '../actors/invariants.ts'
import { availableKinds, type RentalResult, rentAtKiosk } from '../actors/renter.ts'
import { openSite, operator } from '../actors/run-site-process.ts'
import { Visitor } from '../actors/visitor-http-client.ts'
import { choicesOf } from '../support/random-choices.ts'
import { findZeroCounts } from './find-zero-counts.ts'

export interface OperatorRuns {
  /** Number of rounds; each has its own prices and runs two imports at once. */
  imports: number
  seed: number
  kiosks?: number
  postgres?: { url: string }
  log?: (line: string) => void
}

export interface OperatorReport {
  imports: number
  killed: number
  movedIn: number
  walkedAway: number
  signedIn: number
  pagesRead: number
  /** Longest time from the end of an import to the first response with its prices, in milliseconds. */
  noticedAfterMs: number
  /** Longest response time of a sign-in or a list of unit types, in milliseconds. */
  longestWaitMs: number
  violations: string[]
}

const cards: readonly TestCardName[] = ['visa', 'mastercard', 'amex', 'discover', 'declined', 'late', 'lost']

/**
 * Runs the fault test. Wrong responses of the site or a command are reported in `violations`.
 * @throws Error when the site cannot start
 */
export async function runOperatorFaults({
  imports,
  seed,
  kiosks = 4,
  postgres,
  log = () => {},
}: OperatorRuns): Promise<OperatorReport> {
  const random = seededRandom(seed)
  const { pick } = choicesOf(random)
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-operator-'))
  const dataDir = join(folder, 'data')
  const sandbox = await startSandbox({ port: 0, dataDir: folder, slowMs: 300 })
  const place = { dataDir, databaseUrl: postgres?.url }
  const site = await openSite({ ...place, sandboxUrl: sandbox.url })
  const clock = Date.now()
  const startedAt = performance.now()
  const report: OperatorReport = {
    imports: 0,
    killed: 0,
    movedIn: 0,
    walkedAway: 0,
    signedIn: 0,
    pagesRead: 0,
    noticedAfterMs: 0,
    longestWaitMs: 0,
    violations: [],
  }
  const addViolation = (sentence: string) => {
    if (!report.violations.includes(sentence)) report.violations.push(sentence)
  }
  const startCommand = (words: string[], target: { dataDir: string; databaseUrl?: string | undefined } = place) =>
    operator(words, target, sandbox.url)
  const command = (...words: string[]) => startCommand(words).ended
  const runOrReport = async (words: string[], elsewhere?: string): Promise<string> => {
    const run = () => startCommand(words, elsewhere === undefined ? place : { dataDir: elsewhere }).ended
    let { code, output } = await run()
    // Under load a command may say that the database is busy; an operator types it again.
    if (code === 1 && output.includes('The database is busy')) ({ code, output } = await run())
    if (code !== 0) addViolation(`${words.join(' ')} ended with ${code}: ${output.slice(-600)}`)
    return output
  }

  const locationCodes = [...new Set(availableKinds.map(({ code }) => code))]
  let db: Database | null = null
  let stop = false
  const results: RentalResult[] = []
  let renters = 0

  /** Sends a request; an exception is a violation and gives status 0. */
  async function ask(path: string, body: object, address: string): Promise<{ status: number; text: string }> {
    const from = performance.now()
    const { status, answer } = await new Visitor(site, address).ask(path, body).catch((error: unknown) => {
      addViolation(`${path} while a command ran: ${error}`)
      return { status: 0, answer: {} }
    })
    report.longestWaitMs = Math.max(report.longestWaitMs, performance.now() - from)
    return { status, text: JSON.stringify(answer) }
  }

  async function rentRepeatedly(index: number): Promise<void> {
    while (!stop) {
      renters += 1
      const result = await rentAtKiosk(site, {
        kind: pick(availableKinds),
        card: pick(cards),
        patient: true,
        email: `beside-${seed}-${renters}@example.com`,
        address: `127.${renters >> 8}.${renters & 255}.${index + 1}`,
      }).catch((error: unknown) => {
        addViolation(`a kiosk: ${error instanceof Error ? error.message : error}`)
        return null
      })
      if (result) results.push(result)
      await pause(random.integer(50, 150))
    }
  }

  async function signInRepeatedly(): Promise<void> {
    while (!stop) {
      const { username, password } = pick(demoLogins)
      const body = { username, password }
      const { status, text } = await ask(
        '/api/ssm/login',
        body,
        `127.200.${random.integer(0, 250)}.${random.integer(1, 250)}`,
      )
      if (status === 200 && /"token"/.test(text)) report.signedIn += 1
      else addViolation(`a sign-in answered ${status}: ${text.slice(0, 200)}`)
      await pause(1000)
    }
  }

  let newest = 0
  const firstReadAt = new Map<number, number>()
  async function readRepeatedly(): Promise<void> {
    for (let turn = 0; !stop; turn += 1) {
      const locationCode = locationCodes[turn % locationCodes.length] ?? ''
      const { text } = await ask(
        '/api/ssm/GetLocationUnitTypes',
        { location_code: locationCode },
        `127.201.${turn % 250}.7`,
      )
      report.pagesRead += 1
      const generations = new Set(
        [...text.matchAll(/"(?:InternetPrice|Rent)":"\d+\.(\d\d)/g)].map(([, cents]) => Number(cents)),
      )
      if (generations.size > 1)
        addViolation(`the unit types of ${locationCode} had prices of imports ${[...generations].join(' and ')}`)
      const [generation = 0] = generations
      if (generation < newest)
        addViolation(`after prices of import ${newest}, ${locationCode} answered with those of ${generation}`)
      if (generation > newest) firstReadAt.set(generation, performance.now())
      newest = Math.max(newest, generation)
      await pause(5)
    }
  }

  const files = join(folder, 'business')
  const unitTypesFile = join(files, 'unit-types.csv')
  /** Changes all prices in the import file of unit types to end in `generation` cents. */
  const reprice = (generation: number) => {
    const cents = String(generation).padStart(2, '0')
    const text = readFileSync(unitTypesFile, 'utf8')
    writeFileSync(unitTypesFile, text.replace(/(?<=,)(\d+)\.\d\d(?=,)/g, `$1.${cents}`))
  }

  const loads: Promise<void>[] = []
  try {
    await site.start(clock)
    db = await openDatabase({ dataDir, ...(postgres ? { url: postgres.url } : {}) })
    const openedDb = db
    const watched = await watchInvariants(openedDb, sandbox.url)
    await runOrReport(['export', files])
    reprice(1)
    await runOrReport(['import', files])
    log('the first prices are in')
    loads.push(
      ...Array.from({ length: kiosks }, (_, index) => rentRepeatedly(index)),
      signInRepeatedly(),
      readRepeatedly(),
    )

    const expectRefusal = async (words: string[]) => {
      const { code, output } = await command(...words)
      if (code !== 1 || !/already uses the data/.test(output))
        addViolation(`beside a running site ${words[0]} ended with ${code}: ${output.slice(-300)}`)
    }

    for (let generation = 2; generation <= imports + 1; generation += 1) {
      reprice(generation)
      // A killed import must have imported everything or nothing.
      if (generation % 2 === 0) {
        const { child, ended } = startCommand(['import', files])
        await pause(random.integer(300, 1600))
        child.kill('SIGKILL')
        await ended
        report.killed += 1
      }
      // Of two concurrent imports, each may find that the data has changed or is busy, and import nothing.
      const [first, second] = await Promise.all([command('import', files), command('import', files)])
      for (const { code, output } of [first, second])
        if (code !== 0 && !/has changed since|busy/.test(output))
          addViolation(`import ${generation} ended with ${code}: ${output.slice(-600)}`)
      if (first.code !== 0 && second.code !== 0) await runOrReport(['import', files])
      const done = performance.now()
      report.imports += 1
      while (newest < generation && performance.now() - done < 20_000) await pause(5)
      if (newest < generation) addViolation(`the site did not notice import ${generation} in 20 seconds`)
      report.noticedAfterMs = Math.max(report.noticedAfterMs, (firstReadAt.get(generation) ?? done) - done)
      log(`import ${generation}: ${first.code} and ${second.code}; ${results.length} renters so far`)

      if (generation === 2) {
        await expectRefusal(['migrate-to', 'postgres://nobody@127.0.0.1:1/nothing'])
        if (!postgres) await expectRefusal(['restore', join(folder, 'none.sqlite')])
        await runOrReport(['billing', '--again'])
        // An export of a busy site must be consistent.
        const exportFolder = join(folder, 'out')
        await runOrReport(['export', exportFolder])
        await runOrReport(['import', exportFolder, '--dry-run'])
      }
      if (generation === 3 && !postgres) {
        const before = results.filter(({ end }) => end === 'moved in')
        const file = join(folder, 'backup.sqlite')
        await runOrReport(['backup', file])
        const elsewhere = join(folder, 'elsewhere')
        await runOrReport(['restore', file], elsewhere)
        const keys = join(dataDir, 'keys.json')
        writeFileSync(join(elsewhere, 'keys.json'), readFileSync(keys), { mode: 0o600 })
        const books = JSON.parse(await runOrReport(['reconcile', '--json'], elsewhere)) as { balances: unknown[] }
        if (books.balances.length > 0)
          addViolation(`after a restore, balances were wrong: ${JSON.stringify(books.balances)}`)
        const restored = await openDatabase({ dataDir: elsewhere, readOnly: true })
        const leases = await restored.read.selectFrom('leases').select(['location_code', 'lease_number']).execute()
        await restored.close()
        const restoredLeases = new Set(leases.map((lease) => `${lease.location_code} ${lease.lease_number}`))
        for (const { locationCode, leaseNumber } of before)
          if (!restoredLeases.has(`${locationCode} ${leaseNumber}`))
            addViolation(`lease ${leaseNumber} is not in the backup made after it`)
        log(`restored elsewhere: ${before.length} renters of before are there`)
      }
    }
    stop = true
    await Promise.all(loads)
    let setTo = clock
    let since = startedAt
    const now = () => setTo + Math.floor(performance.now() - since)
    for (let round = 1; !(await watched.isSettled(now())); round += 1) {
      if (round > 12) {
        addViolation('the site did not finish what was begun')
        break
      }
      await site.end('SIGTERM')
      ;[setTo, since] = [now() + 60_000, performance.now()]
      await site.start(setTo)
      for (let wait = 0; wait < 20 && !(await watched.isSettled(now())); wait += 1) await pause(100)
    }
    const fileStore = folderFiles(join(dataDir, 'files'))
    report.violations.push(
      ...(await watched.findViolations()),
      ...(await findBrokenPromises(openedDb, fileStore, results)),
    )
    report.movedIn = results.filter(({ end }) => end === 'moved in').length
    report.walkedAway = results.filter(({ end }) => end === 'walked away').length
    report.violations.push(...findZeroCounts(report, 'killed', 'movedIn', 'signedIn', 'pagesRead'))
    return report
  } finally {
    stop = true
    await Promise.allSettled(loads)
    await db?.close()
    await site.end('SIGKILL')
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
