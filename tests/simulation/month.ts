/**
 * Simulates a month of a business whose staff uses the office pages, while the provider loses requests and responses.
 * Each evening the balances and drawers must match the ledger. At the end the ledger must match the report of
 * receivables, receipts, refunds and provider, and the audit events must match the operations.
 */
import { type Selectable, sql } from 'kysely'
import type { AuditKind } from '../../domain/office/audit-events.ts'
import { addDays, formatUs, type IsoDate } from '../../domain/plain-date.ts'
import { runBilling } from '../../modules/billing/run-billing.ts'
import { findBalanceMismatches } from '../../modules/ledger/load-and-repair-lease-balance.ts'
import { messageJobHandlers } from '../../modules/messages/message-handlers.ts'
import { runAutopay } from '../../modules/payments/autopay/charge-autopay.ts'
import { followUpRefusals } from '../../modules/payments/autopay/follow-up-refused-autopay.ts'
import { expireUnpaidHolds } from '../../modules/payments/expire-unpaid-holds.ts'
import { openCheckout } from '../../modules/payments/open/open-checkout.ts'
import { openMoveInPayment } from '../../modules/payments/open/open-move-in-payment.ts'
import { startCheckout } from '../../modules/payments/price-checkout.ts'
import { processRefunds } from '../../modules/payments/refund-unposted-payments.ts'
import { settlePayment } from '../../modules/payments/settle-payment.ts'
import { reconcilePayments } from '../../modules/payments/settle-pending-payments.ts'
import { loadCheckout } from '../../modules/payments/views/own-checkout.ts'
import { saveDailySnapshots } from '../../modules/reports/save-daily-snapshots.ts'
import { storeQuote } from '../../modules/reservations/draft-quote.ts'
import { insertDraft } from '../../modules/reservations/insert-draft.ts'
import type { Database } from '../../platform/database/open.ts'
import { JobRunner } from '../../platform/jobs/job-runner.ts'
import type { LedgerEntriesTable } from '../../platform/schema/tables.ts'
import { CardProviderUnavailable } from '../../ports/card-provider/card-provider.ts'
import { findViolations } from '../actors/invariants.ts'
import { answerAndSignLease } from './answer-and-sign-lease.ts'
import { type MonthWorld, openMonth } from './create-month-start-data.ts'
import { type LeaseRef, MonthOffice } from './month-office.ts'
import { RareEvents } from './month-rare-events.ts'

export interface Month {
  days: number
  facilities: number
  leases: number
  /** Number of completed operations, by kind of audit event. */
  operations: Record<string, number>
  /** Number of refused operations, by the keys of `MonthOffice.refused`. */
  refused: Record<string, number>
  /** Number of payments by payer and state, such as 'tenant posted'. */
  payments: Record<string, number>
  /** Ledger sums in cents: 'opening' balance, the month's sum of each kind of entry, and 'closing' balance. */
  roll: Record<string, number>
  faults: string[]
}

export interface MonthOptions {
  seed: number
  facilities: number
  /** Leases of each facility. */
  leases: number
  days: number
  log?: (line: string) => void
}

const HOUR = 3_600_000
/** Number of leases at which `DailyEvents` causes its full number of events: 30 facilities with 450 leases each. */
const FULL_SIZE_LEASES = 30 * 450

interface LeaseRow extends LeaseRef {
  balance: number
  rent: number
  autopay: number
  status: string
}

/**
 * Simulates the days of a month, then more than three days of scheduled work alone.
 * @returns counts, sums and the faults found; without faults all records agree
 */
