/**
 * Runs all payers over HTTP (renters, tenants, guest payers, links), billing and autopay, while site, nightly work and
 * provider (with PostgreSQL also the database) are killed repeatedly. In the end the records of card provider, bank and
 * site must agree to the cent.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeAuctionLink, makeSettlementLink } from '../../modules/links/auction-and-settlement-link-records.ts'
import { postCharge } from '../../modules/standing/post-entries.ts'
import { DatabaseUnavailable } from '../../platform/database/engine-differences.ts'
import { type Database, openDatabase } from '../../platform/database/open.ts'
import { developmentKeys } from '../../platform/encryption/encryption-key-file.ts'
import { Sealer } from '../../platform/encryption/sealer.ts'
import { seededRandom } from '../../ports/testing-clock-and-random.ts'
import { startSandbox } from '../../sandbox/server.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'
import {
  findAutopayViolations,
  findViolations,
  loadAutopayParties,
  loadSandboxRecords,
  recordPaymentStateChanges,
} from '../actors/invariants.ts'
import {
  addFees,
  changeAutopay,
  enterAsGuest,
  leaseOf,
  loadDemoTenants,
  NotPosted,
  payByBankAccount,
  payByCard,
  payByLink,
  payForUnits,
  signIn,
} from '../actors/payer.ts'
import { availableKinds, rentAtKiosk, rentByBank } from '../actors/renter.ts'
import { crashPostgres, end, environmentOf, hasEnded, openSite, type Running, run } from '../actors/run-site-process.ts'
import { Outage, Visitor } from '../actors/visitor-http-client.ts'
import { choicesOf } from '../support/random-choices.ts'
import { findZeroCounts } from './find-zero-counts.ts'

export interface PayerReport {
  /** Number of kills of the site. */
  kills: number
  /** Number of kills of the nightly work. */
  nightsKilled: number
  /** Number of PostgreSQL crashes and restarts. */
  databaseKills: number
  /** Number of times that card provider and bank were stopped and restarted. */
  providerKills: number
  /** Number of days that the clock advanced. */
  days: number
  /** Number of times that a payer was asked for a card or account for autopay. */
  autopayAsked: number
  /** Number of posted orders with amount 0, which switch autopay on or change it without a payment. */
  autopayKept: number
  /** Number of times that a payer was asked how to pay for several units. */
  severalAsked: number
  /** Number of payments by kind, such as 'tenant ACH posted'. */
  byKind: Record<string, number>
  violations: string[]
}

const cards: readonly TestCardName[] = ['visa', 'visa', 'mastercard', 'amex', 'declined', 'late', 'garbled', 'lost']
/** Last digits of bank accounts, which decide the sandbox bank's responses; '0000' is good. */
const endings = ['0000', '0000', '0000', '1111', '2222', '3333', '4444', '5555'] as const
const DAY = 24 * 60 * 60 * 1000

/**
 * Runs the fault test.
 * @param options `minutes`: duration of the kills, without the settling that follows
 */
