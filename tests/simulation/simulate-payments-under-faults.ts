/**
 * Simulates payments under faults: lost requests and responses, crashes at commits and responses, concurrent tabs,
 * clock jumps, doubled messages, returned debits, refused refunds. Afterwards the site's records must match provider
 * and bank to the cent.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays } from '../../domain/plain-date.ts'
import { runBilling } from '../../modules/billing/run-billing.ts'
import { loadFacilityFacts } from '../../modules/facilities/facility-facts-for-pricing.ts'
import { clearAutopay } from '../../modules/leases/autopay-mandate.ts'
import {
  type LinkKind,
  makeAuctionLink,
  makeSettlementLink,
} from '../../modules/links/auction-and-settlement-link-records.ts'
import { recordAuctionRulesAcknowledgment } from '../../modules/links/record-auction-rules-acknowledgment.ts'
import { cancelMoveOut, scheduleMoveOut } from '../../modules/move-outs/schedule-and-cancel-move-out.ts'
import { runAutopay } from '../../modules/payments/autopay/charge-autopay.ts'
import { followUpRefusals } from '../../modules/payments/autopay/follow-up-refused-autopay.ts'
import { payCheckoutByBank, payMoveInByBank } from '../../modules/payments/bank/bank-debit.ts'
import { expireUnpaidHolds } from '../../modules/payments/expire-unpaid-holds.ts'
import { openCheckout } from '../../modules/payments/open/open-checkout.ts'
import { openLinkPayment } from '../../modules/payments/open/open-link-payment.ts'
import {
  decideReview,
  loadPaymentsInReview,
  loadUnfinishedRefunds,
  retryRefund,
} from '../../modules/payments/payment-reviews-and-failed-refunds.ts'
import { splitPaymentByLease } from '../../modules/payments/payment-shares-by-lease.ts'
import { startCheckout } from '../../modules/payments/price-checkout.ts'
import { processRefunds } from '../../modules/payments/refund-unposted-payments.ts'
import type { Checkout } from '../../modules/payments/rules/checkout-terms.ts'
import { settlePayment } from '../../modules/payments/settle-payment.ts'
import { reconcilePayments } from '../../modules/payments/settle-pending-payments.ts'
import { agreeAndOpen, readyToPay, saveTestAnswers } from '../../modules/payments/testing-rent-until-card-page.ts'
import { loadCheckout } from '../../modules/payments/views/own-checkout.ts'
import { RefundPayment } from '../../modules/refunds/operations/refund-payment.ts'
import { reverseReturnedDebits } from '../../modules/refunds/reverse-payments-returned-by-bank.ts'
import { MAX_REFUND_ATTEMPTS } from '../../modules/refunds/rules/max-refund-attempts.ts'
import { recordRefundPaidByHand, reopenRefund, sendRefund } from '../../modules/refunds/send-refunds.ts'
import { storeQuote } from '../../modules/reservations/draft-quote.ts'
import type { Answers } from '../../modules/reservations/rules/journey/journey-answers.ts'
import { unitsNotAvailable } from '../../modules/reservations/texts/reserve.ts'
import { loadNewestEntry } from '../../modules/standing/add-staff-ledger-entries.ts'
import { postCharge } from '../../modules/standing/post-entries.ts'
import { exportFolder } from '../../operator/export-importable-business-files.ts'
import { importFolder } from '../../operator/import/import-business.ts'
import type { Database } from '../../platform/database/open.ts'
import { JobRunner } from '../../platform/jobs/job-runner.ts'
import { perform } from '../../platform/operations/operation.ts'
import { seededRandom } from '../../ports/testing-clock-and-random.ts'
import { accountEndings, accountOf } from '../actors/bank.ts'
import { findAutopayViolations, findViolations } from '../actors/invariants.ts'
import type { PayerAct } from '../actors/unreliable-simulated-card-provider.ts'
import { observeServices } from '../support/fault-points.ts'
import { choicesOf } from '../support/random-choices.ts'
import { contact } from '../support/small-operator.ts'
import { addStaffCaller } from '../support/staff.ts'
import { newAuthorizer, payerBrowser } from './payer-address-and-browser.ts'
import { openWorld } from './world.ts'

class Killed extends Error {}

export interface Report {
  seed: number
  payments: number
  /** Number of payments by payer, method and state, such as 'tenant ACH posted'. */
  byKind: Record<string, number>
  /** Number of days that were billed. */
  days: number
  /** Number of refunds of posted payments, by way and state, such as 'provider done'. */
  refunds: Record<string, number>
  /** Number of refunded shares of payments for several units. */
  sharesBack: number
  /** Number of simulated crashes. */
  kills: number
  faults: string[]
}

