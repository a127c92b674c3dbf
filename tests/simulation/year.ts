/**
 * Simulates a business over days or months: people reserve, rent, pay, change autopay and move out between scheduled
 * work. Each morning charges must equal what was announced before; each evening each stored balance must equal its
 * ledger.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Selectable } from 'kysely'
import { seedDemo } from '../../demo/seed.ts'
import { format } from '../../domain/money.ts'
import { addDays, formatLong, formatUsDay, type IsoDate } from '../../domain/plain-date.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { runBilling } from '../../modules/billing/run-billing.ts'
import { loadFacilityFacts } from '../../modules/facilities/facility-facts-for-pricing.ts'
import { OFFICE_FACILITY_ID } from '../../modules/facilities/rules/operator-office-facility-id.ts'
import { loadSignedLeaseFile } from '../../modules/leases/lease-documents.ts'
import { loadRentedUnits } from '../../modules/leases/views/rented-units-of-tenant.ts'
import { findBalanceMismatches } from '../../modules/ledger/load-and-repair-lease-balance.ts'
import { makeAuctionLink } from '../../modules/links/auction-and-settlement-link-records.ts'
import { recordAuctionRulesAcknowledgment } from '../../modules/links/record-auction-rules-acknowledgment.ts'
import { createMailbox } from '../../modules/messages/development-mailbox.ts'
import { messageJobHandlers } from '../../modules/messages/message-handlers.ts'
import { cancelMoveOut, scheduleMoveOut } from '../../modules/move-outs/schedule-and-cancel-move-out.ts'
import { verifyMoveOut } from '../../modules/move-outs/vacate.ts'
import { runAutopay } from '../../modules/payments/autopay/charge-autopay.ts'
import { followUpRefusals } from '../../modules/payments/autopay/follow-up-refused-autopay.ts'
import { payCheckoutByBank, payMoveInByBank } from '../../modules/payments/bank/bank-debit.ts'
import { expireUnpaidHolds } from '../../modules/payments/expire-unpaid-holds.ts'
import { openCheckout } from '../../modules/payments/open/open-checkout.ts'
import { openLinkPayment } from '../../modules/payments/open/open-link-payment.ts'
import { openMoveInPayment } from '../../modules/payments/open/open-move-in-payment.ts'
import { decryptPlan } from '../../modules/payments/order-terms-encryption.ts'
import type { MoveInPlan } from '../../modules/payments/payers/post-move-in-payment.ts'
import { startCheckout } from '../../modules/payments/price-checkout.ts'
import { processRefunds } from '../../modules/payments/refund-unposted-payments.ts'
import { settlePayment } from '../../modules/payments/settle-payment.ts'
import { reconcilePayments } from '../../modules/payments/settle-pending-payments.ts'
import { loadNextChargeDay } from '../../modules/payments/views/next-charge-day.ts'
import { loadCheckout } from '../../modules/payments/views/own-checkout.ts'
import { reverseReturnedDebits } from '../../modules/refunds/reverse-payments-returned-by-bank.ts'
import { storeQuote } from '../../modules/reservations/draft-quote.ts'
import { SaveReservationDetails_WEB } from '../../modules/reservations/operations/reserve-unit-for-new-tenant.ts'
import { postCharge } from '../../modules/standing/post-entries.ts'
import type { Database } from '../../platform/database/open.ts'
import { JobRunner } from '../../platform/jobs/job-runner.ts'
import { perform } from '../../platform/operations/operation.ts'
import type { LeasesTable } from '../../platform/schema/tables.ts'
import { capturedMail } from '../../ports/mail/captured.ts'
import { seededRandom } from '../../ports/testing-clock-and-random.ts'
import { accountEndings, accountOf, simulatedBank } from '../actors/bank.ts'
import {
  findAutopayViolations,
  findViolations,
  loadAutopayParties,
  recordPaymentStateChanges,
} from '../actors/invariants.ts'
import { simulatedCardProvider } from '../actors/unreliable-simulated-card-provider.ts'
import { choicesOf } from '../support/random-choices.ts'
import { passwords, sealer, servicesOn } from '../support/seeded-demo-operator.ts'
import { visitor } from '../support/small-operator.ts'
import { textOfPdf } from '../support/text-of-pdf.ts'
import { answerAndSignLease } from './answer-and-sign-lease.ts'
import { newAuthorizer, payerBrowser } from './payer-address-and-browser.ts'

export interface Year {
  days: number
  leases: number
  payments: Record<string, number>
  moveIns: number
  moveOuts: number
  /** Number of announced payments and autopay days that were compared with what happened. */
  announced: number
  /** Number of signed leases and consents whose amounts were compared. */
  read: number
  mails: number
  faults: string[]
}