export async function simulateMonth(db: Database, options: MonthOptions): Promise<Month> {
  const { facilities, leases, days, log = () => {} } = options
  const world = await openMonth(db, options.seed, {
    facilities,
    leases,
    freeUnits: Math.max(8, Math.round(leases / 8)),
  })
  log('the business is open')
  const office = new MonthOffice(world)
  await office.hire()
  const dailyEvents = new DailyEvents(world, office, (facilities * leases) / FULL_SIZE_LEASES)
  const rareEvents = new RareEvents(world, office)
  const books = new Books(world)
  await books.recordOpening()
  const faults: string[] = []
  for (let day = 0; day < days; day += 1) {
    const today = addDays(world.dayBefore, day + 1)
    const setClockTo = (hour: number) => world.services.clock.set(Date.parse(`${today}T00:00:00Z`) + hour * HOUR)
    setClockTo(10)
    await dailyEvents.runScheduledWork()
    await saveDailySnapshots(world.services)
    await runBilling(world.services)
    await runAutopay(world.services)
    await followUpRefusals(world.services)
    setClockTo(14)
    await office.signIn()
    await rareEvents.officeDay(day)
    await dailyEvents.officeDay(today, day)
    setClockTo(20)
    await dailyEvents.tenantsPay()
    await dailyEvents.runScheduledWork()
    await rareEvents.night()
    faults.push(...(await books.findFaults()).map((fault) => `${today}: ${fault}`))
    log(`${today}: ${[...office.done.values()].reduce((sum, count) => sum + count, 0)} operations`)
    if (faults.length > 20) break
  }
  // Scheduled work continues for more than three days, so that lost calls are recovered.
  for (let round = 0; round < 12; round += 1) {
    world.services.clock.advance(6 * HOUR)
    await dailyEvents.runScheduledWork()
  }
  await saveDailySnapshots(world.services)
  await office.signIn()
  faults.push(
    ...(await books.checkReceivablesReport(office, addDays(world.dayBefore, 1), addDays(world.dayBefore, days))),
  )
  faults.push(
    ...(await books.findFaults()),
    ...(await findViolations(world)),
    ...(await books.checkMonthEnd(office.done)),
  )
  // Errors of lost requests and responses are no faults: the simulated provider causes them.
  const reported = world.services.reported.filter((error) => !(error instanceof CardProviderUnavailable))
  faults.push(...dailyEvents.faults, ...rareEvents.faults, ...reported.map((error) => `Reported: ${error}`))
  const states = await sql<{ payer: string; state: string; count: number }>`
    select payer, state, count(*) as count from payments group by payer, state`.execute(db.read)
  return {
    days,
    facilities,
    leases: facilities * leases,
    operations: Object.fromEntries(office.done),
    refused: Object.fromEntries(office.refused),
    roll: await books.roll(),
    faults,
    payments: Object.fromEntries(states.rows.map((row) => [`${row.payer} ${row.state}`, Number(row.count)])),
  }
}

/** Simulates the tenants who pay, call and visit, and the staff members who serve them. */
class DailyEvents {
  readonly faults: string[] = []
  readonly #world: MonthWorld
  readonly #office: MonthOffice
  /** Size of the simulated business: its number of leases divided by `FULL_SIZE_LEASES`. */
  readonly #scale: number
  readonly #runner: JobRunner
  #callerCount = 0
  #receiptCount = 0
  #closedDrawers: string[] = []