export async function runPayerFaults(options: {
  minutes: number
  seed: number
  postgres?: { url: string; clusterFolder?: string } | undefined
  log?: (line: string) => void
}): Promise<PayerReport> {
  const { log = () => {}, postgres } = options
  const random = seededRandom(options.seed)
  const { pick } = choicesOf(random)
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-payers-'))
  let aheadMs = 0
  const now = () => Date.now() + aheadMs
  const clock = { now }
  const startProvider = (port: number) => startSandbox({ port, dataDir, slowMs: 300, clock })
  let sandbox = await startProvider(0)
  const port = Number(new URL(sandbox.url).port)
  const place = { dataDir, databaseUrl: postgres?.url }
  const site = await openSite({ ...place, sandboxUrl: sandbox.url })
  const report: PayerReport = {
    kills: 0,
    nightsKilled: 0,
    databaseKills: 0,
    providerKills: 0,
    days: 0,
    autopayAsked: 0,
    autopayKept: 0,
    severalAsked: 0,
    byKind: {},
    violations: [],
  }
  let night: Running | null = null
  let db: Database | null = null

  const startNight = (...words: string[]) => {
    const clock = { CLOCK: new Date(now()).toISOString() }
    night = run([join(import.meta.dirname, 'nightly-work-process-to-kill.ts'), ...words], {
      ...environmentOf(place, sandbox.url),
      ...clock,
    })
    return night
  }
  const killNight = async () => {
    if (!night || hasEnded(night.child)) return
    await end(night, 'SIGKILL')
    report.nightsKilled += 1
  }

  try {
    await site.start(now())
    const openedDb = await openDatabase({ dataDir, ...(postgres && { url: postgres.url }) })
    db = openedDb
    await recordPaymentStateChanges(openedDb)
    const books = async () => ({ services: { db: openedDb }, ...(await loadSandboxRecords(sandbox.url)) })
    const services = { db: openedDb, sealer: new Sealer({ keys: developmentKeys(dataDir).sealing }) }
    const initialParties = await loadAutopayParties(services)
    const findAllViolations = async () => [
      ...(await findViolations(await books())),
      ...(await findAutopayViolations(services, initialParties)),
    ]
    // Violations already in the demo data are not reported.
    const before = new Set(await findAllViolations())
    const tenants = await loadDemoTenants(openedDb)
    let visitors = 0
    const visitor = () => {
      visitors += 1
      const address = `10.${visitors % 250}.${Math.floor(visitors / 250)}.${random.integer(1, 250)}`
      return new Visitor(site, address, { tries: 100 })
    }
    const terms = () => ({ ...pick([{}, { pay_periods: '1' }]), autopay_bit: pick(['0', '1', '1']) })

    const rentsByCard = () =>
      rentAtKiosk(site, {
        kind: pick(availableKinds),
        card: pick(cards),
        patient: random.integer(0, 3) > 0,
        email: `payer-${options.seed}-${visitors}@example.com`,
        address: `127.16.${visitors % 250}.9`,
      })
    const rentsByBank = () => {
      const browser = visitor()
      const email = `bank-${options.seed}-${visitors}@example.com`
      return rentByBank(browser, { kind: pick(availableKinds), email, ending: pick(endings) })
    }
    async function paysDues(method: 'card' | 'bank', guest: boolean) {
      const tenant = pick(tenants)
      const browser = visitor()
      if (!(guest ? await enterAsGuest(browser, tenant.email) : await signIn(browser, tenant.username))) return
      const form = { ...leaseOf(tenant), ...terms() }
      if (method === 'card') await payByCard(browser, form, pick(cards))
      else await payByBankAccount(browser, 'ProcessACHPayments', form, 'amount', pick(endings))
    }
    async function paysByLink(kind: 'auction' | 'settlement') {
      const { location_code: locationCode, lease_number: leaseNumber, unit_number: unitNumber } = pick(tenants)
      const linkServices = { db: openedDb, clock, random }
      const once = `fee ${visitors} ${random.integer(0, 1e9)}`
      await openedDb.transaction((tx) =>
        postCharge(tx, linkServices as never, {
          locationCode,
          leaseNumber,
          once,
          kind: 'fee',
          cents: 20_00,
          description: 'Lock cut',
        }),
      )
      const link =
        kind === 'settlement'
          ? await makeSettlementLink(linkServices, { locationCode, unitNumber, cents: random.integer(1, 20_00) })
          : await makeAuctionLink(linkServices, {
              locationCode,
              unitNumber,
              name: 'Wim Tesh',
              email: 'wim@example.com',
              city: 'Atlanta',
              zip: '30308',
              cents: random.integer(1, 90_00),
            })
      if (link.ok) await payByLink(visitor(), { path: link.path, kind, locationCode }, pick(cards))
    }
    async function changesAutopay() {
      const by = pick(['off', 'card', 'card', 'bank', 'bank'] as const)
      const method = by === 'off' ? by : by === 'card' ? { card: pick(cards) } : { ending: pick(endings) }
      if (await changeAutopay(visitor(), pick(tenants), method)) report.autopayAsked += 1
    }
    async function paysForSeveral(by: Parameters<typeof payForUnits>[3]) {
      const chosen = await addFees(openedDb, tenants, { clock, random })
      const [first] = chosen
      const numbers = chosen.map((lease) => lease.lease_number)
      if (first && (await payForUnits(visitor(), first, numbers, by))) report.severalAsked += 1
    }
    const acts = [
      () => paysForSeveral({ card: pick(cards) }),
      () => paysForSeveral({ ending: pick(endings) }),
      () => paysForSeveral({ card: pick(cards) }),
      changesAutopay,
      changesAutopay,
      changesAutopay,
      rentsByCard,
      rentsByBank,
      () => paysDues('card', false),
      () => paysDues('bank', false),
      () => paysDues('card', true),
      () => paysDues('bank', true),
      () => paysByLink('settlement'),
      () => paysDues('card', false),
      () => paysDues('bank', false),
      () => paysByLink('settlement'),
      () => (random.integer(0, 3) === 0 ? paysByLink('auction') : rentsByBank()),
    ]

    const until = Date.now() + options.minutes * 60_000
    const unposted: NotPosted[] = []
    for (let wave = 1; Date.now() < until; wave += 1) {
      if (wave % 2 === 0) {
        // Four days pass, in which billing periods begin and the bank returns debits.
        await killNight()
        await site.end('SIGTERM')
        aheadMs += 4 * DAY
        report.days += 4
        await site.start(now())
      }
      if (wave % 2 === 0 || !night) startNight()
      let waiting = true
      const paying = Promise.all(
        Array.from({ length: 10 }, async () => {
          try {
            await pick(acts)()
          } catch (error) {
            // When two payers pay the same dues, the second payment is refunded.
            if (error instanceof NotPosted) unposted.push(error)
            else if (!(error instanceof Outage) && !(error instanceof DatabaseUnavailable && postgres?.clusterFolder))
              report.violations.push(`visitor: ${error}`)
          }
        }),
      ).then(() => {
        waiting = false
      })
      for (let times = random.integer(1, 2); times > 0 && waiting; times -= 1) {
        await Promise.race([paying, pause(random.integer(100, 2500))])
        if (random.integer(0, 2) === 0) await killNight().then(() => startNight())
        if (random.integer(0, 1) === 0) {
          await sandbox.close()
          report.providerKills += 1
          await pause(random.integer(0, 1500))
          sandbox = await startProvider(port)
        }
        const killsDatabase = postgres?.clusterFolder !== undefined && random.integer(0, 3) === 0
        if (killsDatabase && postgres?.clusterFolder) {
          await crashPostgres(postgres.clusterFolder)
          report.databaseKills += 1
        }
        // The nightly process ends when it loses its database.
        if (killsDatabase) startNight()
        if (killsDatabase && random.integer(0, 1) === 0) continue
        await site.end('SIGKILL')
        report.kills += 1
        aheadMs += 20_000
        await site.start(now())
      }
      await paying
      if (wave % 5 === 0) log(`wave ${wave}: ${report.kills} kills, ${visitors} visitors, ${report.days} days`)
    }

    await killNight()
    const countOpenWork = async () => {
      const [payments, tasks, jobs] = await Promise.all([
        openedDb.read
          .selectFrom('payments')
          .select('order_id')
          .where('state', 'in', ['created', 'presented', 'captured'])
          .execute(),
        openedDb.read.selectFrom('refund_tasks').select('order_id').where('state', '=', 'open').execute(),
        openedDb.read
          .selectFrom('jobs')
          .select('job_id')
          .where('state', 'in', ['waiting', 'running'])
          .where('run_at', '<=', now() + 60_000)
          .execute(),
      ])
      return payments.length + tasks.length + jobs.length
    }
    for (let round = 1; ; round += 1) {
      await site.end('SIGTERM')
      // The first two rounds are long enough for the bank to return debits before the records are compared.
      aheadMs += round <= 2 ? 36 * 60 * 60_000 : 2 * 60 * 60_000
      await site.start(now())
      const last = startNight('--once')
      const { code, output } = await last.ended
      if (code !== 0) report.violations.push(`the night ended with ${code}: ${output}`)
      for (let wait = 0; wait < 100 && (await countOpenWork()) > 0; wait += 1) await pause(150)
      const unfinished = await countOpenWork()
      log(`coming to rest, round ${round}: ${unfinished} under way`)
      if (round > 4 && unfinished === 0) break
      if (round === 16) {
        report.violations.push(`${unfinished} were never finished`)
        break
      }
    }
    for (const { orderId, message } of unposted) {
      const order = openedDb.read.selectFrom('payments').select('state').where('order_id', '=', orderId)
      const { state } = await order.executeTakeFirstOrThrow()
      if (state !== 'refunded') report.violations.push(`${message}, and its order ended ${state}`)
    }
    report.violations.push(...(await findAllViolations()).filter((fault) => !before.has(fault)))
    const dead = await openedDb.read.selectFrom('jobs').selectAll().where('state', '=', 'dead').execute()
    for (const job of dead)
      if (job.once !== 'demo') report.violations.push(`I5: ${job.kind} ${job.once} was given up: ${job.last_error}`)
    const kinds = await openedDb.read
      .selectFrom('payments')
      .select(['payer', 'method', 'state'])
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .groupBy(['payer', 'method', 'state'])
      .orderBy('payer')
      .orderBy('method')
      .orderBy('state')
      .execute()
    const { kept: autopayKept } = await openedDb.read
      .selectFrom('payments')
      .select((eb) => eb.fn.countAll<number>().as('kept'))
      .where('amount', '=', 0)
      .where('autopay', '=', 1)
      .where('payer', '=', 'tenant')
      .where('state', '=', 'posted')
      .executeTakeFirstOrThrow()
    report.autopayKept = Number(autopayKept)
    // If a page's form changed, all its payments would fail without a violation.
    report.violations.push(
      ...findZeroCounts(report, 'kills', 'nightsKilled', 'providerKills', 'autopayAsked', 'severalAsked'),
    )
    for (const payer of options.minutes >= 2 ? ['move_in', 'tenant', 'guest', 'settlement', 'autopay'] : ['autopay'])
      if (!kinds.some((kind) => kind.payer === payer && kind.state === 'posted'))
        report.violations.push(`nothing happened: ${payer} posted nothing`)
    report.byKind = Object.fromEntries(
      kinds.map((kind) => [`${kind.payer} ${kind.method} ${kind.state}`, Number(kind.count)]),
    )
    return report
  } finally {
    await killNight()
    await db?.close()
    await site.end('SIGKILL')
    await sandbox.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
