/**
 * Simulates a month of a business through the office pages, while the provider loses requests and responses. Each
 * evening the books must match ledger, drawers and provider, and each operation must have exactly one audit event.
 */
import { type Selectable, sql } from 'kysely'
import type { AuditKind } from '../../domain/office/audit-events.ts'
import { addDays, formatUs, type IsoDate } from '../../domain/plain-date.ts'
import { runBilling } from '../../modules/billing/run-billing.ts'
import { findBalanceMismatches } from '../../modules/ledger/balances.ts'
import { messageJobHandlers } from '../../modules/messages/message-handlers.ts'
import { followUpRefusals } from '../../modules/payments/autopay/autopay-refusals.ts'
import { runAutopay } from '../../modules/payments/autopay/charge-autopay.ts'
import { loadCheckout, startCheckout } from '../../modules/payments/checkout.ts'
import { reconcilePayments } from '../../modules/payments/complete-pending.ts'
import { expireUnpaidHolds } from '../../modules/payments/expire-unpaid-holds.ts'
import { openCheckout } from '../../modules/payments/open/open-checkout.ts'
import { openMoveInPayment } from '../../modules/payments/open/open-move-in-payment.ts'
import { processRefunds } from '../../modules/payments/refund-tasks.ts'
import { settlePayment } from '../../modules/payments/settle-payment.ts'
import { saveDailySnapshots } from '../../modules/reports/daily-snapshot.ts'
import { storeQuote } from '../../modules/reservations/draft-quote.ts'
import { insertDraft } from '../../modules/reservations/start-draft.ts'
import type { Database } from '../../platform/database/open.ts'
import { JobRunner } from '../../platform/jobs/job-runner.ts'
import type { LedgerEntriesTable } from '../../platform/schema/tables.ts'
import { CardProviderUnavailable } from '../../ports/card-provider/card-provider.ts'
import { broken } from '../actors/invariants.ts'
import { type LeaseRef, MonthOffice } from './month-office.ts'
import { SeldomWork } from './month-seldom.ts'
import { type MonthWorld, openMonth } from './month-world.ts'
import { answeredAndSigned } from './renter.ts'

export interface Month {
  days: number
  facilities: number
  leases: number
  acts: Record<string, number>
  refused: Record<string, number>
  payments: Record<string, number>
  /** Sums of the whole business, in cents. */
  roll: Record<string, number>
  faults: string[]
}

export interface MonthOf {
  seed: number
  facilities: number
  /** Leases of each facility. */
  leases: number
  days: number
  log?: (line: string) => void
}

const HOUR = 3_600_000

interface Owing extends LeaseRef {
  balance: number
  rent: number
  autopay: number
  status: string
}

/**
 * Runs the month.
 * @param of 30 facilities with 450 leases each are a whole business
 */
export async function liveMonth(db: Database, of: MonthOf): Promise<Month> {
  const { facilities, leases, days, log = () => {} } = of
  const world = await openMonth(db, of.seed, { facilities, leases, free: Math.max(8, Math.round(leases / 8)) })
  log('the business is open')
  const office = new MonthOffice(world)
  await office.hire()
  const life = new MonthLife(world, office, (facilities * leases) / 13_500)
  const seldom = new SeldomWork(world, office)
  const books = new Books(world)
  await books.open()
  const faults: string[] = []
  for (let day = 0; day < days; day += 1) {
    const today = addDays(world.first, day + 1)
    const at = (hour: number) => world.services.clock.set(Date.parse(`${today}T00:00:00Z`) + hour * HOUR)
    at(10)
    await life.night()
    await saveDailySnapshots(world.services)
    await runBilling(world.services)
    await runAutopay(world.services)
    await followUpRefusals(world.services)
    at(14)
    await office.signIn()
    await seldom.officeDay(day)
    await life.officeDay(today, day)
    at(20)
    await life.tenantsPay()
    await life.night()
    await seldom.night()
    faults.push(...(await books.wrong()).map((fault) => `${today}: ${fault}`))
    log(`${today}: ${[...office.done.values()].reduce((sum, one) => sum + one, 0)} acts`)
    if (faults.length > 20) break
  }
  for (let round = 0; round < 12; round += 1) {
    world.services.clock.advance(6 * HOUR)
    await life.night()
  }
  await saveDailySnapshots(world.services)
  await office.signIn()
  faults.push(...(await books.reported(office, addDays(world.first, 1), addDays(world.first, days))))
  faults.push(...(await books.wrong()), ...(await broken(world)), ...(await books.closes(office.done)))
  // Lost requests and responses are reported by design.
  const reported = world.services.reported.filter((error) => !(error instanceof CardProviderUnavailable))
  faults.push(...life.faults, ...seldom.faults, ...reported.map((error) => `Reported: ${error}`))
  const states = await sql<{ payer: string; state: string; count: number }>`
    select payer, state, count(*) as count from payments group by payer, state`.execute(db.read)
  return {
    days,
    facilities,
    leases: facilities * leases,
    acts: Object.fromEntries(office.done),
    refused: Object.fromEntries(office.refused),
    roll: await books.roll(),
    faults,
    payments: Object.fromEntries(states.rows.map((one) => [`${one.payer} ${one.state}`, Number(one.count)])),
  }
}