  constructor(world: MonthWorld, office: MonthOffice, scale: number) {
    this.#world = world
    this.#office = office
    this.#scale = scale
    const { services } = world
    const mail = { send: async () => {} }
    const all = messageJobHandlers(services, { mail, from: 'Storage <desk@storage.example>' })
    // Handlers of other jobs do nothing, which saves the time of composing mails.
    const kindsThatChangeBooks = new Set(['send_refund', 'rent_change_notice'])
    this.#runner = new JobRunner({
      db: services.db,
      clock: services.clock,
      log: { warn() {}, error() {} },
      handlers: Object.fromEntries(
        Object.entries(all).map(([kind, handler]) => [kind, kindsThatChangeBooks.has(kind) ? handler : async () => {}]),
      ) as typeof all,
      onDead: (job, error) => void this.faults.push(`Dead job: ${job.kind} ${job.once}: ${error}`),
    })
  }

  /** Returns true with this probability, from 0 to 1. */
  #chance = (probability: number) => this.#world.random.integer(0, 999_999) < probability * 1_000_000
  #sample<T>(list: readonly T[], count: number): T[] {
    const remaining = [...list]
    return Array.from({ length: Math.min(count, remaining.length) }, () => {
      const [item] = remaining.splice(this.#world.random.integer(0, remaining.length - 1), 1)
      return item as T
    })
  }
  #sampleOne = <T>(list: readonly T[]): T | undefined => this.#sample(list, 1)[0]
  /**
   * Returns how often an event happens on one day in this business. Fractions are rounded up or down at random.
   * @param perMonth number in a month at 30 facilities
   * @param minimum least number in a month, however small this business is
   */
  #daily = (perMonth: number, minimum = 6) => {
    const expected = Math.max(perMonth * this.#scale, minimum) / 30
    return Math.floor(expected) + (this.#chance(expected % 1) ? 1 : 0)
  }

  /** Returns the simulated leases that match an SQL condition. */
  #leases = (condition: string) =>
    sql<LeaseRow>`select location_code, tenant_id, lease_number, balance, rent, autopay, status from leases
      where location_code like 'M%' and ${sql.raw(condition)} order by location_code, lease_number`
      .execute(this.#world.services.db.read)
      .then(({ rows }) => rows)

  /** Runs the scheduled work twice, 20 minutes apart, with a provider that answers every call. */
  async runScheduledWork() {
    const { services, provider } = this.#world
    provider.failureShare = 0
    for (let round = 0; round < 2; round += 1) {
      services.clock.advance(20 * 60_000)
      await reconcilePayments(services)
      await processRefunds(services)
      await expireUnpaidHolds(services)
      await this.#runner.runDue()
    }
  }

  async #payByCard(lease: LeaseRow): Promise<void> {
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
    const submission = { address: `10.1.${lease.lease_number % 250}.${lease.tenant_id % 250}`, agent: 'month' }
    const opened = checkout && (await openCheckout(services, checkout, submission))
    if (!opened?.ok) return
    provider.act(opened.orderId, this.#chance(0.9) ? 'approve' : 'decline')
    await settlePayment(services, opened.orderId)
  }

  /** Lets some tenants pay by card what they owe, and a few pay ahead. */
  async tenantsPay() {
    this.#world.provider.failureShare = 0.08
    const owesMoney = "status in ('Current', 'Past Due') and balance > 0"
    for (const lease of await this.#leases(`${owesMoney} and lien_case is null`))
      if (this.#chance(lease.autopay === 1 ? 0.05 : 0.2)) await this.#payByCard(lease)
    for (const lease of this.#sample(await this.#leases("status = 'Current' and balance = 0"), this.#daily(60)))
      await this.#payByCard(lease)
  }

  async officeDay(today: IsoDate, day: number) {
    const office = this.#office
    for (const drawer of this.#closedDrawers.splice(0)) await office.matchDeposit(drawer, addDays(today, -1))
    if (day === 0) await this.#changeRents()
    await this.#counter(day)
    await this.#corrections()
    await this.#refunds()
    await this.#moveOutsAndLocks(today)
    for (let remaining = this.#daily(700); remaining > 0; remaining -= 1) await this.#moveIn(today)
  }

  async #changeRents() {
    const current = await this.#leases("status = 'Current' and scheduled_move_out is null")
    const chosen = this.#sample(current, Math.ceil(current.length / 20))
    if (chosen.length > 0)
      await this.#office.changeRents(
        chosen.map((lease, index) => ({
          ...lease,
          to: Math.round((lease.rent * (index % 4 === 0 ? 95 : 108)) / 10_000) * 100,
        })),
      )
  }

  /**
   * Opens a drawer at one facility and receives checks, cash and money orders. May void a receipt, and may return a
   * check of an earlier drawer. Closes the drawer.
   */
  async #counter(day: number) {
    const office = this.#office
    const [location = ''] = this.#sample(this.#world.codes, 1)
    const drawer = await office.openDrawer('agent', location)
    if (!drawer) return
    // On day 3 one tenant with a lien case pays everything, which stops the case.
    const isLienDay = day === 3
    const lienCondition = isLienDay ? ' and lien_case is not null' : ' and lien_case is null'
    const owing = await this.#leases(`status in ('Past Due', 'Auction') and balance > 0${lienCondition}`)
    for (const lease of this.#sample(owing, isLienDay ? 1 : this.#daily(400, 40))) {
      this.#receiptCount += 1
      const method = isLienDay
        ? 'cash'
        : (this.#sampleOne(['check', 'check', 'check', 'cash', 'money_order'] as const) ?? 'check')
      const paysAll = isLienDay || lease.status === 'Auction' || this.#chance(0.7)
      const cents = paysAll ? lease.balance : Math.max(1, Math.round(lease.balance * 0.6))
      await office.receive(lease, drawer, { cents, method, number: `${5000 + this.#receiptCount}` })
    }
    const { read } = this.#world.services.db
    const receipts = await read
      .selectFrom('counter_receipts')
      .select(['receipt_id', 'state', 'method'])
      .orderBy('receipt_id')
      .execute()
    const heldReceipt = this.#sampleOne(receipts.filter(({ state }) => state === 'held'))
    if (heldReceipt && this.#chance(0.15)) await office.voidReceipt(heldReceipt.receipt_id)
    const bouncedCheck = this.#sampleOne(
      receipts.filter((receipt) => receipt.method === 'check' && /deposited|matched/.test(receipt.state)),
    )
    if (bouncedCheck && this.#chance(0.3)) await office.returnCheck(bouncedCheck.receipt_id)
    await office.closeDrawer(drawer, this.#chance(0.2) ? 1_00 : 0)
    this.#closedDrawers.push(drawer)
  }

  async #corrections() {
    const office = this.#office
    const fees = await sql<LeaseRef & { entry_id: string }>`
      select fee.location_code, tenant_id, fee.lease_number, entry_id from ledger_entries fee
      join leases on leases.location_code = fee.location_code and leases.lease_number = fee.lease_number
      where kind = 'fee' and cents > 0 and period_end is null and fee.location_code like 'M%' and not exists (
        select 1 from ledger_entries waiver where waiver.location_code = fee.location_code
        and waiver.lease_number = fee.lease_number and waiver.once = 'waive:' || fee.entry_id) order by entry_id`.execute(
      this.#world.services.db.read,
    )
    for (const fee of this.#sample(fees.rows, this.#daily(100))) await office.waive(fee, fee.entry_id)
    const current = await this.#leases("status in ('Current', 'Past Due')")
    for (const lease of this.#sample(current, this.#daily(30))) await office.charge(lease)
    for (const lease of this.#sample(current, this.#daily(30)))
      await office.credit(this.#chance(0.5) ? 'agent' : 'manager', lease, this.#world.random.integer(1, 60_00))
    const leasesOfSharedTenants =
      await this.#leases(`status != 'Closed' and balance <> 0 and exists (select 1 from leases other
      where other.location_code = leases.location_code and other.tenant_id = leases.tenant_id
      and other.lease_number <> leases.lease_number)`)
    for (const lease of this.#sample(leasesOfSharedTenants, this.#daily(20))) await office.moveBalance(lease)
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
    for (const { order_id, amount, location_code, tenant_id, lease_number } of this.#sample(posted, this.#daily(30))) {
      const lease = { location_code, tenant_id, lease_number: lease_number as number }
      const part = this.#chance(0.3) ? Math.max(1, Math.round(amount / 3)) : undefined
      const role = this.#chance(0.5) ? 'agent' : 'finance'
      await this.#office.refund(role, lease, order_id, { forgiven: this.#chance(0.4), ...(part && { part }) })
    }
    const refundsByHand = await read.selectFrom('refunds').selectAll().where('state', '=', 'by_hand').execute()
    for (const refund of refundsByHand) if (this.#chance(0.6)) await this.#office.payByHand(refund.refund_id)
  }

  async #moveOutsAndLocks(today: IsoDate) {
    const office = this.#office
    const open = await this.#leases("status in ('Current', 'Past Due') and scheduled_move_out is null")
    for (const lease of this.#sample(open, this.#daily(500)))
      await office.scheduleMoveOut(lease, addDays(today, this.#world.random.integer(0, 12)))
    for (const lease of this.#sample(open, this.#daily(30)))
      await office.changeGateAccess(lease, 'suspend', addDays(today, 2))
    const locked = await this.#leases("status != 'Closed' and overlocked = 1")
    for (const lease of this.#sample(locked, this.#daily(30)))
      await office.changeGateAccess(lease, 'lift', addDays(today, 3))
    for (const lease of this.#sample(locked, this.#daily(200))) await office.doFieldJob(lease, 'on')
    const vacatedLeases = await this.#leases(`status = 'Closed' and exists (select 1 from units
      where units.location_code = leases.location_code and units.unit_id = leases.unit_id and units.status <> 'free')`)
    for (const lease of this.#sample(vacatedLeases, this.#daily(600))) await office.doFieldJob(lease, 'verify')
  }

  /**
   * Reserves a unit for a caller on the phone, who then signs and pays by card. One in ten callers only reserves.
   */
  async #moveIn(today: IsoDate) {
    const { services, provider, codes } = this.#world
    const location = this.#sampleOne(codes) ?? ''
    const free = await services.db.read
      .selectFrom('units')
      .select(['unit_id', 'unit_type_id'])
      .where('location_code', '=', location)
      .where('status', '=', 'free')
      .where('unit_type_id', '=', 1)
      .orderBy('unit_id')
      .execute()
    const unit = this.#sampleOne(free)
    if (!unit) return
    this.#callerCount += 1
    const name = { first: 'Mona', last: `Month${this.#callerCount}` }
    const caller = {
      ...name,
      email: `m${this.#callerCount}@example.com`,
      cell_phone: `404555${1000 + (this.#callerCount % 9000)}`,
    }
    if ((await this.#office.holdUnit(location, unit.unit_id, caller, today)) === null) return
    if (this.#chance(0.1)) return
    const reservation = await services.db.read
      .selectFrom('reservations')
      .selectAll()
      .where('location_code', '=', location)
      .where('unit_id', '=', unit.unit_id)
      .where('status', '=', 'active')
      .executeTakeFirstOrThrow()
    const createdDraft = await insertDraft(services.db.write, services, {
      locationCode: location,
      unitTypeId: unit.unit_type_id,
      tenantId: reservation.tenant_id,
      reservationCode: reservation.reservation_code,
      answers: { moveInDate: reservation.required_date },
    })
    const signed = await answerAndSignLease(services, createdDraft.draftId, {
      name: `${name.first} ${name.last}`,
      answers: { insurance: { status: 1, schemeId: 1 }, autopay: this.#chance(0.4), fullDayAccess: false },
    })
    if (!signed.ok) return void this.faults.push(`A lease was not signed: ${signed.why}`)
    const draft = await signed.saveMore({ paymentMethod: 'CC' })
    const quote = await storeQuote(services, draft)
    provider.failureShare = 0.05
    const opened = quote && (await openMoveInPayment(services, draft, { quoteId: quote.quoteId }))
    if (opened?.ok) {
      provider.act(opened.orderId, this.#chance(0.95) ? 'approve' : 'decline')
      await settlePayment(services, opened.orderId)
    }
    provider.failureShare = 0
  }
}

type CentsByKind = Record<string, number>
type Entry = Pick<Selectable<LedgerEntriesTable>, 'kind' | 'cents' | 'order_id'>

/**
 * Finds faults of the simulated month: recomputes its sums from ledger entries, receipts and the card provider's
 * orders.
 */
class Books {
  readonly #world: MonthWorld
  /** Cents of each ledger entry at the beginning, by entry id. */
  #openingEntries = new Map<string, number>()
  /** Balance at the beginning, in cents. */
  #openingBalance = 0

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

  async recordOpening() {
    const entries = await this.#entries()
    this.#openingEntries = new Map(entries.map(({ entry_id, cents }) => [entry_id, cents]))
    this.#openingBalance = entries.reduce((sum, { cents }) => sum + cents, 0)
  }

  /**
   * Returns the ledgers' opening balance, the sum of each kind of entry since then, and the closing balance, in cents.
   */
  async roll(): Promise<CentsByKind> {
    const roll: CentsByKind = { opening: this.#openingBalance }
    const entries = await this.#entries()
    for (const { entry_id, kind, cents } of entries)
      if (!this.#openingEntries.has(entry_id)) roll[kind] = (roll[kind] ?? 0) + cents
    roll.closing = Object.values(roll).reduce((sum, cents) => sum + cents, 0)
    return roll
  }

  /**
   * Checks the office's report of receivables of a span of days against the ledger entries.
   * @returns description of the fault, if any
   */
  async checkReceivablesReport(office: MonthOffice, from: IsoDate, to: IsoDate): Promise<string[]> {
    const at = this.#world.codes.join(',')
    const path = `/office/reports/receivables?at=${at}&from=${formatUs(from)}&to=${formatUs(to)}`
    const { data } = await office.people.owner.get(path)
    const report = data?.shown?.report
    if (!report) return [`There is no report of receivables: ${JSON.stringify(data)}`]
    const figure = (label: string) => report.figures.find((row: { label: string }) => row.label === label)?.value
    const entries = await this.#entries()
    const balanceOn = (until: IsoDate) =>
      entries.reduce((total, entry) => total + (entry.posted_on <= until ? entry.cents : 0), 0)
    const opening = balanceOn(addDays(from, -1))
    const closing = balanceOn(to)
    if (
      report.check.difference === 0 &&
      figure('Owed at the beginning') === opening &&
      figure('Owed at the end') === closing
    )
      return []
    return [`The report says ${JSON.stringify([report.check, report.figures])}, the entries ${opening} and ${closing}`]
  }

  /**
   * Checks balances and drawers against the ledger, and that no entry of the start data has changed.
   * @returns description of each fault
   */
  async findFaults(): Promise<string[]> {
    const faults = (await findBalanceMismatches(this.#world.services.db)).map(
      (mismatch) =>
        `The balance of ${mismatch.locationCode} ${mismatch.leaseNumber} is stored as ${mismatch.stored} and is ${mismatch.sum}`,
    )
    const entries = await this.#entries()
    const { closing } = await this.roll()
    const leaseBalances = await sql<{ sum: number }>`
      select sum(balance) as sum from leases where location_code like 'M%'`.execute(this.#db)
    if (closing !== Number(leaseBalances.rows[0]?.sum))
      faults.push(`The roll closes with ${closing}, the leases owe ${leaseBalances.rows[0]?.sum}`)
    const currentCents = new Map(entries.map(({ entry_id, cents }) => [entry_id, cents]))
    for (const [id, cents] of this.#openingEntries)
      if (currentCents.get(id) !== cents) faults.push(`Entry ${id} was changed`)
    return [...faults, ...(await this.#findDrawerFaults(entries))]
  }

  /**
   * Checks that each drawer is closed and its deposit equals its receipts, and that the ledger holds each valid receipt
   * once and voided or returned ones with sum 0.
   * @returns description of each fault
   */
  async #findDrawerFaults(entries: readonly Entry[]) {
    const faults: string[] = []
    const entriesByOrder = Map.groupBy(entries, ({ order_id }) => order_id)
    const receipts = await this.#db.selectFrom('counter_receipts').selectAll().execute()
    for (const { receipt_id, state, cents } of receipts) {
      const receiptEntries = (entriesByOrder.get(receipt_id) ?? []).filter(
        ({ kind }) => kind === 'payment' || kind === 'reversal',
      )
      const sum = receiptEntries.reduce((total, entry) => total + entry.cents, 0)
      const isValid = ['held', 'deposited', 'matched'].includes(state)
      if (sum !== (isValid ? -cents : 0))
        faults.push(`Receipt ${receipt_id} (${state}) of ${cents} has ${sum} in the ledger`)
    }
    for (const batch of await this.#db.selectFrom('cash_batches').selectAll().execute()) {
      const receivedCents = receipts
        .filter(({ batch_id, state }) => batch_id === batch.batch_id && state !== 'voided')
        .reduce((sum, { cents }) => sum + cents, 0)
      if (batch.state === 'open') faults.push(`Drawer ${batch.batch_id} was left open`)
      // A closed drawer may hold 100 cents more than its receipts if the reason is 'found'.
      else if (
        batch.deposit_cents !== receivedCents &&
        !(batch.deposit_cents === receivedCents + 100 && batch.difference_reason === 'found')
      )
        faults.push(`Drawer ${batch.batch_id} deposits ${batch.deposit_cents} of ${receivedCents}`)
    }
    return faults
  }

  /** Returns the sum of the surpluses of closed lien cases, in cents. They are paid out by check. */
  async #surplusPaid(): Promise<number> {
    const paid = await this.#db
      .selectFrom('lien_cases')
      .select('surplus')
      .where('state', '=', 'closed')
      .where('surplus', '>', 0)
      .execute()
    return paid.reduce((sum, { surplus }) => sum + (surplus ?? 0), 0)
  }

  /**
   * Compares the month's money in the ledger with receipts, refunds, provider and surpluses, and operations with audit
   * events.
   * @returns description of each fault
   */
  async checkMonthEnd(operations: ReadonlyMap<AuditKind, number>): Promise<string[]> {
    const expectedEvents = new Map(operations)
    const faults: string[] = []
    const entries = await this.#entries()
    const money = entries.filter(
      ({ kind, entry_id }) => ['payment', 'refund', 'reversal'].includes(kind) && !this.#openingEntries.has(entry_id),
    )
    const net = -money.reduce((sum, { cents }) => sum + cents, 0)
    const sum = (rows: readonly { cents: number }[]) => rows.reduce((total, row) => total + row.cents, 0)
    const receipts = await this.#db.selectFrom('counter_receipts').select(['cents', 'state']).execute()
    const counterCents = sum(receipts.filter(({ state }) => state !== 'voided' && state !== 'returned'))
    const refunds = await this.#db.selectFrom('refunds').selectAll().execute()
    const unfinishedRefunds = refunds.filter(({ state, way }) => way === 'provider' && state !== 'done')
    if (unfinishedRefunds.length > 0) faults.push(`${unfinishedRefunds.length} refunds were not sent`)
    const byCheck = sum(refunds.filter(({ way }) => way === 'check'))
    const orders = [...this.#world.provider.orders.values()]
    const atProvider = orders.reduce((all, { charged, returned }) => all + charged - returned, 0)
    const surplus = await this.#surplusPaid()
    if (net !== counterCents + atProvider - byCheck - surplus)
      faults.push(
        `The ledger has ${net}; drawers ${counterCents}, provider ${atProvider}, by check ${byCheck}, surplus ${surplus}`,
      )
    const eventRows = await sql<{ kind: AuditKind; count: number }>`
      select kind, count(*) as count from audit_events group by kind`.execute(this.#db)
    const events = new Map(eventRows.rows.map((row) => [row.kind, Number(row.count)]))
    const cases = await this.#db.selectFrom('lien_cases').select(['state', 'surplus']).execute()
    const bySystem = new Map<AuditKind, number>([
      ['lien.stopped', cases.filter(({ state }) => state === 'stopped').length],
      ['lien.sold', cases.filter(({ surplus }) => surplus !== null).length],
    ])
    for (const [kind, times] of bySystem) expectedEvents.set(kind, times)
    for (const kind of new Set([...expectedEvents.keys(), ...events.keys()])) {
      // `MonthOffice` does not count sign-ins, other events of staff accounts, and opened files.
      if (kind.startsWith('staff.') || kind === 'file.opened') continue
      if ((events.get(kind) ?? 0) !== (expectedEvents.get(kind) ?? 0))
        faults.push(`${expectedEvents.get(kind) ?? 0} operations of ${kind}, ${events.get(kind) ?? 0} audit events`)
    }
    return faults
  }
}
