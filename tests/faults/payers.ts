/**
 * Everybody who pays, over HTTP against real processes: renters by card and bank account, tenants, guests, links, and the
 * night's billing and autopay; while the site and the night are killed (SIGKILL) every few seconds. When all has been started
 * again and has come to rest, the card provider's books, the bank's and ours must agree to the cent.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable } from '../../database/engine.ts'
import { developmentKeys } from '../../database/keys.ts'
import { type Database, openDatabase } from '../../database/open.ts'
import { Sealer } from '../../database/sealed.ts'
import { demoPassword } from '../../demo/people.ts'
import { seededRandom } from '../../ports/testing.ts'
import type { TestCardName } from '../../sandbox/cards.ts'
import { payAtHostedPage } from '../../sandbox/pay.ts'
import { SANDBOX_CREDENTIALS, startSandbox } from '../../sandbox/sandbox.ts'
import { makeAuctionLink, makeSettlementLink } from '../../site-records/links.ts'
import { postCharge } from '../../storage-system/postings.ts'
import { autopayBroken, autopayParties, broken, watchMoves } from '../actors/invariants.ts'
import { lettable, rentAtKiosk } from '../actors/renter.ts'
import { crashPostgres, siteMachine } from '../actors/site.ts'

export interface PayerReport {
  kills: number
  nightsKilled: number
  /** PostgreSQL ended and started again. */
  databaseKills: number
  /** Days that the clock went on. */
  days: number
  /** How often somebody got as far as being asked for a card or account for autopay. */
  autopayAsked: number
  /** Orders over 0 that were posted: autopay turned on, or changed, without a payment. */
  autopayKept: number
  /** 'tenant ACH posted' and the like. */
  byKind: Record<string, number>
  violations: string[]
}

const cards: readonly TestCardName[] = ['visa', 'visa', 'mastercard', 'amex', 'declined', 'late', 'garbled', 'lost']
const endings = ['0000', '0000', '0000', '1111', '2222', '3333', '4444', '5555'] as const
const DAY = 24 * 60 * 60 * 1000

/** The site could not be reached, or asked to come back. */
class Outage extends Error {}

/** Pays there. Whether it worked, only the provider's own books tell. */
async function atCardPage(url: string, card: TestCardName): Promise<void> {
  try {
    await payAtHostedPage(url, card)
  } catch (error) {
    // A card that cuts the connection; or another visitor of the same lease was quicker: they share an order, and its page.
    if (!(error instanceof TypeError) && !/answered 303/.test(String(error))) throw error
  }
}

interface Way {
  url: string
  up(): Promise<void>
}

/** Somebody with a cookie and a token, who tries again after an outage. */
class Visitor {
  readonly #way: Way
  readonly #address: string
  #cookie = ''
  token = ''

  constructor(way: Way, address: string) {
    this.#way = way
    this.#address = address
  }

  async #once(path: string, body: object | null): Promise<{ status: number; answer: Record<string, unknown> }> {
    let response: Response
    try {
      response = await fetch(`${this.#way.url}${path}`, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        redirect: 'manual',
        headers: {
          ...{ 'content-type': 'application/json', 'x-forwarded-for': this.#address },
          ...(this.#cookie && { cookie: this.#cookie }),
          ...(this.token && { authorization: `Bearer ${this.token}` }),
        },
      })
      const set = response.headers.getSetCookie().find((line) => line.startsWith('latchkey='))
      if (set) this.#cookie = set.split(';')[0] ?? ''
      const text = await response.text()
      if (response.status === 503) throw new Outage(text)
      if (response.status >= 500) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`)
      const isJson = response.headers.get('content-type')?.includes('json')
      return { status: response.status, answer: isJson ? JSON.parse(text) : {} }
    } catch (error) {
      if (error instanceof TypeError) throw new Outage(String(error))
      throw error
    }
  }

  /** Asks until it is answered. */
  async ask(path: string, body: object | null): Promise<{ status: number; answer: Record<string, unknown> }> {
    for (let turn = 0; ; turn += 1) {
      try {
        return await this.#once(path, body)
      } catch (error) {
        if (!(error instanceof Outage) || turn === 100) throw error
        await pause(50)
        await this.#way.up()
      }
    }
  }

  async #page(path: string, form: Record<string, string> | null): Promise<{ to: string; html: string }> {
    let response: Response
    try {
      response = await fetch(`${this.#way.url}${path}`, {
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
        redirect: 'manual',
        headers: { 'x-forwarded-for': this.#address, ...(this.#cookie && { cookie: this.#cookie }) },
      })
      const set = response.headers.getSetCookie().find((line) => line.startsWith('latchkey='))
      if (set) this.#cookie = set.split(';')[0] ?? ''
      const html = await response.text()
      if (response.status === 503) throw new Outage(html)
      if (response.status >= 500) throw new Error(`${path} answered ${response.status}: ${html.slice(0, 300)}`)
      return { to: response.headers.get('location') ?? '', html }
    } catch (error) {
      if (error instanceof TypeError) throw new Outage(String(error))
      throw error
    }
  }