/** Tenants who pay, call and visit, and the office's work for them. */
class MonthLife {
  readonly faults: string[] = []
  readonly #world: MonthWorld
  readonly #office: MonthOffice
  /** Size in relation to a business of 30 facilities and 13,500 leases. */
  readonly #share: number
  readonly #runner: JobRunner
  #people = 0
  #checks = 0
  #closed: string[] = []

  constructor(world: MonthWorld, office: MonthOffice, share: number) {
    this.#world = world
    this.#office = office
    this.#share = share
    const { services } = world
    const mail = { send: async () => {} }
    const all = messageJobHandlers(services, { mail, from: 'Storage <desk@storage.example>' })
    // Mails that do not change the books are not composed, because they take most of the time.
    const moving = new Set(['send_refund', 'rent_change_notice'])
    this.#runner = new JobRunner({
      db: services.db,
      clock: services.clock,
      log: { warn() {}, error() {} },
      handlers: Object.fromEntries(
        Object.entries(all).map(([kind, handler]) => [kind, moving.has(kind) ? handler : async () => {}]),
      ) as typeof all,
      onDead: (job, error) => void this.faults.push(`Given up: ${job.kind} ${job.once}: ${error}`),
    })
  }

  #chance = (share: number) => this.#world.random.integer(0, 999_999) < share * 1_000_000
  #some<T>(list: readonly T[], count: number): T[] {
    const left = [...list]
    return Array.from({ length: Math.min(count, left.length) }, () => {
      const [one] = left.splice(this.#world.random.integer(0, left.length - 1), 1)
      return one as T
    })
  }
  #one = <T>(list: readonly T[]): T | undefined => this.#some(list, 1)[0]
  /**
   * Returns a day's number of events that 30 facilities have `inAMonth`, scaled to this business.
   * @param least minimum in a month
   */
  #daily = (inAMonth: number, least = 6) => {
    const wanted = Math.max(inAMonth * this.#share, least) / 30
    return Math.floor(wanted) + (this.#chance(wanted % 1) ? 1 : 0)
  }

  #leases = (having: string) =>
    sql<Owing>`select location_code, tenant_id, lease_number, balance, rent, autopay, status from leases
      where location_code like 'M%' and ${sql.raw(having)} order by location_code, lease_number`
      .execute(this.#world.services.db.read)
      .then(({ rows }) => rows)

  /** Runs the scheduled work until nothing is left. */
  async night() {
    const { services, provider } = this.#world
    provider.storm = 0
    for (let round = 0; round < 2; round += 1) {
      services.clock.advance(20 * 60_000)
      await reconcilePayments(services)
      await processRefunds(services)
      await expireUnpaidHolds(services)
      await this.#runner.runDue()
    }
  }

  async #pays(lease: Owing): Promise<void> {
    const { services, provider } = this.#world
    const started = await startCheckout(services, {
      payer: 'tenant',
      locationCode: lease.location_code,
      tenantId: lease.tenant_id,
      leaseNumber: lease.lease_number,
      pays: lease.balance > 0 ? 'dues' : 'prepay',
      periods: 1,
      autopay: this.#chance(0.2),
    })
    const checkout = started.ok ? await loadCheckout(services, started.checkoutId) : null
    const by = { address: `10.1.${lease.lease_number % 250}.${lease.tenant_id % 250}`, agent: 'month' }
    const opened = checkout && (await openCheckout(services, checkout, by))
    if (!opened?.ok) return
    provider.act(opened.orderId, this.#chance(0.9) ? 'approve' : 'decline')
    await settlePayment(services, opened.orderId)
  }

  /** Tenants pay by card; a few pay ahead. */
  async tenantsPay() {
    this.#world.provider.storm = 0.08
    const owing = "status in ('Current', 'Past Due') and balance > 0"
    for (const lease of await this.#leases(`${owing} and lien_case is null`))
      if (this.#chance(lease.autopay === 1 ? 0.05 : 0.2)) await this.#pays(lease)
    for (const lease of this.#some(await this.#leases("status = 'Current' and balance = 0"), this.#daily(60)))
      await this.#pays(lease)
  }

  async officeDay(today: IsoDate, day: number) {
    const office = this.#office
    for (const drawer of this.#closed.splice(0)) await office.matchDeposit(drawer, addDays(today, -1))
    if (day === 0) await this.#raisesRents()
    await this.#counter(day)
    await this.#corrections()
    await this.#refunds()
    await this.#doors(today)
    for (let at = this.#daily(700); at > 0; at -= 1) await this.#movesIn(today)
  }

  async #raisesRents() {
    const current = await this.#leases("status = 'Current' and scheduled_move_out is null")
    const chosen = this.#some(current, Math.ceil(current.length / 20))
    if (chosen.length > 0)
      await this.#office.changeRents(
        chosen.map((one, at) => ({ ...one, to: Math.round((one.rent * (at % 4 === 0 ? 95 : 108)) / 10_000) * 100 })),
      )
  }

  /** Receives checks, cash and money orders into one facility's drawer. */
  async #counter(day: number) {
    const office = this.#office
    const [place = ''] = this.#some(this.#world.codes, 1)
    const drawer = await office.openDrawer('agent', place)
    if (!drawer) return
    // One tenant with a lien case pays everything, which stops the case.
    const comes = day === 3
    const cases = comes ? ' and lien_case is not null' : ' and lien_case is null'
    const owing = await this.#leases(`status in ('Past Due', 'Auction') and balance > 0${cases}`)
    for (const lease of this.#some(owing, comes ? 1 : this.#daily(400, 40))) {
      this.#checks += 1
      const method = comes
        ? 'cash'
        : (this.#one(['check', 'check', 'check', 'cash', 'money_order'] as const) ?? 'check')
      const whole = comes || lease.status === 'Auction' || this.#chance(0.7)
      const cents = whole ? lease.balance : Math.max(1, Math.round(lease.balance * 0.6))
      await office.receive(lease, drawer, { cents, method, number: `${5000 + this.#checks}` })
    }
    const { read } = this.#world.services.db
    const receipts = await read
      .selectFrom('counter_receipts')
      .select(['receipt_id', 'state', 'method'])
      .orderBy('receipt_id')
      .execute()
    const held = this.#one(receipts.filter(({ state }) => state === 'held'))
    if (held && this.#chance(0.15)) await office.voidReceipt(held.receipt_id)
    const bounces = this.#one(receipts.filter((one) => one.method === 'check' && /deposited|matched/.test(one.state)))
    if (bounces && this.#chance(0.3)) await office.returnCheck(bounces.receipt_id)
    await office.closeDrawer(drawer, this.#chance(0.2) ? 1_00 : 0)
    this.#closed.push(drawer)
  }

  async #corrections() {
    const office = this.#office
    const fees = await sql<LeaseRef & { entry_id: string }>`
      select fee.location_code, tenant_id, fee.lease_number, entry_id from ledger_entries fee
      join leases on leases.location_code = fee.location_code and leases.lease_number = fee.lease_number
      where kind = 'fee' and cents > 0 and period_end is null and fee.location_code like 'M%' and not exists (
        select 1 from ledger_entries w where w.location_code = fee.location_code and w.lease_number = fee.lease_number
        and w.once = 'waive:' || fee.entry_id) order by entry_id`.execute(this.#world.services.db.read)
    for (const fee of this.#some(fees.rows, this.#daily(100))) await office.waive(fee, fee.entry_id)
    const current = await this.#leases("status in ('Current', 'Past Due')")
    for (const lease of this.#some(current, this.#daily(30))) await office.charge(lease)
    for (const lease of this.#some(current, this.#daily(30)))
      await office.credit(this.#chance(0.5) ? 'agent' : 'manager', lease, this.#world.random.integer(1, 60_00))
    const two = await this.#leases(`status != 'Closed' and balance <> 0 and exists (select 1 from leases other
      where other.location_code = leases.location_code and other.tenant_id = leases.tenant_id
      and other.lease_number <> leases.lease_number)`)
    for (const lease of this.#some(two, this.#daily(20))) await office.moveBalance(lease)
    for (const lease of await this.#leases("status = 'Closed' and balance > 0"))
      if (this.#chance(0.3)) await office.writeOff(lease)
  }

  async #refunds() {
    const { read } = this.#world.services.db
    const posted = await read
      .selectFrom('payments')
      .innerJoin('leases', (join) =>
        join
          .onRef('leases.location_code', '=', 'payments.location_code')
          .onRef('leases.lease_number', '=', 'payments.lease_number'),
      )
      .select(['payments.order_id', 'amount', 'payments.location_code', 'leases.tenant_id', 'leases.lease_number'])
      .where('payments.state', '=', 'posted')
      .where('amount', '>', 0)
      .where('refunded_cents', '=', 0)
      .where('leases.status', '!=', 'Closed')
      .orderBy('payments.order_id')
      .execute()
    for (const { order_id, amount, location_code, tenant_id, lease_number } of this.#some(posted, this.#daily(30))) {
      const lease = { location_code, tenant_id, lease_number: lease_number as number }
      const part = this.#chance(0.3) ? Math.max(1, Math.round(amount / 3)) : undefined
      const by = this.#chance(0.5) ? 'agent' : 'finance'
      await this.#office.refund(by, lease, order_id, { forgiven: this.#chance(0.4), ...(part && { part }) })
    }
    const waiting = await read.selectFrom('refunds').selectAll().where('state', '=', 'by_hand').execute()
    for (const one of waiting) if (this.#chance(0.6)) await this.#office.payByHand(one.refund_id)
  }

  async #doors(today: IsoDate) {
    const office = this.#office
    const open = await this.#leases("status in ('Current', 'Past Due') and scheduled_move_out is null")
    for (const lease of this.#some(open, this.#daily(500)))
      await office.scheduleMoveOut(lease, addDays(today, this.#world.random.integer(0, 12)))
    for (const lease of this.#some(open, this.#daily(30))) await office.gate(lease, 'suspend', addDays(today, 2))
    const locked = await this.#leases("status != 'Closed' and overlocked = 1")
    for (const lease of this.#some(locked, this.#daily(30))) await office.gate(lease, 'lift', addDays(today, 3))
    for (const lease of this.#some(locked, this.#daily(200))) await office.atTheDoor(lease, 'on')
    const left = await this.#leases(`status = 'Closed' and exists (select 1 from units
      where units.location_code = leases.location_code and units.unit_id = leases.unit_id and units.status <> 'free')`)
    for (const lease of this.#some(left, this.#daily(600))) await office.atTheDoor(lease, 'verify')
  }

  /** Reserves a unit for a caller on the phone, who then signs and pays by card. */
  async #movesIn(today: IsoDate) {
    const { services, provider, codes } = this.#world
    const location = this.#one(codes) ?? ''
    const free = await services.db.read
      .selectFrom('units')
      .select(['unit_id', 'unit_type_id'])
      .where('location_code', '=', location)
      .where('status', '=', 'free')
      .where('unit_type_id', '=', 1)
      .orderBy('unit_id')
      .execute()
    const unit = this.#one(free)
    if (!unit) return
    this.#people += 1
    const name = { first: 'Mona', last: `Month${this.#people}` }
    const who = { ...name, email: `m${this.#people}@example.com`, cell_phone: `404555${1000 + (this.#people % 9000)}` }
    if ((await this.#office.holdUnit(location, unit.unit_id, who, today)) === null) return
    if (this.#chance(0.1)) return
    const reservation = await services.db.read
      .selectFrom('reservations')
      .selectAll()
      .where('location_code', '=', location)
      .where('unit_id', '=', unit.unit_id)
      .where('status', '=', 'active')
      .executeTakeFirstOrThrow()
    const made = await insertDraft(services.db.write, services, {
      locationCode: location,
      unitTypeId: unit.unit_type_id,
      tenantId: reservation.tenant_id,
      reservationCode: reservation.reservation_code,
      answers: { moveInDate: reservation.required_date },
    })
    const signed = await answeredAndSigned(services, made.draftId, {
      name: `${name.first} ${name.last}`,
      answers: { insurance: { status: 1, schemeId: 1 }, autopay: this.#chance(0.4), fullDayAccess: false },
    })
    if (!signed.ok) return void this.faults.push(`A lease was not signed: ${signed.why}`)
    const draft = await signed.saved({ paymentMethod: 'CC' })
    const quote = await storeQuote(services, draft)
    provider.storm = 0.05
    const opened = quote && (await openMoveInPayment(services, draft, { quoteId: quote.quoteId }))
    if (opened?.ok) {
      provider.act(opened.orderId, this.#chance(0.95) ? 'approve' : 'decline')
      await settlePayment(services, opened.orderId)
    }
    provider.storm = 0
  }
}

type Cents = Record<string, number>
type Entry = Pick<Selectable<LedgerEntriesTable>, 'kind' | 'cents' | 'order_id'>

/** Recomputes the books from ledger entries, receipts and the provider's list. */
class Books {
  readonly #world: MonthWorld
  #before = new Map<string, number>()
  #opening = 0

  constructor(world: MonthWorld) {
    this.#world = world
  }

  get #db() {
    return this.#world.services.db.read
  }

  #entries = async () =>
    (
      await this.#db
        .selectFrom('ledger_entries')
        .select(['entry_id', 'location_code', 'lease_number', 'kind', 'cents', 'order_id', 'posted_on'])
        .execute()
    ).filter(({ location_code }) => location_code.startsWith('M'))

  async open() {
    const entries = await this.#entries()
    this.#before = new Map(entries.map(({ entry_id, cents }) => [entry_id, cents]))
    this.#opening = entries.reduce((sum, { cents }) => sum + cents, 0)
  }

  /** Returns opening balance, sums by kind, and closing balance. */
  async roll(): Promise<Cents> {
    const roll: Cents = { opening: this.#opening }
    const entries = await this.#entries()
    for (const { entry_id, kind, cents } of entries)
      if (!this.#before.has(entry_id)) roll[kind] = (roll[kind] ?? 0) + cents
    roll.closing = Object.values(roll).reduce((sum, cents) => sum + cents, 0)
    return roll
  }

  /** Checks the office's own report of the days against the ledger entries. */
  async reported(office: MonthOffice, from: IsoDate, to: IsoDate): Promise<string[]> {
    const at = this.#world.codes.join(',')
    const path = `/office/reports/receivables?at=${at}&from=${formatUs(from)}&to=${formatUs(to)}`
    const { data } = await office.people.owner.get(path)
    const report = data?.shown?.report
    if (!report) return [`There is no report of receivables: ${JSON.stringify(data)}`]
    const owed = (label: string) => report.figures.find((one: { label: string }) => one.label === label)?.value
    const entries = await this.#entries()
    const sum = (until: IsoDate) => entries.reduce((all, one) => all + (one.posted_on <= until ? one.cents : 0), 0)
    const [opening, closing] = [sum(addDays(from, -1)), sum(to)]
    if (
      report.check.difference === 0 &&
      owed('Owed at the beginning') === opening &&
      owed('Owed at the end') === closing
    )
      return []
    return [`The report says ${JSON.stringify([report.check, report.figures])}, the entries ${opening} and ${closing}`]
  }

  async wrong(): Promise<string[]> {
    const faults = (await findBalanceMismatches(this.#world.services.db)).map(
      (off) => `The balance of ${off.locationCode} ${off.leaseNumber} is kept as ${off.kept} and is ${off.sum}`,
    )
    const entries = await this.#entries()
    const { closing } = await this.roll()
    const kept = await sql<{ sum: number }>`
      select sum(balance) as sum from leases where location_code like 'M%'`.execute(this.#db)
    if (closing !== Number(kept.rows[0]?.sum))
      faults.push(`The roll closes with ${closing}, the leases owe ${kept.rows[0]?.sum}`)
    const now = new Map(entries.map(({ entry_id, cents }) => [entry_id, cents]))
    for (const [id, cents] of this.#before) if (now.get(id) !== cents) faults.push(`Entry ${id} was changed`)
    return [...faults, ...(await this.#drawersWrong(entries))]
  }

  /** Checks that each drawer's deposit equals its receipts, and that each valid receipt is in the ledger once. */
  async #drawersWrong(entries: readonly Entry[]) {
    const faults: string[] = []
    const inLedger = Map.groupBy(entries, ({ order_id }) => order_id)
    const receipts = await this.#db.selectFrom('counter_receipts').selectAll().execute()
    for (const { receipt_id, state, cents } of receipts) {
      const of = (inLedger.get(receipt_id) ?? []).filter(({ kind }) => kind === 'payment' || kind === 'reversal')
      const sum = of.reduce((all, one) => all + one.cents, 0)
      const counts = ['held', 'deposited', 'matched'].includes(state)
      if (sum !== (counts ? -cents : 0))
        faults.push(`Receipt ${receipt_id} (${state}) of ${cents} has ${sum} in the ledger`)
    }
    for (const batch of await this.#db.selectFrom('cash_batches').selectAll().execute()) {
      const taken = receipts
        .filter(({ batch_id, state }) => batch_id === batch.batch_id && state !== 'voided')
        .reduce((sum, { cents }) => sum + cents, 0)
      if (batch.state === 'open') faults.push(`Drawer ${batch.batch_id} was left open`)
      // A drawer may be a dollar over, with a reason.
      else if (
        batch.deposit_cents !== taken &&
        !(batch.deposit_cents === taken + 100 && batch.difference_reason === 'found')
      )
        faults.push(`Drawer ${batch.batch_id} deposits ${batch.deposit_cents} of ${taken}`)
    }
    return faults
  }

  /** Returns the sale surpluses paid out by check, according to the lien cases. */
  async #surplusPaid(): Promise<number> {
    const paid = await this.#db
      .selectFrom('lien_cases')
      .select('surplus')
      .where('state', '=', 'closed')
      .where('surplus', '>', 0)
      .execute()
    return paid.reduce((sum, { surplus }) => sum + (surplus ?? 0), 0)
  }

  /** Compares the ledger with the provider's list to the cent, and operations with audit events. */
  async closes(acts: ReadonlyMap<AuditKind, number>): Promise<string[]> {
    const done = new Map(acts)
    const faults: string[] = []
    const entries = await this.#entries()
    const money = entries.filter(
      ({ kind, entry_id }) => ['payment', 'refund', 'reversal'].includes(kind) && !this.#before.has(entry_id),
    )
    const net = -money.reduce((sum, { cents }) => sum + cents, 0)
    const sum = (rows: readonly { cents: number }[]) => rows.reduce((all, one) => all + one.cents, 0)
    const receipts = await this.#db.selectFrom('counter_receipts').select(['cents', 'state']).execute()
    const counter = sum(receipts.filter(({ state }) => state !== 'voided' && state !== 'returned'))
    const refunds = await this.#db.selectFrom('refunds').selectAll().execute()
    const underWay = refunds.filter(({ state, way }) => way === 'provider' && state !== 'done')
    if (underWay.length > 0) faults.push(`${underWay.length} refunds were not sent`)
    const byCheck = sum(refunds.filter(({ way }) => way === 'check'))
    const orders = [...this.#world.provider.orders.values()]
    const atProvider = orders.reduce((all, { charged, returned }) => all + charged - returned, 0)
    const surplus = await this.#surplusPaid()
    if (net !== counter + atProvider - byCheck - surplus)
      faults.push(
        `The ledger has ${net}; drawers ${counter}, provider ${atProvider}, by check ${byCheck}, surplus ${surplus}`,
      )
    const told = await sql<{ kind: AuditKind; count: number }>`
      select kind, count(*) as count from audit_events group by kind`.execute(this.#db)
    const events = new Map(told.rows.map((one) => [one.kind, Number(one.count)]))
    const cases = await this.#db.selectFrom('lien_cases').select(['state', 'surplus']).execute()
    const bySystem = new Map<AuditKind, number>([
      ['lien.stopped', cases.filter(({ state }) => state === 'stopped').length],
      ['lien.sold', cases.filter(({ surplus }) => surplus !== null).length],
    ])
    for (const [kind, times] of bySystem) done.set(kind, times)
    for (const kind of new Set([...done.keys(), ...events.keys()])) {
      if (kind.startsWith('staff.') || kind === 'file.opened') continue
      if ((events.get(kind) ?? 0) !== (done.get(kind) ?? 0))
        faults.push(`${done.get(kind) ?? 0} acts of ${kind}, ${events.get(kind) ?? 0} audit events`)
    }
    return faults
  }
}