const HOUR = 60 * 60 * 1000

/** Next payment as stated by a unit's page or at the move-in. */
interface Announced {
  on: IsoDate
  cents: number
}

/** Number of leases of tenants without an account that stay open at each facility, which bounds the run's duration. */
const LEASES_KEPT = 18

/**
 * Closes leases of tenants without an account, except for `LEASES_KEPT` at each facility, and takes their units out of
 * service.
 */
async function closeMostLeases(db: Database): Promise<void> {
  const leases = await db.read
    .selectFrom('leases')
    .innerJoin('tenants', (join) =>
      join
        .onRef('tenants.location_code', '=', 'leases.location_code')
        .onRef('tenants.tenant_id', '=', 'leases.tenant_id'),
    )
    .select(['leases.location_code', 'lease_number', 'unit_id', 'account_id'])
    .where('status', '!=', 'Closed')
    .orderBy('lease_number')
    .execute()
  for (const [code, facilityLeases] of Map.groupBy(leases, (lease) => lease.location_code)) {
    const removed = facilityLeases.filter((lease) => lease.account_id === null).slice(LEASES_KEPT)
    for (let from = 0; from < removed.length; from += 200) {
      const batch = removed.slice(from, from + 200)
      await db.write
        .updateTable('leases')
        .set({ status: 'Closed', autopay: 0, autopay_sealed: null, autopay_label: '' })
        .where('location_code', '=', code)
        .where(
          'lease_number',
          'in',
          batch.map((lease) => lease.lease_number),
        )
        .execute()
      await db.write
        .updateTable('units')
        .set({ status: 'off' })
        .where('location_code', '=', code)
        .where(
          'unit_id',
          'in',
          batch.map((lease) => lease.unit_id),
        )
        .execute()
    }
  }
}

/**
 * Runs the simulation.
 * @param begin first day; the business is founded at its noon UTC
 * @param days number of days
 */