  /** Opens a page, or sends its form. @returns where it leads, '' where it stays, and the page */
  async page(path: string, form: Record<string, string> | null = null): Promise<{ to: string; html: string }> {
    for (let turn = 0; ; turn += 1) {
      try {
        return await this.#page(path, form)
      } catch (error) {
        if (!(error instanceof Outage) || turn === 100) throw error
        await pause(50)
        await this.#way.up()
      }
    }
  }

  /** Pays what the session is about on the card page, and comes back to hear what became of it. */
  async payByCard(of: object, card: TestCardName): Promise<void> {
    const opened = await this.ask('/api/paygateway/hostpay/transactions', of)
    if (opened.status !== 200) return
    await atCardPage(String(opened.answer.paypageurl), card)
    for (let turn = 0; turn < 3; turn += 1) {
      const { answer } = await this.ask('/api/paygateway/directpay/express', { order_id: opened.answer.order_id })
      if (answer.STATE !== 'PENDING') return
    }
  }

  /** Asks what it costs, by naming what it does not, and pays that from an account. */
  async payByBank(operation: string, of: object, field: string, ending: string): Promise<void> {
    const account = { ACHAccountNumber: `00012345${ending}`, ACHRoutingNumber: '061000104' }
    const asked = await this.ask(`/api/ssm/${operation}`, { ...of, ...account, [field]: '0.01' })
    const { error } = asked.answer as { error?: { fields?: Record<string, string> } }
    const price = error?.fields?.[field]
    if (price) await this.ask(`/api/ssm/${operation}`, { ...of, ...account, [field]: price })
  }
}

