/**
 * Runs identical processes on one PostgreSQL and one file folder: visitors compete for last units, sign in, repeat
 * writes, reach limits and pay at all processes, one of which is killed in each run. At the end the invariants must
 * hold, with one receipt for each payment.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { demoPassword } from '../../demo/tenants-with-leases-and-reservations.ts'
import { OFFICE_FACILITY_ID } from '../../modules/facilities/rules/operator-office-facility-id.ts'
import { maxUnprovenHolds } from '../../modules/reservations/rules/unproven-holds-limit.ts'
import { type Database, openDatabase } from '../../platform/database/open.ts'
import { folderFiles } from '../../ports/files/folder.ts'
import { seededRandom } from '../../ports/testing-clock-and-random.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'
import { findBrokenPromises } from '../actors/check-confirmed-rentals.ts'
import { watchInvariants } from '../actors/invariants.ts'
import {
  addFees,
  type DemoTenant,
  leaseOf,
  loadDemoTenants,
  openCardPage,
  payForUnits,
  queryOrderUntilFinal,
  signIn,
} from '../actors/payer.ts'
import {
  availableKinds,
  contactOf,
  freeUnitsOf,
  isWithoutUnit,
  type RentalResult,
  rentAtKiosk,
} from '../actors/renter.ts'
import { ON_SEEDED_DEMO, type Site } from '../actors/run-site-process.ts'
import { Outage, payAtCardPage, type Reach, Visitor } from '../actors/visitor-http-client.ts'
import { choicesOf } from '../support/random-choices.ts'
import { createRequestCountdown } from './create-request-countdown.ts'
import { findZeroCounts } from './find-zero-counts.ts'
import { prepareIdenticalServers } from './prepare-servers-on-shared-database.ts'

export interface ServerFaults {
  servers: number
  runs: number
  seed: number
  /** Number of concurrent kiosks in each run. */
  kiosks?: number
  payers?: number
  /** Whether to end with a night in which all processes bill and charge autopay at the same time. */
  night?: boolean
  /** URL of an empty, migrated database. */
  databaseUrl: string
  log?: (line: string) => void
}

export interface ServerReport {
  kills: number
  /** Number of units reserved by visitors who competed for the last units of a type. */
  lastUnits: number
  movedIn: number
  duesPaid: number
  /** Number of times that the site asked for the method of a payment for several units. */
  severalAsked: number
  /** Number of posted payments for several units. */
  severalPaid: number
  refused: number
  walkedAway: number
  violations: string[]
}

const cards: readonly TestCardName[] = ['visa', 'visa', 'mastercard', 'amex', 'declined', 'late', 'lost']
/** Milliseconds by which clocks advance at a restart: more than a browser may take to return from the card page. */
const step = 30_000
/** Maximum number of restarts after which all work must be finished. */
const maxRounds = 12
/** Milliseconds by which clocks advance so that closed orders are queried again, which the site does after 2 hours. */
const closedPageStep = 2.1 * 3_600_000
/** Days by which the test advances the clock before billing, so that billing periods begin and autopay is due. */
const daysAhead = 35
/** Number of wrong passwords for one account that are allowed in 15 minutes. */
const maxGuesses = 10
/** Number of reservations of one network that are allowed at one facility in a day. */
const maxReservations = 10

/** Unit types with few free units, for which visitors compete. */
const scarce = availableKinds.filter((kind) => freeUnitsOf(kind) <= 3)
/** Unit types from which the simulated kiosks rent. */
const plenty = availableKinds.filter((kind) => freeUnitsOf(kind) > 3)

/**
 * Runs the fault test.
 * @throws Error when a process does not start or answers with 5xx
 */