export async function simulateYear(db: Database, seed: number, begin: IsoDate, days: number): Promise<Year> {
  const folder = mkdtempSync(join(tmpdir(), 'year-'))
  const random = seededRandom(seed)
  const services = servicesOn(db, folder, { random: seededRandom(seed + 1) })
  const noonOf = (day: IsoDate) => Date.parse(`${day}T12:00:00Z`)
  services.clock.set(noonOf(begin))
  await seedDemo(db, { clock: services.clock, random: seededRandom(seed + 2), hashPassword: passwords.hash, sealer })
  await closeMostLeases(db)
  await recordPaymentStateChanges(db)
  const provider = simulatedCardProvider(random)
  const bank = simulatedBank(random, services.clock)
  Object.assign(services, { cardProvider: provider, bank })
  const initialParties = await loadAutopayParties(services)
  // Violations that the demo data has already are not reported.
  const before = new Set(await findAutopayViolations(services, initialParties))
  const mail = capturedMail({ mailbox: createMailbox(db), files: services.files, clock: services.clock })
  const dead: string[] = []
  const runner = new JobRunner({
    db,
    clock: services.clock,
    handlers: messageJobHandlers(services, { mail, from: 'Storage <desk@storage.example>' }),
    log: { warn: () => {}, error: () => {} },
    onDead: (job, error) => void dead.push(`${job.kind} ${job.once}: ${error}`),
  })
  const { chance, pick } = choicesOf(random)
  const year: Year = {
    days,
    leases: 0,
    payments: {},
    moveIns: 0,
    moveOuts: 0,
    announced: 0,
    read: 0,
    mails: 0,
    faults: [],
  }
  const addFault = (fault: string) =>
    year.faults.push(`${new Date(services.clock.now()).toISOString().slice(0, 16)} ${fault}`)
  const places = await db.read
    .selectFrom('locations')
    .select(['location_code', 'time_zone', 'sboa', 'allow_ach'])
    .where('facility_id', '!=', OFFICE_FACILITY_ID)
    .where('coming_soon', '=', 0)
    .execute()
  const openLeases = () =>
    db.read
      .selectFrom('leases')
      .selectAll()
      .where('status', '!=', 'Closed')
      .orderBy('location_code')
      .orderBy('lease_number')
      .execute()
  const nameOf = (lease: { location_code: string; lease_number: number }) =>
    `${lease.location_code} ${lease.lease_number}`
  /** Next payment that the unit's page stated in the last reading, by lease. */
  const evening = new Map<string, Announced>()
  /** First payment after each move-in by lease, as quoted when the rental was paid, without the card fee. */
  const promised = new Map<string, Announced>()
  /** Announced day of the next autopay attempt, by lease. */
  const tries = new Map<string, IsoDate>()

  let people = 0
  async function moveIn(): Promise<unknown> {
    const place = pick(places)
    const facts = (await loadFacilityFacts(services, [place.location_code])).get(place.location_code)
    if (!facts) return
    const type = pick(facts.unitTypes)
    people += 1
    const reservation = await perform(
      services,
      SaveReservationDetails_WEB,
      {
        location_code: place.location_code,
        unit_type_id: type.unit_type_id,
        rent_now: 1,
        first: 'Yara',
        last: `Year${people}`,
        email: `year${people}@example.com`,
        cell_phone: `404555${String(1000 + people).slice(-4)}`,
        company: '',
        address: '240 Spindle Street',
        city: 'Atlanta',
        state: 'GA',
        zip: '30308',
        active_military: false,
        designated_agent: false,
      },
      visitor(`10.9.${people % 250}.${1 + (people % 99)}`),
    )
    if (!reservation.ok || reservation.value.ErrorMessage !== '' || !reservation.grants?.draftId) return
    const draftId = reservation.grants.draftId
    const buysInsurance = place.sboa === 1 && facts.schemes.length > 0 && chance(0.6)
    const bought = buysInsurance ? { insurance: { status: 1 as const, schemeId: pick(facts.schemes).scheme_id } } : {}
    const own =
      place.sboa === 1 && !buysInsurance
        ? {
            insurance: { status: 2 as const },
            ownInsurance: {
              carrier: 'Acme',
              policy_number: '12345',
              expiration_date: addDays(facts.today, 600),
            },
          }
        : {}
    const byBank = place.allow_ach === 1 && chance(0.4)
    const signed = await answerAndSignLease(services, draftId, {
      name: `Yara Year${people}`,
      answers: { fullDayAccess: chance(0.3), ...bought, ...own, autopay: chance(0.5) },
    })
    if (!signed.ok) return addFault(`A lease at ${place.location_code} was not signed: ${signed.why}`)
    const draft = await signed.saveMore({ paymentMethod: byBank ? 'ACH' : 'CC' })
    const quote = await storeQuote(services, draft)
    if (!quote) return addFault('There is no price')
    if (byBank) {
      const paid = await payMoveInByBank(
        services,
        draft,
        { quoteId: quote.quoteId, account: accountOf(people, '0000'), by: newAuthorizer(random) },
        { pause: async () => {} },
      )
      if (!paid.ok) return addFault(`A move-in was not paid from an account: ${paid.why}`)
    } else {
      const opened = await openMoveInPayment(services, draft, { quoteId: quote.quoteId })
      if (!opened.ok) return addFault(`The card page did not open: ${opened.why}`)
      provider.act(opened.orderId, 'approve')
      await settlePayment(services, opened.orderId)
    }
    const payment = await db.read
      .selectFrom('payments')
      .selectAll()
      .where('draft_id', '=', draftId)
      .where('state', '=', 'posted')
      .executeTakeFirst()
    if (!payment) return
    year.moveIns += 1
    const plan = decryptPlan<MoveInPlan>(services, payment)
    const lease = await db.read
      .selectFrom('leases')
      .selectAll()
      .where('order_id', '=', payment.order_id)
      .executeTakeFirstOrThrow()
    const entries = await db.read
      .selectFrom('ledger_entries')
      .selectAll()
      .where('location_code', '=', lease.location_code)
      .where('lease_number', '=', lease.lease_number)
      .execute()
    const charged = entries.filter((entry) => entry.kind !== 'payment').reduce((sum, entry) => sum + entry.cents, 0)
    const { charges } = plan
    if (charged !== payment.amount || payment.amount !== charges.dueToday)
      addFault(`${nameOf(lease)}: quoted ${charges.dueToday}, booked ${charged}, paid ${payment.amount}`)
    promised.set(nameOf(lease), { on: charges.nextBilling, cents: charges.thenPerPeriod - charges.cardFeeEach })
    // The signed lease must state the charged amounts.
    const file = await loadSignedLeaseFile(services, lease.document_id ?? '', draftId)
    if (!file) return addFault(`${nameOf(lease)}: there is no signed lease`)
    const words = textOfPdf(file).pages.join('\n').replace(/\s+/g, ' ')
    // The lease is signed before the renter chooses a payment method, so its lines assume a card. For a bank account
    // the lease states only the sum due today and that of a later period.
    const sums = [charges.dueToday, charges.thenPerPeriod, ...(byBank ? [] : charges.lines.map((line) => line.cents))]
    for (const sum of sums.filter((cents) => cents > 0))
      if (!words.includes(format(sum))) addFault(`${nameOf(lease)}: the signed lease does not say ${format(sum)}`)
    if (!words.includes(formatLong(charges.nextBilling)))
      addFault(`${nameOf(lease)}: the signed lease does not say ${formatLong(charges.nextBilling)}`)
    year.read += 1
  }

  async function pay(terms: { pays: 'dues' | 'prepay' | 'autopay'; autopay: boolean }): Promise<unknown> {
    const leases = await openLeases()
    const owing = terms.pays === 'dues' ? leases.filter((lease) => lease.balance > 0) : leases
    if (owing.length === 0) return
    const lease = pick(owing)
    const started = await startCheckout(services, {
      payer: terms.pays === 'autopay' || chance(0.7) ? 'tenant' : 'guest',
      locationCode: lease.location_code,
      tenantId: lease.tenant_id,
      leaseNumber: lease.lease_number,
      periods: pick([1, 1, 2, 3]),
      ...terms,
    })
    if (!started.ok) return
    const checkout = await loadCheckout(services, started.checkoutId)
    if (!checkout) return
    if (checkout.allowAch && chance(0.5)) {
      await payCheckoutByBank(
        services,
        checkout,
        { account: accountOf(lease.tenant_id, pick(accountEndings)), by: newAuthorizer(random) },
        { pause: async () => {} },
      )
    } else {
      const opened = await openCheckout(services, checkout, payerBrowser)
      if (!opened.ok) return
      provider.act(opened.orderId, chance(0.85) ? 'approve' : 'decline')
      await settlePayment(services, opened.orderId)
    }
  }

  async function addCredit(): Promise<void> {
    const lease = pick(await openLeases())
    people += 1
    await services.db.transaction((tx) =>
      postCharge(tx, services, {
        locationCode: lease.location_code,
        leaseNumber: lease.lease_number,
        kind: 'credit',
        cents: -random.integer(1, 300_00),
        description: 'Goodwill',
        once: `goodwill:${people}`,
      }),
    )
  }

  async function scheduleOrCancelMoveOut(): Promise<unknown> {
    const lease = pick(await openLeases())
    const key = { locationCode: lease.location_code, leaseNumber: lease.lease_number }
    if (chance(0.2)) return cancelMoveOut(services, key, { restore: true })
    const today = todayIn(
      places.find((place) => place.location_code === lease.location_code)?.time_zone ?? 'UTC',
      services.clock.now(),
    )
    // Tomorrow, in 11 days, on the last paid day, or the day after it.
    const date = pick([addDays(today, 1), addDays(today, 11), lease.paid_through, addDays(lease.paid_through, 1)])
    if (date <= today || date > addDays(today, 60)) return
    const moveOut = await scheduleMoveOut(services, {
      ...key,
      date,
      vacateReasonId: 1,
      customNote: '',
      feedback: null,
      note: '',
      mail: true,
    })
    if (moveOut.ok) year.moveOuts += 1
  }

  async function payAuction(): Promise<void> {
    const lease = (await openLeases()).find(
      (openLease) => openLease.status === 'Auction' && openLease.scheduled_move_out === null,
    )
    if (!lease) return
    const link = await makeAuctionLink(services, {
      locationCode: lease.location_code,
      unitNumber: lease.unit_number,
      name: 'Win Ner',
      email: 'win@example.com',
      city: 'Atlanta',
      zip: '30308',
      cents: random.integer(1, 500_00),
    })
    if (!link.ok) return
    await recordAuctionRulesAcknowledgment(services, link.uuid, { address: '', agent: '' })
    const opened = await openLinkPayment(services, 'auction', link.uuid)
    if (!opened.ok) return
    provider.act(opened.orderId, 'approve')
    await settlePayment(services, opened.orderId)
  }

  /**
   * Checks that the page still states the next autopay charge to which the tenant agreed, unless ledger entries were
   * posted since the consent.
   */
  async function checkConsent(lease: Selectable<LeasesTable>, next: Announced): Promise<void> {
    const agreed = /next (\$[\d,.]+\d) on (\w+, [\d/]+)/.exec(lease.autopay_consent_text ?? '')
    if (!agreed || lease.autopay === 0) return
    const since = await db.read
      .selectFrom('ledger_entries')
      .select('entry_id')
      .where('location_code', '=', lease.location_code)
      .where('lease_number', '=', lease.lease_number)
      .where('created_at', '>', lease.autopay_consent_at ?? 0)
      .executeTakeFirst()
    if (since) return
    year.read += 1
    if (agreed[1] !== format(next.cents) || agreed[2] !== formatUsDay(next.on))
      addFault(`${nameOf(lease)}: agreed to '${agreed[0]}', and the page says ${format(next.cents)} on ${next.on}`)
  }

  async function readPages(): Promise<void> {
    evening.clear()
    tries.clear()
    const leases = await openLeases()
    const facts = await loadFacilityFacts(
      services,
      places.map((place) => place.location_code),
    )
    for (const [tenant, tenantLeases] of Map.groupBy(leases, (lease) => `${lease.location_code}:${lease.tenant_id}`)) {
      const [locationCode, tenantId] = tenant.split(':') as [string, string]
      const facility = facts.get(locationCode)
      if (!facility) continue
      const overview = await loadRentedUnits(services, facility, { locationCode, tenantId: Number(tenantId) })
      for (const unit of overview.units) {
        const lease = tenantLeases.find((tenantLease) => tenantLease.lease_number === unit.leaseNumber)
        if (!lease || lease.scheduled_move_out !== null) continue
        if (unit.balance <= 0) {
          evening.set(nameOf(lease), unit.next)
          await checkConsent(lease, unit.next)
          if (unit.next.on <= facility.today && unit.next.cents > 0)
            addFault(
              `${nameOf(lease)} owes nothing and is told that ${unit.next.cents} is due on ${unit.next.on}, which is past`,
            )
        } else if (lease.autopay === 1 && lease.auction_prepped === 0) {
          const on = await loadNextChargeDay(services, facility.location.time_zone, lease)
          if (on !== null) tries.set(nameOf(lease), on)
        }
      }
    }
  }

  async function billAndCompare(): Promise<void> {
    await runBilling(services)
    for (const lease of await openLeases()) {
      const zone = places.find((place) => place.location_code === lease.location_code)?.time_zone
      if (!zone) continue
      const today = todayIn(zone, services.clock.now())
      const stated = evening.get(nameOf(lease))
      if (stated && stated.on <= today) {
        year.announced += 1
        if (lease.balance !== stated.cents)
          addFault(`${nameOf(lease)}: the page said ${stated.cents} on ${stated.on}, and ${lease.balance} is owed`)
      } else if (stated && lease.balance > 0)
        addFault(`${nameOf(lease)}: the page said ${stated.cents} on ${stated.on}, and ${lease.balance} is owed today`)
      const first = promised.get(nameOf(lease))
      if (first && first.on <= today) {
        promised.delete(nameOf(lease))
        const rows = await db.read
          .selectFrom('ledger_entries')
          .select(['cents'])
          .where('location_code', '=', lease.location_code)
          .where('lease_number', '=', lease.lease_number)
          .where('period_start', '=', first.on)
          .where('kind', '!=', 'payment')
          .execute()
        const sum = rows.reduce((total, row) => total + row.cents, 0)
        year.announced += 1
        if (rows.length > 0 && sum !== first.cents)
          addFault(`${nameOf(lease)}: at the move-in ${first.cents} was named for ${first.on}, and ${sum} was charged`)
        if (rows.length === 0 && lease.scheduled_move_out === null)
          addFault(`${nameOf(lease)}: at the move-in ${first.cents} was named for ${first.on}, and nothing was charged`)
      }
    }
    await runner.runDue()
    const began = services.clock.now()
    const before = new Map((await openLeases()).map((lease) => [nameOf(lease), lease]))
    await runAutopay(services)
    const tried = new Set(
      (
        await db.read
          .selectFrom('payments')
          .select(['location_code', 'lease_number', 'amount'])
          .where('payer', '=', 'autopay')
          .where('created_at', '>=', began)
          .execute()
      ).map((payment) => {
        const name = `${payment.location_code} ${payment.lease_number}`
        const lease = before.get(name)
        if (lease && payment.amount !== lease.balance)
          addFault(`${nameOf(lease)}: autopay took ${payment.amount} where ${lease.balance} is owed`)
        return name
      }),
    )
    for (const [lease, on] of [...tries, ...[...evening].map(([lease, stated]) => [lease, stated.on] as const)]) {
      const row = before.get(lease)
      if (!row || row.autopay === 0 || row.balance <= 0 || row.auction_prepped === 1) continue
      const today = todayIn(
        places.find((place) => place.location_code === row.location_code)?.time_zone ?? 'UTC',
        services.clock.now(),
      )
      const isDue = on <= today
      // Autopay does not charge a lease that is more than 70 days past due.
      if (row.paid_through < addDays(today, -70)) continue
      year.announced += 1
      if (isDue !== tried.has(lease))
        addFault(
          `${lease}: autopay was announced for ${on}, and ${tried.has(lease) ? 'tried' : 'did not try'} on ${today}`,
        )
    }
  }

  async function night(): Promise<void> {
    for (let round = 0; round < 2; round += 1) {
      await reconcilePayments(services)
      await reverseReturnedDebits(services)
      await followUpRefusals(services)
      await processRefunds(services)
      await expireUnpaidHolds(services)
    }
    await runner.runDue()
  }

  for (let day = 0; day < days; day += 1) {
    const date = addDays(begin, day)
    // Around these hours (UTC), midnight and daylight saving changes pass from the eastern to the western facilities.
    for (const hour of [6, 8, 11]) {
      services.clock.set(noonOf(date) + (hour - 12) * HOUR)
      if (day > 0) await billAndCompare()
      // Pages are read again, because facilities further west may not have reached midnight yet.
      await readPages()
    }
    services.clock.set(noonOf(date) + 6 * HOUR)
    await night()
    for (let act = random.integer(2, 7); act > 0; act -= 1) {
      services.clock.advance(10 * 60_000)
      await pick([
        moveIn,
        moveIn,
        addCredit,
        scheduleOrCancelMoveOut,
        payAuction,
        () => pay({ pays: 'dues', autopay: chance(0.5) }),
        () => pay({ pays: 'dues', autopay: chance(0.5) }),
        () => pay({ pays: 'dues', autopay: false }),
        () => pay({ pays: 'prepay', autopay: chance(0.5) }),
        () => pay({ pays: 'autopay', autopay: true }),
      ])()
    }
    for (const lease of await db.read
      .selectFrom('leases')
      .select(['location_code', 'lease_number'])
      .where('status', '=', 'Closed')
      .where('closed_on', 'is not', null)
      .execute())
      if (chance(0.2))
        await verifyMoveOut(db.write, { locationCode: lease.location_code, leaseNumber: lease.lease_number })
    await night()
    services.clock.set(noonOf(date) + 15 * HOUR)
    await night()
    for (const mismatch of await findBalanceMismatches(db))
      addFault(
        `The balance of ${mismatch.locationCode} ${mismatch.leaseNumber} is stored as ${mismatch.stored} and is ${mismatch.sum}`,
      )
    await readPages()
    if (year.faults.length > 40) break
  }
  for (let round = 0; round < 30; round += 1) {
    services.clock.advance(6 * HOUR)
    await night()
  }
  year.faults.push(
    ...(await findViolations({ services, provider, bank })),
    ...(await findAutopayViolations(services, initialParties)).filter((fault) => !before.has(fault)),
    ...dead,
  )
  year.faults.push(...services.reported.map((error) => `Reported: ${error}`))
  const states = await db.read
    .selectFrom('payments')
    .select(['payer', 'method', 'state'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy(['payer', 'method', 'state'])
    .execute()
  for (const state of states) year.payments[`${state.payer} ${state.method} ${state.state}`] = Number(state.count)
  year.leases = (await db.read.selectFrom('leases').select('lease_number').execute()).length
  year.mails = (await db.read.selectFrom('mailbox').select('message_id').execute()).length
  rmSync(folder, { recursive: true, force: true })
  return year
}