/** @param minutes how long it is killed; coming to rest takes a minute more */
export async function runPayerFaults(of: {
  minutes: number
  seed: number
  /** Where it is PostgreSQL: the database, and its cluster's folder where that may be killed as well. */
  postgres?: { url: string; clusterFolder?: string } | undefined
  log?: (line: string) => void
}): Promise<PayerReport> {
  const { log = () => {}, postgres } = of
  const random = seededRandom(of.seed)
  const pick = <T>(list: readonly T[]): T => list[random.integer(0, list.length - 1)] as T
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-payers-'))
  let ahead = 0
  const now = () => Date.now() + ahead
  const clock = { now }
  const sandbox = await startSandbox({ port: 0, dataDir, slowMs: 300, clock })
  const environment = {
    BANK_URL: `${sandbox.url}/bank`,
    BANK_KEY: SANDBOX_CREDENTIALS.authKey,
  }
  const databaseUrl = postgres?.url
  const site = await siteMachine({
    ...{ dataDir, sandboxUrl: sandbox.url, environment },
    ...(databaseUrl && { databaseUrl }),
  })
  const report: PayerReport = {
    kills: 0,
    nightsKilled: 0,
    databaseKills: 0,
    days: 0,
    autopayAsked: 0,
    autopayKept: 0,
    byKind: {},
    violations: [],
  }
  let night: ChildProcess | null = null
  let db: Database | null = null

  const startNight = (...words: string[]) => {
    night = spawn(process.execPath, [join(import.meta.dirname, 'night.ts'), ...words], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        ...{ NODE_ENV: 'production', MODE: 'demo', DATA_DIR: dataDir, CLOCK: new Date(now()).toISOString() },
        ...{ CARD_PROVIDER_URL: sandbox.url, CARD_PROVIDER_XWEB_ID: SANDBOX_CREDENTIALS.xwebId },
        CARD_PROVIDER_TERMINAL_ID: SANDBOX_CREDENTIALS.terminalId,
        CARD_PROVIDER_AUTH_KEY: SANDBOX_CREDENTIALS.authKey,
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
        ...environment,
      },
    })
    return night
  }
  const killNight = async () => {
    if (!night || night.exitCode !== null || night.signalCode !== null) return
    const gone = once(night, 'exit')
    night.kill('SIGKILL')
    await gone
    report.nightsKilled += 1
  }

  try {
    await site.start(now())
    const open = await openDatabase({ dataDir, ...(databaseUrl && { url: databaseUrl }) })
    db = open
    await watchMoves(open)
    const books = async () => {
      const read = async (path: string) => (await fetch(`${sandbox.url}${path}`)).json()
      const { orders } = (await read('/sandbox/ledger')) as {
        orders: { orderId: string; charges: { cents: number }[]; returns: { cents: number }[] }[]
      }
      const { debits } = (await read('/sandbox/bank/ledger')) as {
        debits: {
          order_id: string
          amount: number
          state: 'ACCEPTED' | 'REFUSED' | 'RETURNED'
          credited_at: number | null
        }[]
      }
      const sum = (rows: { cents: number }[]) => rows.reduce((total, row) => total + row.cents, 0)
      return {
        house: { db: open },
        provider: {
          orders: new Map(
            orders.map((one) => [one.orderId, { charged: sum(one.charges), returned: sum(one.returns) }]),
          ),
        },
        bank: {
          debits: new Map(
            debits.map(({ order_id, amount, state, credited_at }) => [
              order_id,
              { amount, state, credited: credited_at !== null },
            ]),
          ),
        },
      }
    }
    // What the demo began with is no work of these payments.
    const house = { db: open, sealer: new Sealer({ keys: developmentKeys(dataDir).sealing }) }
    const begun = await autopayParties(house)
    const broke = async () => [...(await broken(await books())), ...(await autopayBroken(house, begun))]
    const before = new Set(await broke())
    const tenants = await open.read
      .selectFrom('leases')
      .innerJoin('tenants', (join) =>
        join
          .onRef('tenants.location_code', '=', 'leases.location_code')
          .onRef('tenants.tenant_id', '=', 'leases.tenant_id'),
      )
      .innerJoin('accounts', 'accounts.account_id', 'tenants.account_id')
      .select(['leases.location_code', 'leases.tenant_id', 'lease_number', 'unit_number', 'username', 'tenants.email'])
      .where('leases.status', '!=', 'Closed')
      .where('auction_prepped', '=', 0)
      .execute()
    let visitors = 0
    const visitor = () => {
      visitors += 1
      return new Visitor(site, `10.${visitors % 250}.${Math.floor(visitors / 250)}.${random.integer(1, 250)}`)
    }
    const lease = () => {
      const one = pick(tenants)
      return {
        ...one,
        named: { location_code: one.location_code, tenant_id: one.tenant_id, lease_number: one.lease_number },
      }
    }
    const terms = () => ({ ...pick([{}, { pay_periods: '1' }]), autopay_bit: pick(['0', '1', '1']) })

    async function rentsByCard() {
      const place = pick(lettable)
      await rentAtKiosk(
        { url: site.url, up: site.up, sent: () => {} },
        {
          ...{ locationCode: place.code, unitTypeId: place.type, card: pick(cards), patient: random.integer(0, 3) > 0 },
          ...{ email: `payer-${of.seed}-${visitors}@example.com`, address: `127.16.${visitors % 250}.9` },
        },
        random,
      )
    }
    async function rentsByBank() {
      const place = pick(lettable)
      const who = visitor()
      const here = { location_code: place.code }
      const reserved = await who.ask('/api/ssm/SaveReservationDetails_WEB', {
        ...{ ...here, unit_type_id: place.type, rent_now: 1, first: 'Kim', last: 'Kiosk', company: '' },
        ...{ email: `bank-${of.seed}-${visitors}@example.com`, cell_phone: '4045550188', address: '1 Kiosk Way' },
        ...{ city: 'Atlanta', state: 'GA', zip: '30308', active_military: '0', designated_agent: '0' },
      })
      if (reserved.answer.ErrorMessage !== '') return
      await who.ask('/api/ssm/lease-pdf', {
        ...{ ...here, format: 'file', tenant_name: 'Kim Kiosk', tenant_signature_name: 'Kim Kiosk' },
        accepted_timestamp: 'now',
      })
      await who.payByBank('ProcessACHMoveIn', here, 'PaymentAmount', pick(endings))
    }
    async function paysDues(method: 'card' | 'bank', guest: boolean) {
      const { named, username, email } = lease()
      const who = visitor()
      const signedIn = guest
        ? await who.ask('/api/ssm/find-email', { email })
        : await who.ask('/api/ssm/login', { username, password: demoPassword })
      who.token = String(signedIn.answer.token ?? '')
      if (who.token === '') return
      if (method === 'card') await who.payByCard({ ...named, ...terms() }, pick(cards))
      else await who.payByBank('ProcessACHPayments', { ...named, ...terms() }, 'amount', pick(endings))
    }
    async function paysByLink(kind: 'auction' | 'settlement') {
      const { named, unit_number: unitNumber } = lease()
      const desk = { db: open, clock, random }
      const locationCode = named.location_code
      const once = `fee ${visitors} ${random.integer(0, 1e9)}`
      const leaseNumber = named.lease_number
      await open.transaction((tx) =>
        postCharge(tx, desk as never, {
          ...{ locationCode, leaseNumber, once, kind: 'fee', cents: 20_00, description: 'Lock cut' },
        }),
      )
      const made =
        kind === 'settlement'
          ? await makeSettlementLink(desk, { locationCode, unitNumber, cents: random.integer(1, 20_00) })
          : await makeAuctionLink(desk, {
              ...{ locationCode, unitNumber, name: 'Wim Tesh', email: 'wim@example.com', city: 'Atlanta' },
              ...{ zip: '30308', cents: random.integer(1, 90_00) },
            })
      if (!made.ok) return
      const who = visitor()
      await who.ask(made.path, null)
      if (kind === 'auction') await who.page(made.path, { understood: '1' })
      await who.payByCard({ location_code: locationCode }, pick(cards))
    }
    /** Turns autopay on, or to another card or account, on the pages of the unit, and pays nothing; or turns it off there. */
    async function changesAutopay() {
      const { named, username } = lease()
      const who = visitor()
      await who.page('/login', { intent: 'login', username, password: demoPassword })
      const at = `${named.location_code}:${named.tenant_id}`
      const unit = `/unit-lease-details?lease=${named.lease_number}&at=${encodeURIComponent(at)}`
      const ofUnit = { lease: String(named.lease_number), at }
      if (random.integer(0, 4) === 0) {
        await who.page(unit, { ...ofUnit, intent: 'autopay_off' })
        return
      }
      const begun = await who.page(unit, { ...ofUnit, intent: 'autopay_on' })
      if (begun.to !== '/online-payment-method') return
      const asked = await who.page(begun.to)
      // Where something is due, it is paid with it, and the same pages ask how.
      const checkout = /name="checkout" value="([^"]+)"/.exec(asked.html)?.[1]
      if (!checkout) return
      report.autopayAsked += 1
      if (random.integer(0, 1) === 0) {
        const account = `00012345${pick(endings)}`
        await who.page('/online-payment-ach', {
          ...{ checkout, routing_number: '061000104', account_number: account, confirm_account: account },
          ...{ account_name: 'Terry Tenant', account_type: 'Checking' },
        })
        return
      }
      const chosen = await who.page('/online-payment-method', { method: 'CC', checkout })
      const card = chosen.to === '/online-payment' ? await who.page(chosen.to) : null
      const frame = card && /<iframe[^>]* src="([^"]+)"/.exec(card.html)?.[1]
      if (!frame) return
      await atCardPage(frame.replaceAll('&amp;', '&'), pick(cards))
      for (let turn = 0; turn < 3; turn += 1) if ((await who.page('/checkout-completed')).to !== '') return
    }
    const acts = [
      ...[changesAutopay, changesAutopay, changesAutopay],
      ...[rentsByCard, rentsByBank, () => paysDues('card', false), () => paysDues('bank', false)],
      ...[() => paysDues('card', true), () => paysDues('bank', true), () => paysByLink('settlement')],
      ...[() => paysDues('card', false), () => paysDues('bank', false), () => paysByLink('settlement')],
      () => (random.integer(0, 3) === 0 ? paysByLink('auction') : rentsByBank()),
    ]

    const until = Date.now() + of.minutes * 60_000
    for (let wave = 1; Date.now() < until; wave += 1) {
      if (wave % 2 === 0) {
        // Days later: sessions have ended, periods have begun, debits have come back.
        await killNight()
        await site.end('SIGTERM')
        ahead += 4 * DAY
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
            // What the desk writes straight into the database is lost with it; nobody was told that it was done.
            if (!(error instanceof Outage) && !(error instanceof DatabaseUnavailable && postgres?.clusterFolder))
              report.violations.push(`visitor: ${error}`)
          }
        }),
      ).then(() => {
        waiting = false
      })
      for (let times = random.integer(1, 2); times > 0 && waiting; times -= 1) {
        await Promise.race([paying, pause(random.integer(100, 2500))])
        if (random.integer(0, 2) === 0) await killNight().then(() => startNight())
        const killsDatabase = postgres?.clusterFolder !== undefined && random.integer(0, 3) === 0
        if (killsDatabase && postgres?.clusterFolder) {
          await crashPostgres(postgres.clusterFolder)
          report.databaseKills += 1
        }
        // A night that lost its database ended with it.
        if (killsDatabase) startNight()
        if (killsDatabase && random.integer(0, 1) === 0) continue
        await site.end('SIGKILL')
        report.kills += 1
        ahead += 20_000
        await site.start(now())
      }
      await paying
      if (wave % 5 === 0) log(`wave ${wave}: ${report.kills} kills, ${visitors} visitors, ${report.days} days`)
    }

    await killNight()
    const restless = async () => {
      const [payments, tasks, jobs] = await Promise.all([
        open.read
          .selectFrom('payments')
          .select('order_id')
          .where('state', 'in', ['created', 'presented', 'captured'])
          .execute(),
        open.read.selectFrom('refund_tasks').select('order_id').where('state', '=', 'open').execute(),
        open.read
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
      // What autopay charges last comes back, where it does, before the books are compared.
      ahead += round <= 2 ? 36 * 60 * 60_000 : 2 * 60 * 60_000
      await site.start(now())
      const last = startNight('--once')
      await once(last, 'exit')
      if (last.exitCode !== 0) report.violations.push(`the night ended with ${last.exitCode}`)
      for (let wait = 0; wait < 100 && (await restless()) > 0; wait += 1) await pause(150)
      const left = await restless()
      log(`coming to rest, round ${round}: ${left} under way`)
      if (round > 4 && left === 0) break
      if (round === 16) {
        report.violations.push(`${left} were never finished`)
        break
      }
    }
    report.violations.push(...(await broke()).filter((fault) => !before.has(fault)))
    const dead = await open.read.selectFrom('jobs').selectAll().where('state', '=', 'dead').execute()
    for (const job of dead) report.violations.push(`I5: ${job.kind} ${job.once} was given up: ${job.last_error}`)
    const kinds = await open.read
      .selectFrom('payments')
      .select(['payer', 'method', 'state'])
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .groupBy(['payer', 'method', 'state'])
      .orderBy('payer')
      .orderBy('method')
      .orderBy('state')
      .execute()
    const { kept } = await open.read
      .selectFrom('payments')
      .select((eb) => eb.fn.countAll<number>().as('kept'))
      .where('amount', '=', 0)
      .where('autopay', '=', 1)
      .where('payer', '=', 'tenant')
      .where('state', '=', 'posted')
      .executeTakeFirstOrThrow()
    report.autopayKept = Number(kept)
    // Pages that have come to want another form would let all of it pass by without a word.
    if (of.minutes >= 1 && report.autopayAsked === 0) report.violations.push('nobody came to ask for autopay')
    report.byKind = Object.fromEntries(
      kinds.map((one) => [`${one.payer} ${one.method} ${one.state}`, Number(one.count)]),
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