export async function runServerFaults(options: ServerFaults): Promise<ServerReport> {
  const { servers, runs, seed, kiosks = 5, payers = 3, night = false, databaseUrl, log = () => {} } = options
  const random = seededRandom(seed)
  const { pick } = choicesOf(random)
  const { sites, folder, filesFolder, sandboxUrl, close } = await prepareIdenticalServers(servers, { databaseUrl })
  const up = new Set<Site>()
  const anyUp = () => pick([...up])
  /** Returns a `Reach` that chooses a random running process at each read of `url`, as a proxy in front would. */
  const proxied = (sent = () => {}): Reach => ({
    get url() {
      return anyUp().url
    },
    up: () => Promise.resolve(),
    sent,
  })

  let ahead = 0
  const now = () => Date.now() + ahead
  const startAll = async () => {
    await Promise.all(sites.map((site) => site.start(now(), ON_SEEDED_DEMO)))
    for (const site of sites) up.add(site)
  }
  const endAll = () => Promise.all(sites.map((site) => site.end('SIGTERM')))
  const report: ServerReport = {
    kills: 0,
    lastUnits: 0,
    movedIn: 0,
    duesPaid: 0,
    severalAsked: 0,
    severalPaid: 0,
    refused: 0,
    walkedAway: 0,
    violations: [],
  }
  const addViolation = (message: string): void => void report.violations.push(message)
  let db: Database | null = null

  const post = (reach: Reach | string, path: string, body: object, address: string) =>
    new Visitor(reach, address).ask(path, body)
  /** Makes `count` concurrent calls, distributed over the processes in turn. */
  const atAll = <T>(count: number, call: (url: string, index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => call(sites[index % servers]!.url, index)))
  try {
    // All processes seed the demo at the same time.
    await Promise.all(sites.map((site) => site.start(now())))
    await endAll()
    await startAll()
    db = await openDatabase({ dataDir: folder, url: databaseUrl })
    const openedDb = db
    const watched = await watchInvariants(openedDb, sandboxUrl)
    const tenants = await loadDemoTenants(openedDb)

    async function competeForLastUnits(run: number): Promise<void> {
      const kind = scarce[run - 1]
      if (!kind) return
      const free = freeUnitsOf(kind)
      const request = { location_code: kind.code, unit_type_id: kind.type, rent_now: 1 }
      const answers = await atAll(free + 12 * servers, (url, index) =>
        post(
          url,
          '/api/ssm/SaveReservationDetails_WEB',
          { ...request, ...contactOf(`race-${seed}-${run}-${index}@example.com`) },
          `10.9.${run % 250}.${index}`,
        ),
      )
      const reserved = answers.filter(({ answer }) => answer.ErrorMessage === '')
      const refused = answers.filter(({ answer }) => isWithoutUnit(answer))
      const units = new Set(reserved.map(({ answer }) => answer.unitNumber))
      // Renters who have proven nothing cannot hold the last of several units.
      const expected = maxUnprovenHolds(free).all
      if (reserved.length !== expected || units.size !== expected || refused.length !== answers.length - expected)
        addViolation(
          `last unit: ${kind.code}/${kind.type} had ${free}; ${reserved.length} renters got ${units.size} units`,
        )
      report.lastUnits += units.size
    }

    async function signInAndOut(tenant: DemoTenant, run: number): Promise<void> {
      const [first, second] = [run % servers, (run + 1) % servers].map((index) => sites[index]!.url)
      const reach = { url: first! }
      const visitor = new Visitor(reach, `10.8.${run % 250}.1`)
      await visitor.page('/login', { intent: 'login', username: tenant.username, password: demoPassword })
      const expectStatus = (situation: string, expected: number) =>
        atAll(servers, async (url) => {
          reach.url = url
          const { status } = await visitor.page('/my-units')
          if (status !== expected) addViolation(`sign-in: ${situation}, a process answered ${status}`)
        })
      await expectStatus('signed in', 200)
      const cookie = visitor.cookie
      reach.url = second!
      await visitor.page('/log-out', {})
      // A browser that still has the cookie is logged out too.
      visitor.cookie = cookie
      await expectStatus('logged out', 302)
    }

    async function repeatNote(tenant: DemoTenant, run: number): Promise<void> {
      const address = `10.7.${run % 250}.1`
      const visitor = new Visitor(anyUp(), address)
      await signIn(visitor, tenant.username)
      const { location_code, tenant_id } = leaseOf(tenant)
      const note = `Of run ${run} of seed ${seed}`
      const key = { 'idempotency-key': `note-${seed}-${run}` }
      const answers = await atAll(2 * servers, (url) =>
        visitor.at(url).ask('/api/ssm/AddTenantNotes', { location_code, tenant_id, note }, key),
      )
      for (const { status } of answers)
        if (status !== 200 && status !== 409) addViolation(`one write: answered ${status}`)
      const notes = await openedDb.read.selectFrom('tenant_notes').select('note_id').where('note', '=', note).execute()
      if (notes.length !== 1) addViolation(`one write: ${notes.length} notes for one idempotency key`)
    }

    async function payDues(tenant: DemoTenant, address: string): Promise<void> {
      try {
        const visitor = new Visitor(proxied(), address)
        await signIn(visitor, tenant.username)
        const terms = { pay_periods: '1', autopay_bit: pick(['0', '1']) }
        const { orderId, url } = await openCardPage(visitor, { ...leaseOf(tenant), ...terms })
        if (!orderId) return
        await payAtCardPage(url, pick(cards))
        const settled = await Promise.allSettled(
          [...up, ...up].map((site) => queryOrderUntilFinal(visitor.at(site.url), orderId, 1)),
        )
        const states = new Set(settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])))
        if (states.has('APPROVED') && states.has('DECLINED')) addViolation(`one order: ${orderId} ended both ways`)
      } catch (error) {
        if (!(error instanceof Outage)) throw error
      }
    }

    /**
     * Pays for several units of a tenant at once, sending each request to a random process, while others pay for some
     * of these units.
     */
    async function payForSeveral(address: string): Promise<void> {
      try {
        const chosen = await addFees(openedDb, tenants, { clock: { now }, random })
        const [first] = chosen
        const numbers = chosen.map((lease) => lease.lease_number)
        const by = random.integer(0, 1) === 0 ? { card: pick(cards) } : { ending: pick(['0000', '1111']) }
        if (first && (await payForUnits(new Visitor(proxied(), address), first, numbers, by))) report.severalAsked += 1
      } catch (error) {
        if (!(error instanceof Outage)) throw error
      }
    }

    /** Tests limits that all server processes count together: wrong passwords, and reservations of one network. */
    async function checkLimits(tenant: DemoTenant): Promise<void> {
      const tries = await atAll(maxGuesses + 4 * servers, (url, index) =>
        post(url, '/api/ssm/login', { username: tenant.username, password: `guess-${index}` }, `10.6.0.${index + 1}`),
      )
      const compared = tries.filter(({ status }) => status !== 429).length
      if (compared !== maxGuesses)
        addViolation(`limits: ${compared} passwords of one account were compared, not ${maxGuesses}`)
      const inTwoDays = new Date(now() + 2 * 86_400_000).toISOString()
      const move_in_date = `${inTwoDays.slice(5, 7)}/${inTwoDays.slice(8, 10)}/${inTwoDays.slice(0, 4)}`
      // Alternates unit types at one facility, because a network can hold only a share of one type's free units.
      const [kinds = []] = [...Map.groupBy(plenty, ({ code }) => code).values()].sort((a, b) => b.length - a.length)
      const answers = await atAll(maxReservations + 4 * servers, (url, index) => {
        const kind = kinds[index % kinds.length]!
        const contact = contactOf(`many-${seed}-${index}@example.com`)
        const request = { location_code: kind.code, unit_type_id: kind.type, move_in_date, ...contact }
        return post(url, '/api/ssm/SaveReservationDetails_WEB', request, '203.0.113.77')
      })
      const taken = answers.filter(({ answer }) => answer.ErrorMessage === '').length
      if (taken !== maxReservations)
        addViolation(`limits: ${taken} reservations of one network, not ${maxReservations}`)
    }

    const results: RentalResult[] = []
    // The wrong passwords lock this tenant's account, so the runs sign in as the other tenants.
    const [guessedTenant, ...otherTenants] = tenants.toReversed()
    if (!guessedTenant || otherTenants.length === 0) throw new Error('The demo has no tenants')
    await checkLimits(guessedTenant)

    for (let run = 1; run <= runs; run += 1) {
      await competeForLastUnits(run)
      await signInAndOut(otherTenants[run % otherTenants.length]!, run)
      await repeatNote(otherTenants[run % otherTenants.length]!, run)
      const { sent, struck, strike } = createRequestCountdown(random.integer(1, kiosks * 5))
      const busy = Promise.allSettled([
        ...Array.from({ length: kiosks }, async (_, index) => {
          const rental = {
            kind: pick(plenty),
            card: pick(cards),
            patient: random.integer(0, 3) > 0,
            email: `kiosk-${seed}-${run}-${index}@example.com`,
            address: `10.${run % 5}.${index}.${random.integer(1, 250)}`,
          }
          results.push(await rentAtKiosk(proxied(sent), rental))
        }),
        ...Array.from({ length: payers }, (_, index) =>
          payDues(pick(otherTenants), `172.16.${run % 250}.${index + 1}`),
        ),
        ...Array.from({ length: payers }, (_, index) => payForSeveral(`172.17.${run % 250}.${index + 1}`)),
      ]).finally(strike)
      await struck
      const killed = pick(sites)
      up.delete(killed)
      await killed.end('SIGKILL')
      report.kills += 1
      // The other processes continue.
      const ended = await busy
      await killed.start(now(), ON_SEEDED_DEMO)
      up.add(killed)
      for (const result of ended) if (result.status === 'rejected') addViolation(`visitor: ${result.reason}`)
      log(`run ${run}: process ${sites.indexOf(killed) + 1} of ${servers} killed`)
    }

    const isSettled = () => watched.isSettled(now())
    const startAgain = async (clock: number) => {
      await endAll()
      ahead = clock - Date.now()
      await startAll()
    }
    async function settleAll(): Promise<void> {
      for (let round = 1; !(await isSettled()); round += 1) {
        if (round > maxRounds)
          return addViolation(`the processes did not finish what was begun: ${await watched.describeOpenWork(now())}`)
        // Jobs claimed by a killed process are free only after their timeout.
        await startAgain(now() + (round > 3 ? closedPageStep : step))
        for (let wait = 0; wait < 20 && !(await isSettled()); wait += 1) await pause(100)
        log(`coming to rest, round ${round}: ${(await watched.describeOpenWork(now())) || 'nothing under way'}`)
      }
    }
    /** Lets all processes bill and charge autopay after a midnight in New York, which is at 4:00 or 5:00 UTC. */
    async function runNight(): Promise<void> {
      const hour = 3_600_000
      const fiveUtc = (Math.ceil((now() - 5 * hour) / (24 * hour)) + daysAhead) * 24 * hour + 5 * hour
      const waitUntil = async (isDone: () => Promise<boolean>) => {
        for (let wait = 0; wait < 1200 && !(await isDone()); wait += 1) await pause(100)
      }
      const day = new Date(fiveUtc).toISOString().slice(0, 10)
      const loadBilled = () =>
        openedDb.read
          .selectFrom('billing_runs')
          .selectAll()
          .where('run_date', '=', day)
          .where('state', '=', 'done')
          .execute()
      const eastern = await openedDb.read
        .selectFrom('locations')
        .select('location_code')
        .where('time_zone', '=', 'America/New_York')
        .where('facility_id', '!=', OFFICE_FACILITY_ID)
        .where('coming_soon', '=', 0)
        .execute()
      await startAgain(fiveUtc + 30_000)
      await waitUntil(async () => (await loadBilled()).length >= eastern.length)
      await startAgain(fiveUtc + 5 * 60_000 + 30_000)
      const charging = openedDb.read.selectFrom('chores').select('chore').where('chore', '=', 'autopay')
      await waitUntil(async () => {
        const after = charging.where('succeeded_at', '>=', fiveUtc + 6 * 60_000)
        return (await after.executeTakeFirst()) !== undefined
      })
      await settleAll()
      if ((await loadBilled()).length < eastern.length)
        addViolation(`night: ${(await loadBilled()).length} of ${eastern.length} facilities were billed for ${day}`)
      const entries = await openedDb.read.selectFrom('ledger_entries').selectAll().execute()
      const rents = entries.filter(({ kind, cents, period_start }) => kind === 'rent' && cents > 0 && period_start)
      const leaseName = (row: { location_code: string; lease_number: number | null }) =>
        `${row.location_code}/${row.lease_number}`
      for (const [period, charges] of Map.groupBy(rents, (rent) => `${leaseName(rent)} from ${rent.period_start}`))
        if (charges.length > 1) addViolation(`night: lease ${period} was charged ${charges.length} times`)
      const ledgers = Map.groupBy(entries, leaseName)
      for (const lease of await openedDb.read.selectFrom('leases').selectAll().execute()) {
        const sum = (ledgers.get(leaseName(lease)) ?? []).reduce((total, { cents }) => total + cents, 0)
        if (lease.balance !== sum)
          addViolation(`night: lease ${leaseName(lease)} says ${lease.balance}, its ledger ${sum}`)
      }
      const tries = await openedDb.read.selectFrom('payments').selectAll().where('payer', '=', 'autopay').execute()
      if (tries.length === 0) addViolation('night: autopay charged nothing')
      for (const [period, orders] of Map.groupBy(tries, (order) => `${leaseName(order)} from ${order.autopay_period}`))
        if (orders.length > 1)
          addViolation(`night: autopay of lease ${period} was tried ${orders.length} times in one night`)
      log(`night of ${day}: ${(await loadBilled()).length} facilities billed, ${tries.length} autopay orders`)
    }
    const checkInvariants = async (results: readonly RentalResult[]) => [
      ...(await watched.findViolations()),
      ...(await findBrokenPromises(openedDb, folderFiles(filesFolder), results)),
    ]
    await settleAll()
    report.violations.push(...(await checkInvariants(results)))
    if (night) {
      await runNight()
      // After the night renters owe rent again. `runNight` has compared balances and ledgers.
      report.violations.push(
        ...(await checkInvariants([])).filter((violation) => !/^I4: lease \S+ owes /.test(violation)),
      )
    }
    const posted = await openedDb.read
      .selectFrom('payments')
      .select(['payer', 'amount'])
      .where('state', '=', 'posted')
      .execute()
    const mails = await openedDb.read.selectFrom('mailbox').select('subject').execute()
    const receipts = mails.filter(({ subject }) => /^Receipt/.test(subject)).length
    const charged = posted.filter(({ amount }) => amount > 0).length
    if (receipts !== charged) addViolation(`jobs: ${receipts} receipts for ${charged} payments`)
    report.movedIn = posted.filter(({ payer }) => payer === 'move_in').length
    report.severalPaid = posted.filter(({ payer }) => payer === 'units').length
    report.duesPaid = posted.filter(({ payer }) => payer === 'tenant').length
    report.refused = results.filter(({ end }) => end === 'refused').length
    report.walkedAway = results.filter(({ end }) => end === 'walked away').length
    if (runs >= 5) report.violations.push(...findZeroCounts(report, 'lastUnits', 'movedIn', 'duesPaid', 'severalAsked'))
    return report
  } finally {
    await db?.close()
    await close()
  }
}