/** Number of actions, such as payments and refunds, that the simulation runs concurrently. */
const CONCURRENCY = 4
const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/**
 * Runs the simulation.
 * @param mayContinue called before each round with the number of payments; returns whether to run the round
 */
export async function simulate(
  db: Database,
  seed: number,
  mayContinue: (payments: number) => boolean,
): Promise<Report> {
  const world = await openWorld(db, seed)
  const { services, provider, bank } = world
  const random = seededRandom(seed * 7919 + 1)
  const { chance, pick } = choicesOf(random)
  let kills = 0
  /**
   * Services of the simulation whose process dies now and then: before or after a commit, or after a response of the
   * card provider or the bank.
   */
  const dying = observeServices(services, ({ at }) => {
    if (at === 'written' || !chance(0.03)) return
    kills += 1
    throw new Killed()
  })
  const nullIfKilled = async <T>(work: Promise<T>): Promise<T | null> =>
    work.catch((error: unknown) => {
      if (error instanceof Killed) return null
      throw error
    })
  const together = <T>(work: () => Promise<T>, times = pick([1, 1, 1, 2, 3])) =>
    Promise.all(Array.from({ length: times }, () => nullIfKilled(work())))
  const acts: readonly PayerAct[] = [
    ...Array<PayerAct>(12).fill('approve'),
    'decline',
    'decline',
    'cancel',
    'leave',
    'approve another amount',
  ]

  async function pay(open: () => Promise<{ ok: boolean; orderId?: string }>): Promise<void> {
    const tabs = await together(open)
    const orders = new Set(tabs.flatMap((tab) => (tab?.ok && tab.orderId ? [tab.orderId] : [])))
    for (const orderId of orders) provider.act(orderId, pick(acts))
    const returns = [...orders].flatMap((orderId) => Array<string>(pick([0, 1, 1, 1, 2, 4])).fill(orderId))
    await Promise.all(returns.map((orderId) => nullIfKilled(settlePayment(dying, orderId))))
  }

  const bankOptions = { pause: async () => {} }
  const anyAccount = (holder: number) => accountOf(holder, pick(accountEndings))
  const loadFacility = async () => {
    const facility = (await loadFacilityFacts(services, ['GA1'])).get('GA1')
    if (!facility) throw new Error('There is no facility GA1')
    return facility
  }
  const finance = await addStaffCaller(services, 'finance')
  const refundRunner = new JobRunner({
    db: services.db,
    clock: services.clock,
    log: { warn() {}, error() {} },
    onDead() {},
    handlers: { send_refund: sendRefund(services) },
  })
  let renters = 0
  const renter = () => {
    renters += 1
    return { ...contact, email: `sim${renters}x${random.integer(0, 1e9)}@example.com` }
  }

  /** Returns a renter's draft that is ready to pay; null when no unit is free. */
  const rentUnit = (answers: Partial<Answers> = {}) =>
    readyToPay(services, { who: renter(), answers }).catch((error: unknown) => {
      if (error instanceof Error && error.message === unitsNotAvailable) return null
      throw error
    })

  async function rentByCard() {
    const draft = await rentUnit()
    if (!draft) return
    for (let turn = pick([1, 1, 2]); turn > 0; turn -= 1) await pay(() => agreeAndOpen(dying, draft))
  }
  async function rentByBank() {
    const draft = await rentUnit({ autopay: chance(0.4) })
    if (!draft) return
    const byBank = await saveTestAnswers(services, draft, { paymentMethod: 'ACH' })
    for (let turn = pick([1, 1, 2]); turn > 0; turn -= 1) {
      const account = anyAccount(random.integer(100, 10_000))
      const debit = { account, by: newAuthorizer(random) }
      await together(async () => {
        const quote = await storeQuote(services, byBank)
        return payMoveInByBank(dying, byBank, { ...debit, quoteId: quote?.quoteId ?? '' }, bankOptions)
      })
    }
  }
  /** Pays what a lease owes, or ahead; with `method` null by card, by bank and by autopay concurrently. */
  async function payForLease(method: 'CC' | 'ACH' | null, payingTenant?: number) {
    const { tenantId, leaseNumber } = pick(
      world.tenants.filter((tenant) => payingTenant === undefined || tenant.tenantId === payingTenant),
    )
    const begin = async () => {
      const started = await startCheckout(services, {
        payer: pick(['tenant', 'guest'] as const),
        locationCode: 'GA1',
        tenantId,
        leaseNumber,
        pays: pick(['dues', 'dues', 'prepay'] as const),
        periods: pick([1, 1, 2, 3]),
        autopay: chance(0.5),
      })
      return started.ok ? loadCheckout(services, started.checkoutId) : null
    }
    const first = await begin()
    const second = method ? null : await begin()
    const byCard = (checkout: typeof first) => checkout && pay(() => openCheckout(dying, checkout, payerBrowser))
    const byBank = (checkout: typeof first) => {
      const debit = { account: anyAccount(tenantId), by: newAuthorizer(random) }
      return checkout && together(() => payCheckoutByBank(dying, checkout, debit, bankOptions))
    }
    if (method === 'CC') await byCard(first)
    else if (method === 'ACH') await byBank(first)
    else await Promise.all([byCard(first), byBank(second), nullIfKilled(runAutopay(dying))])
  }
  /**
   * Pays for some units of a tenant at once; with `method` null by card and by bank concurrently, while one of the
   * tenant's leases is also paid alone.
   */
  async function payForSeveral(method: 'CC' | 'ACH' | null) {
    const { tenantId } = pick(world.tenants)
    const tenantLeases = world.tenants
      .filter((tenant) => tenant.tenantId === tenantId)
      .map((tenant) => tenant.leaseNumber)
    const begin = async () => {
      const owing = await services.db.read
        .selectFrom('leases')
        .select('lease_number')
        .where('location_code', '=', 'GA1')
        .where('lease_number', 'in', tenantLeases)
        .where('balance', '>', 0)
        .orderBy('lease_number')
        .execute()
      // These are mostly leases with a balance due, because one without makes the whole payment fail.
      const leaseNumbers = (chance(0.9) ? owing.map((lease) => lease.lease_number) : tenantLeases).filter(() =>
        chance(0.8),
      )
      const [leaseNumber] = leaseNumbers
      if (leaseNumber === undefined) return null
      const started = await startCheckout(services, {
        payer: 'units',
        locationCode: 'GA1',
        tenantId,
        leaseNumber,
        leaseNumbers,
        pays: 'dues',
        periods: 1,
        autopay: false,
      })
      return started.ok ? loadCheckout(services, started.checkoutId) : null
    }
    const byCard = (checkout: Checkout | null) => checkout && pay(() => openCheckout(dying, checkout, payerBrowser))
    const byBank = (checkout: Checkout | null) => {
      const debit = { account: anyAccount(tenantId), by: newAuthorizer(random) }
      return checkout && together(() => payCheckoutByBank(dying, checkout, debit, bankOptions))
    }
    if (method === 'CC') await byCard(await begin())
    else if (method === 'ACH') await byBank(await begin())
    else {
      const first = await begin()
      const second = await begin()
      await Promise.all([byCard(first), byBank(second), payForLease(pick(['CC', 'ACH']), tenantId)])
    }
  }
  async function changeAutopay() {
    const { tenantId, leaseNumber } = pick(world.tenants)
    const begin = async () => {
      const started = await startCheckout(services, {
        payer: 'tenant',
        locationCode: 'GA1',
        tenantId,
        leaseNumber,
        pays: 'autopay',
        periods: 1,
        autopay: true,
      })
      return started.ok ? loadCheckout(services, started.checkoutId) : null
    }
    const first = await begin()
    const second = await begin()
    if (!first || !second) return
    const byCard = (checkout: Checkout) => pay(() => openCheckout(dying, checkout, payerBrowser))
    const byBank = (checkout: Checkout) => {
      const debit = { account: anyAccount(tenantId), by: newAuthorizer(random) }
      return together(() => payCheckoutByBank(dying, checkout, debit, bankOptions))
    }
    const way = pick(['card', 'bank', 'both', 'and dues'] as const)
    if (way === 'card') await byCard(first)
    else if (way === 'bank') await byBank(first)
    else if (way === 'both') await Promise.all([byCard(first), byBank(second), changeLease()])
    else await Promise.all([byCard(first), payForLease(pick(['CC', 'ACH']))])
  }
  async function payByLink() {
    const kind: LinkKind = pick(['auction', 'settlement'])
    const { unitNumber } = pick(world.tenants)
    const link =
      kind === 'auction'
        ? await makeAuctionLink(services, {
            locationCode: 'GA1',
            unitNumber,
            name: 'Win Ner',
            email: 'win@example.com',
            city: 'Atlanta',
            zip: '30308',
            cents: random.integer(1, 500_00),
          })
        : await makeSettlementLink(services, { locationCode: 'GA1', unitNumber, cents: random.integer(1, 151_37) })
    if (link.ok && kind === 'auction')
      await recordAuctionRulesAcknowledgment(services, link.uuid, { address: '', agent: '' })
    if (link.ok) await pay(() => openLinkPayment(dying, kind, link.uuid))
  }
  async function chargeAutopay() {
    await together(() => runAutopay(dying), pick([1, 2]))
    await together(() => followUpRefusals(services), pick([1, 2]))
  }
  async function changeLease() {
    const { leaseNumber } = pick(world.tenants)
    const lease = { locationCode: 'GA1', leaseNumber }
    const change = pick(['off', 'off', 'out', 'back', 'back'] as const)
    if (change === 'off')
      await services.db.transaction((tx) =>
        clearAutopay(tx, services, { location_code: 'GA1', lease_number: leaseNumber }),
      )
    else if (change === 'back') await cancelMoveOut(services, lease, { restore: true })
    else
      await nullIfKilled(
        scheduleMoveOut(dying, {
          ...lease,
          date: addDays((await loadFacility()).today, pick([1, 10, 40])),
          vacateReasonId: 1,
          customNote: '',
          feedback: null,
          note: '',
          mail: true,
        }),
      )
  }
  async function passTime() {
    services.clock.advance(pick([20_000, 10 * 60_000, HOUR, 3 * HOUR, 26 * HOUR, 3 * DAY, 5 * DAY]))
    await expireUnpaidHolds(services)
    await together(() => runBilling(dying), pick([1, 2]))
  }
  async function completeOrders() {
    await together(() => reconcilePayments(services), pick([1, 2]))
    if (chance(0.5)) await nullIfKilled(processRefunds(services))
    if (chance(0.5)) await together(() => reverseReturnedDebits(services), pick([1, 2]))
  }
  async function repeatOldMessage() {
    const orderId = pick([...provider.orders.keys(), ...bank.debits.keys(), 'LKNOSUCHORDERATALL000000'])
    await nullIfKilled(settlePayment(dying, orderId))
  }
  async function decideReviewedPayment() {
    const waiting = await loadPaymentsInReview(services)
    if (waiting.length === 0) return
    const { order_id } = pick(waiting)
    await together(() => decideReview(services, order_id, pick(['post', 'refund'])), pick([1, 2]))
  }
  /**
   * Refunds a payment, or one lease's share of a payment for several units, sometimes by two requests at once: all of
   * it, or by check a random amount, which may be up to a dollar too much.
   */
  async function refundPostedPayment() {
    const posted = await services.db.read
      .selectFrom('payments')
      .selectAll()
      .where('state', '=', 'posted')
      .where('amount', '>', 0)
      .orderBy('order_id')
      .execute()
    if (posted.length === 0) return
    const order = pick(posted)
    const { order_id, lease_number, amount } = pick(await splitPaymentByLease(services.db.read, order))
    const lease = await services.db.read
      .selectFrom('leases')
      .select(['location_code', 'lease_number', 'tenant_id', 'balance'])
      .where('location_code', '=', 'GA1')
      .where('lease_number', '=', lease_number as number)
      .executeTakeFirstOrThrow()
    const newest = await loadNewestEntry(services.db.read, lease)
    const whole = chance(0.6)
    await together(
      () =>
        perform(
          services,
          RefundPayment,
          {
            ...lease,
            newest_entry: newest?.entry_id ?? '',
            act_id: services.random.uuid(),
            note: '',
            order_id,
            cents: whole ? amount : random.integer(1, amount + 100),
            way: whole && order.lease_number !== null ? 'provider' : 'check',
            afterwards: pick(['owed', 'forgiven']),
            reason: 'charged-twice',
          },
          finance,
        ),
      pick([1, 2]),
    )
  }
  /** Runs the due jobs that send refunds, then records some of those that have to be paid by hand as paid by check. */
  async function sendDueRefunds() {
    await nullIfKilled(refundRunner.runDue())
    for (const { refund_id } of await loadRefundsIn('by_hand'))
      if (chance(0.3))
        await services.db.transaction((tx) =>
          recordRefundPaidByHand(tx, services, refund_id, { how: 'check 1042', staffId: finance.staff.staffId }),
        )
  }
  const loadRefundsIn = (state: 'by_hand' | 'failed') =>
    services.db.read.selectFrom('refunds').select('refund_id').where('state', '=', state).execute()
  /**
   * Makes card provider and bank refuse a random share of the open refunds of payments that could not be posted, until
   * the simulation ends the refusals.
   */
  async function refuseSomeRefunds() {
    for (const { order_id } of await loadUnfinishedRefunds(services, 'open'))
      if (chance(0.2)) for (const partner of [provider, bank]) partner.refusedRefunds.add(order_id)
  }
  /** Folder of the last export; null before the first. Importing it must keep changes made since the export. */
  let files: string | null = null
  let importing = false
  async function importBusiness() {
    // On SQLite an import attaches its staging database to the connection, which cannot run two imports at once.
    if (importing) return
    importing = true
    await exportOrImport().finally(() => {
      importing = false
    })
  }
  async function exportOrImport() {
    if (files === null || chance(0.3)) {
      const folder = join(mkdtempSync(join(tmpdir(), 'simulation-')), 'business')
      const written = await exportFolder(services.db, folder)
      if (!written.ok) throw new Error(written.why)
      // The office and a facility of this business have the same address, which an import refuses.
      rmSync(join(folder, 'facilities.csv'))
      files = folder
      return
    }
    await importFolder(services, files).catch((error: unknown) => {
      if (!(error instanceof Error && error.message.includes('changed since'))) throw error
    })
  }
  const actions: (() => Promise<unknown>)[] = [
    importBusiness,
    rentByCard,
    rentByBank,
    payByLink,
    changeAutopay,
    changeAutopay,
    changeLease,
    chargeAutopay,
    chargeAutopay,
    passTime,
    completeOrders,
    repeatOldMessage,
    decideReviewedPayment,
    refuseSomeRefunds,
    refundPostedPayment,
    refundPostedPayment,
    sendDueRefunds,
    ...(['CC', 'CC', 'CC', 'ACH', 'ACH', 'ACH', null, null] as const).map((method) => () => payForLease(method)),
    ...(['CC', 'CC', 'ACH', 'ACH', null] as const).map((method) => () => payForSeveral(method)),
  ]

  const countPayments = async () => {
    const row = await services.db.read
      .selectFrom('payments')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(row.count)
  }
  const setFailureShare = (share: number) => {
    provider.failureShare = share
    bank.failureShare = share
  }
  let charges = 0
  setFailureShare(0.12)
  while (mayContinue(await countPayments())) {
    await Promise.all(Array.from({ length: CONCURRENCY }, () => pick(actions)()))
    if (chance(0.3)) {
      charges += 1
      const fee = { kind: 'fee' as const, cents: random.integer(1, 300_00), description: 'Fee' }
      const once = `simulation:${charges}`
      const { leaseNumber } = pick(world.tenants)
      await services.db.transaction((tx) =>
        postCharge(tx, services, { locationCode: 'GA1', leaseNumber, once, ...fee }),
      )
    }
  }

  setFailureShare(0)
  const drain = async (rounds: number, step: number) => {
    for (let round = 0; round < rounds; round += 1) {
      services.clock.advance(step)
      await reconcilePayments(services)
      await reverseReturnedDebits(services)
      await followUpRefusals(services)
      await processRefunds(services)
      await refundRunner.runDue()
    }
  }
  await drain(40, 2 * HOUR)
  // Long enough for permanently refused refunds to fail.
  await drain(MAX_REFUND_ATTEMPTS + 4, DAY)
  const faults = (await findViolations(world)).map((fault) => `before the refunds were put right: ${fault}`)
  for (const partner of [provider, bank]) partner.refusedRefunds.clear()
  for (const { order_id } of await loadUnfinishedRefunds(services, 'failed')) await retryRefund(services, order_id)
  for (const { refund_id } of await loadRefundsIn('failed'))
    await services.db.transaction((tx) => reopenRefund(tx, services, refund_id, finance.staff.staffId))
  await drain(2, HOUR)
  faults.push(...(await findViolations(world)), ...(await findAutopayViolations(services)))
  if ((await loadUnfinishedRefunds(services)).length > 0) faults.push('I2: a refund that could be made was not')
  const states = await services.db.read
    .selectFrom('payments')
    .select(['payer', 'method', 'state'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy(['payer', 'method', 'state'])
    .orderBy('payer')
    .orderBy('method')
    .orderBy('state')
    .execute()
  const refunds = await services.db.read
    .selectFrom('refunds')
    .select(['way', 'state'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy(['way', 'state'])
    .execute()
  const back = await services.db.read
    .selectFrom('payment_shares')
    .select('order_id')
    .where('refunded_cents', '>', 0)
    .execute()
  const days = await services.db.read.selectFrom('billing_runs').select('run_date').distinct().execute()
  return {
    seed,
    payments: await countPayments(),
    byKind: Object.fromEntries(
      states.map((state) => [`${state.payer} ${state.method} ${state.state}`, Number(state.count)]),
    ),
    days: days.length,
    refunds: Object.fromEntries(refunds.map((refund) => [`${refund.way} ${refund.state}`, Number(refund.count)])),
    sharesBack: back.length,
    kills,
    faults,
  }
}
