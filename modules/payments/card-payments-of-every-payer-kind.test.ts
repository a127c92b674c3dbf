import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addDays } from '../../domain/plain-date.ts'
import {
  cardProcessingFee,
  duesFirst,
  invalidLeaseSession,
  paymentAlreadyProcessed,
} from '../../domain/texts/payment.ts'
import type { Transaction } from '../../platform/database/open.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { perform } from '../../platform/operations/operation.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { cancelAtHostedPage, payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { TEST_CARDS, type TestCardName } from '../../sandbox/test-cards.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { asAda, asCy, today, visitor, withDraft } from '../../tests/support/small-operator.ts'
import { sendForgottenGateCode } from '../accounts/operations/send-forgotten-gate-code.ts'
import { runBilling } from '../billing/run-billing.ts'
import { loadGateAccess } from '../gate/assign-and-activate-gate-codes.ts'
import { isGateCode } from '../gate/rules/generate-gate-code.ts'
import { autopayPartyOf, clearAutopay } from '../leases/autopay-mandate.ts'
import { lockLeaseRow } from '../leases/lock-lease-row.ts'
import { GetTenantUnitLeaseDetails } from '../leases/operations/get-tenant-unit-lease-details.ts'
import { currentBalanceDue, moveOutCannotBeCancelled } from '../leases/texts/portal.ts'
import { loadBalance } from '../ledger/load-and-repair-lease-balance.ts'
import { makeAuctionLink, makeSettlementLink } from '../links/auction-and-settlement-link-records.ts'
import { getAuctionWinner } from '../links/operations/get-auction-winner.ts'
import { postReceipt } from '../move-in/operations/check-own-payment-receipt-mail-state.ts'
import { CancelScheduleMoveOut } from '../move-outs/operations/cancel-scheduled-move-out.ts'
import { MAX_REFUND_ATTEMPTS } from '../refunds/rules/max-refund-attempts.ts'
import { postCharge } from '../standing/post-entries.ts'
import { expireUnpaidHolds } from './expire-unpaid-holds.ts'
import { openCheckout } from './open/open-checkout.ts'
import { openLinkPayment } from './open/open-link-payment.ts'
import { postAuctionPaymentEmail } from './operations/check-auction-payment-mail-state.ts'
import { GetPaymentHistory_V1 } from './operations/get-payment-history-v1.ts'
import { getDelinquentTenant } from './operations/get-settlement-by-link.ts'
import { postHostPay } from './operations/open-card-page-by-api.ts'
import { ProcessPayment_V2 } from './operations/process-payment-v2.ts'
import { postDirectPay } from './operations/settle-order-of-own-session.ts'
import { countFailedAttempts } from './order-outcome-and-attempts.ts'
import { loadPayment } from './payment.ts'
import {
  decideReview,
  loadPaymentsInReview,
  loadUnfinishedRefunds,
  recordPaidByHand,
  retryRefund,
} from './payment-reviews-and-failed-refunds.ts'
import { startCheckout } from './price-checkout.ts'
import { loadPaymentFacts } from './receipt.ts'
import { processRefunds } from './refund-unposted-payments.ts'
import type { CheckoutTerms } from './rules/checkout-terms.ts'
import { settlePayment } from './settle-payment.ts'
import { reconcilePayments } from './settle-pending-payments.ts'
import {
  adaPrepays,
  autopayTerms,
  bankAccount,
  chargeNextPeriod,
  createAcknowledgedAuction,
  createSettlementLink,
  cyDues,
  leaseOf,
  openPayingServices,
  type PayingServices,
  payAtCounter,
  startTestCheckout,
  testSubmission,
  turnAutopayOn,
  winner,
} from './testing.ts'
import { sandboxForTests } from './testing-card-provider.ts'
import { crashAt, expectNoDeadlock, SimulatedCrash } from './testing-crash-points.ts'
import { expectInvariants, loadNewLeases, mailsOf, subjects } from './testing-invariants.ts'
import { agreeAndOpen, openTestCardPage, readyToPay, signTestLease } from './testing-rent-until-card-page.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const { till, folder } = sandboxForTests('payers-by-card')

const asGuest = (tenantId: number): Callers => ({
  ...visitor(),
  guest: { tenants: [{ locationCode: 'GA1', tenantId }], signIn: 'of a guest' },
})

const cysLease = { lease_number: 10002 }
const scheduledMoveOut = { scheduled_move_out: '2026-12-24' }

const dues: [string, CheckoutTerms][] = [
  ['a tenant', cyDues],
  ['a guest', { ...cyDues, payer: 'guest' }],
]

type Page = { orderId: string; payPageUrl: string; amount: number }
interface Way {
  who: string
  lease: number | null
  /** Prepares a payment. Each call of `open` opens a card page for the same checkout, link or rental. */
  ready(services: PayingServices): Promise<{
    callers: Callers
    open(on?: PayingServices): Promise<({ ok: true } & Page) | { ok: false; why: string }>
    /** Locks the draft, link or lease that is paid for. */
    lock(tx: Transaction<Tables>): Promise<unknown>
  }>
}

const lockOf = (leaseNumber: number) => (tx: Transaction<Tables>) =>
  lockLeaseRow(tx, { location_code: 'GA1', lease_number: leaseNumber })

const checkoutWay = (who: string, terms: CheckoutTerms, callers: Callers): Way => ({
  who,
  lease: terms.leaseNumber,
  async ready(services) {
    const checkout = await startTestCheckout(services, terms)
    return {
      callers,
      open: (on = services) => openCheckout(on, checkout, testSubmission),
      lock: lockOf(terms.leaseNumber),
    }
  },
})

const ways: Way[] = [
  checkoutWay('a tenant who pays the dues', cyDues, asCy),
  checkoutWay('a tenant who prepays two periods', { ...adaPrepays, periods: 2 }, asAda),
  checkoutWay('a guest who pays the dues', { ...cyDues, payer: 'guest', guest: 'of a guest' }, asGuest(1002)),
  {
    who: 'an auction winner',
    lease: 10002,
    async ready(services) {
      const uuid = await createAcknowledgedAuction(services)
      return {
        callers: { ...visitor(), auction: { uuid } },
        open: (on = services) => openLinkPayment(on, 'auction', uuid),
        lock: (tx) =>
          tx.selectFrom('auction_winners').select('uuid').where('uuid', '=', uuid).forUpdate().executeTakeFirst(),
      }
    },
  },
  {
    who: 'a tenant who settles',
    lease: 10002,
    async ready(services) {
      const uuid = await createSettlementLink(services)
      return {
        callers: { ...visitor(), settlement: { uuid } },
        open: (on = services) => openLinkPayment(on, 'settlement', uuid),
        lock: (tx) =>
          tx.selectFrom('settlements').select('uuid').where('uuid', '=', uuid).forUpdate().executeTakeFirst(),
      }
    },
  },
  {
    who: 'a renter who moves in',
    lease: null,
    async ready(services) {
      const draft = await readyToPay(services)
      const drafts = (tx: Transaction<Tables>) => tx.selectFrom('rental_drafts').where('draft_id', '=', draft.draftId)
      return {
        callers: await withDraft(services, draft.draftId),
        open: (on = services) => agreeAndOpen(on, draft),
        lock: (tx) => drafts(tx).select('draft_id').forUpdate().executeTakeFirst(),
      }
    },
  },
]

describeOnBothEngines('Payments by card', (open, engine) => {
  let services: PayingServices
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
  })
  afterEach(() => services.db.close())

  const expectOpen = async (attempt: Promise<({ ok: true } & Page) | { ok: false; why: string }>): Promise<Page> => {
    const opening = await attempt
    if (!opening.ok) throw new Error(`The card page did not open: ${opening.why}`)
    return opening
  }
  const page = (ready: Awaited<ReturnType<Way['ready']>>) => expectOpen(ready.open())
  const payByCard = async (attempt: Parameters<typeof expectOpen>[0], card: TestCardName): Promise<Page> => {
    const opening = await expectOpen(attempt)
    await pay(opening.payPageUrl, card)
    await settlePayment(services, opening.orderId)
    return opening
  }
  const pay = (url: string, card: TestCardName) => payAtHostedPage(url, card).catch(() => {})
  const payment = (orderId: string) => recordOf(services, 'payments', { order_id: orderId })
  const balance = (lease: number) => loadBalance(services.db.read, 'GA1', lease)

  describe.each(ways)('by $who', (way) => {
    const leaseNumber = async () => way.lease ?? (await loadNewLeases(services))[0]?.lease_number ?? 0
    const left = async () => balance(await leaseNumber())
    const mails = async () => (await subjects(services)).filter((subject) => /^Receipt |^You're moved in/.test(subject))
    const expectedSubjects = ['Receipt ', ...(way.lease === null ? ["You're moved in"] : [])].map((start) =>
      expect.stringContaining(start),
    )
    const paidAlready = way.lease === null ? 'already_rented' : 'paid'

    it('is posted once however often it is settled, has one receipt, and is not offered again', async () => {
      const ready = await way.ready(services)
      const [first, second] = await Promise.all([page(ready), page(ready)])
      expect(second).toMatchObject({ orderId: first.orderId, payPageUrl: first.payPageUrl })
      await pay(first.payPageUrl, 'visa')
      const looks = await Promise.all(Array.from({ length: 20 }, () => settlePayment(services, first.orderId)))
      // A call that finds another one posting answers that the payment is still being checked.
      for (const look of looks) expect(['posted', 'checking']).toContain(look.state)
      const posted = { state: 'posted', leaseNumber: await leaseNumber() }
      expect(await settlePayment(services, first.orderId)).toMatchObject(posted)
      expect(await left()).toBe(0)
      expect(await till.moved(first.orderId)).toMatchObject({ charges: 1, charged: first.amount, returns: 0 })
      expect(await ready.open()).toMatchObject({ ok: false, why: paidAlready })
      await services.runDueJobs()
      await services.runDueJobs()
      expect(await mails()).toEqual(expectedSubjects)
      const facts = await loadPaymentFacts(services, first.orderId)
      expect(facts?.lines.reduce((sum, line) => sum + line.cents, 0)).toBe(first.amount)
      const input = { order_id: first.orderId }
      expect(await perform(services, postReceipt, input, ready.callers)).toMatchObject({ ok: true })
      await expectInvariants(services, till)
    })

    it('has the specified text of each refusal, and can be paid after refusals and a cancellation', async () => {
      const ready = await way.ready(services)
      const texts = [
        ['declined', 'Declined by Issuer', false],
        ['expired', 'Credit Card Expired', true],
        ['callIssuer', 'The card issuer wants a call: please ring the number on the back of your card.', true],
      ] as const
      for (const [card, reason, retriesUsedUp] of texts) {
        const opening = await page(ready)
        await pay(opening.payPageUrl, card)
        const message = `Unable to process the Payment: ${reason}`
        const looks = await Promise.all([
          settlePayment(services, opening.orderId),
          settlePayment(services, opening.orderId),
        ])
        for (const look of looks) expect(look).toMatchObject({ state: 'declined', message })
        expect(await settlePayment(services, opening.orderId)).toMatchObject({ retriesUsedUp })
      }
      const closed = await page(ready)
      await cancelAtHostedPage(closed.payPageUrl)
      expect(await settlePayment(services, closed.orderId)).toEqual({ state: 'cancelled' })
      const last = await page(ready)
      expect(await countFailedAttempts(services, await payment(last.orderId))).toBe(texts.length)
      await pay(last.payPageUrl, 'mastercard')
      expect((await settlePayment(services, last.orderId)).state).toBe('posted')
      await expectInvariants(services, till)
    })

    it('stays “checking” while the provider does not answer, and is settled once even if the browser never returns', async () => {
      const ready = await way.ready(services)
      const opening = await page(ready)
      await pay(opening.payPageUrl, 'garbled')
      expect(await settlePayment(services, opening.orderId)).toEqual({ state: 'checking', unreachable: true })
      // The order may have been paid, so no other page is opened.
      expect(await ready.open()).toMatchObject({ ok: false, why: 'unavailable' })
      services.later(MINUTE)
      await reconcilePayments(services)
      services.later(MINUTE)
      await Promise.all([reconcilePayments(services), reconcilePayments(services)])
      expect((await payment(opening.orderId)).state).toBe('posted')
      expect(await left()).toBe(0)
      await expectInvariants(services, till)
    })

    it('goes to manual review when another amount was captured; a staff member posts or refunds it', async () => {
      const ready = await way.ready(services)
      const opening = await page(ready)
      await pay(opening.payPageUrl, 'differs')
      for (const _ of [1, 2]) expect(await settlePayment(services, opening.orderId)).toEqual({ state: 'review' })
      await reconcilePayments(services)
      expect(await payment(opening.orderId)).toMatchObject({
        state: 'review',
        trouble: 'amount_differs',
        approved_amount: opening.amount - 1_00,
      })
      expect(await loadNewLeases(services)).toEqual([])
      await expectInvariants(services, till)
      expect(await ready.open()).toMatchObject({ ok: false, why: 'checking' })
      expect((await loadPaymentsInReview(services)).map((row) => row.order_id)).toEqual([opening.orderId])
      expect(await decideReview(services, opening.orderId, 'refund')).toEqual({
        ok: true,
        settled: { state: 'refund' },
      })
      expect(await decideReview(services, opening.orderId, 'post')).toEqual({ ok: false, why: 'not_in_review' })
      await processRefunds(services)
      await services.runDueJobs()
      expect((await subjects(services)).map((subject) => subject.replace(/\$.*|unit .*/, ''))).toEqual([
        'We are checking your payment for ',
        'Your refund of ',
      ])
      const again = await page(ready)
      await pay(again.payPageUrl, 'differs')
      await settlePayment(services, again.orderId)
      const decided = await decideReview(services, again.orderId, 'post')
      expect(decided).toMatchObject({ ok: true, settled: { state: 'posted' } })
      expect(await left()).toBe(way.who === 'a tenant who settles' ? 0 : 1_00)
      expect((await till.moved(again.orderId)).charged).toBe(again.amount - 1_00)
    })

    it('is an unknown order to any other caller, who changes nothing', async () => {
      const ready = await way.ready(services)
      const opening = await page(ready)
      await pay(opening.payPageUrl, 'visa')
      const others: Callers[] = [visitor(), asGuest(1001), { ...visitor(), auction: { uuid: services.random.uuid() } }]
      if (way.lease !== 10001) others.push(asAda)
      if (way.lease !== 10002 || way.who === 'an auction winner') others.push(asCy)
      const requestOrder = (callers: Callers, order_id: string) =>
        Promise.all([
          perform(services, postDirectPay, { order_id }, callers),
          perform(services, postReceipt, { order_id }, callers),
        ])
      for (const callers of others) {
        const outcomes = await requestOrder(callers, opening.orderId)
        expect(outcomes).toMatchObject([{ ok: false }, { ok: false }])
        expect(outcomes).toEqual(await requestOrder(callers, 'LK0123456789ABCDEF01234567'))
      }
      expect((await payment(opening.orderId)).state).toBe('presented')
      const own = await perform(services, postDirectPay, { order_id: opening.orderId }, ready.callers)
      expect(own).toMatchObject({ ok: true, value: { STATE: 'APPROVED' } })
      await expectInvariants(services, till)
    })

    it('keeps a failed refund with its reason, and retries it later until it succeeds once', async () => {
      const ready = await way.ready(services)
      const opening = await page(ready)
      await pay(opening.payPageUrl, 'differs')
      await settlePayment(services, opening.orderId)
      await decideReview(services, opening.orderId, 'refund')
      const { cardProvider } = services
      services.cardProvider = { ...cardProvider, refund: () => Promise.reject(new Error('no answer')) }
      expect(await processRefunds(services)).toBe(0)
      services.cardProvider = cardProvider
      expect(await processRefunds(services)).toBe(0)
      const open = { order_id: opening.orderId, attempts: 1, last_error: 'no answer' }
      expect(await loadUnfinishedRefunds(services, 'open')).toMatchObject([open])
      services.later(HOUR)
      await Promise.all([processRefunds(services), processRefunds(services)])
      expect(await loadUnfinishedRefunds(services)).toEqual([])
      expect(await till.moved(opening.orderId)).toMatchObject({ charges: 1, returns: 1 })
      await expectInvariants(services, till)
    })

    it.each(['provider asked', 'captured', 'posted'] as const)(
      'has one charge and one posting when its process ends while the page opens and at “%s”',
      async (at) => {
        const ready = await way.ready(services)
        for (const point of ['order written', 'page opened'] as const) {
          await expect(ready.open(crashAt(services, point))).rejects.toThrow(SimulatedCrash)
        }
        const opening = await page(ready)
        await pay(opening.payPageUrl, 'visa')
        await expect(settlePayment(crashAt(services, at), opening.orderId)).rejects.toThrow(SimulatedCrash)
        services.later(MINUTE)
        await reconcilePayments(services)
        await reconcilePayments(services)
        const posted = { state: 'posted', leaseNumber: await leaseNumber() }
        expect(await settlePayment(services, opening.orderId)).toMatchObject(posted)
        expect(await left()).toBe(0)
        await services.runDueJobs()
        await services.runDueJobs()
        expect(await mails()).toEqual(expectedSubjects)
        await expectInvariants(services, till)
      },
    )

    it('is posted once when two card pages were paid, and the second charge is refunded', async () => {
      const ready = await way.ready(services)
      const old = await page(ready)
      // A page that is about to close is not shown again; the second tab gets a new page.
      services.later(51 * MINUTE)
      // A checkout has expired and must be agreed to again; a link or draft has not.
      const first = await ready.open()
      if (!first.ok) expect(first).toMatchObject({ why: 'price_changed', changes: [] })
      const again = first.ok ? first : await page(await way.ready(services))
      expect(again.orderId).not.toBe(old.orderId)
      await pay(again.payPageUrl, 'visa')
      await pay(old.payPageUrl, 'mastercard')
      expect((await settlePayment(services, again.orderId)).state).toBe('posted')
      expect((await settlePayment(services, old.orderId)).state).toBe('refund')
      expect((await payment(old.orderId)).trouble).toBe(way.lease === null ? 'already_rented' : 'already_paid')
      await processRefunds(services)
      expect(await left()).toBe(0)
      expect(await till.moved(old.orderId)).toMatchObject({ charges: 1, returns: 1 })
      await expectInvariants(services, till)
    })

    it.runIf(engine === 'postgres')(
      'can be settled without a deadlock while its order is changed under the lock of its records',
      async () => {
        const ready = await way.ready(services)
        const opening = await page(ready)
        await pay(opening.payPageUrl, 'visa')
        await expectNoDeadlock(services, opening.orderId, ready.lock)
      },
    )
  })

  it('posts prepaid periods with their payment, moves paid-through by whole periods and updates the status', async () => {
    const checkout = await startTestCheckout(services, { ...adaPrepays, periods: 2 })
    const before = await leaseOf(services, 10001)
    await payByCard(openCheckout(services, checkout, testSubmission), 'visa')
    const after = await leaseOf(services, 10001)
    expect(after.paid_through).toBe(checkout.price.CC.period?.to)
    expect(after.paid_through > before.paid_through).toBe(true)
    expect(after.status).toBe('Pre-Paid')
    const entries = await recordsOf(services, 'ledger_entries', { lease_number: 10001 })
    expect(entries.filter((entry) => entry.kind === 'rent')).toHaveLength(2)
    expect(entries.filter((entry) => entry.kind === 'payment')).toHaveLength(1)
    // The facility charges a card fee and autopay was declined.
    expect(entries.find((entry) => entry.description === cardProcessingFee)).toMatchObject({ cents: 2_00 })
    expect(after.autopay).toBe(0)
  })

  it('pays a period that billing charged meanwhile, without charging it again', async () => {
    const checkout = await startTestCheckout(services, adaPrepays)
    const opening = await expectOpen(openCheckout(services, checkout, testSubmission))
    await chargeNextPeriod(services, 10001)
    await pay(opening.payPageUrl, 'visa')
    expect((await settlePayment(services, opening.orderId)).state).toBe('posted')
    expect(await balance(10001)).toBe(0)
    expect((await leaseOf(services, 10001)).paid_through).toBe(checkout.price.CC.period?.to)
  })

  it('has no card fee with autopay, and stores the card alias encrypted with the consent and its time', async () => {
    const checkout = await startTestCheckout(services, { ...cyDues, autopay: true })
    expect(checkout.price.CC).toMatchObject({ total: 151_37, cardFee: null })
    await payByCard(openCheckout(services, checkout, testSubmission), 'visa')
    const lease = await leaseOf(services, 10002)
    expect(lease).toMatchObject({
      autopay: 1,
      autopay_method: 'CC',
      autopay_label: 'VI **** 1111',
      autopay_consent_text: checkout.autopayConsent,
      autopay_consent_at: services.clock.now(),
    })
    expect(autopayPartyOf(services, lease)).toEqual({ alias: expect.stringMatching(/./) })
    expect(JSON.stringify(lease)).not.toContain('"alias":')
  })

  it('stores the card for autopay without a charge, with its consent, once for each choice, and mails a confirmation', async () => {
    const savedMethods: unknown[] = []
    for (const card of ['visa', 'mastercard'] as const) {
      const checkout = await startTestCheckout(services, autopayTerms)
      expect(checkout.price).toMatchObject({ CC: { total: 0, cardFee: null }, ACH: { total: 0 } })
      const opening = await expectOpen(openCheckout(services, checkout, testSubmission))
      expect(opening.amount).toBe(0)
      await pay(opening.payPageUrl, card)
      expect(await settlePayment(services, opening.orderId)).toMatchObject({ state: 'posted', leaseNumber: 10001 })
      expect((await till.moved(opening.orderId)).charged).toBe(0)
      const lease = await leaseOf(services, 10001)
      expect(lease).toMatchObject({ autopay: 1, autopay_method: 'CC', autopay_consent_text: checkout.autopayConsent })
      savedMethods.push(autopayPartyOf(services, lease))
    }
    expect(savedMethods[0]).not.toEqual(savedMethods[1])
    expect(await balance(10001)).toBe(0)
    const entries = services.db.read.selectFrom('ledger_entries').select('entry_id')
    expect(await entries.where('lease_number', '=', 10001).where('order_id', 'is not', null).execute()).toEqual([])
    // One of the orders is recorded as charged, so its mail may not say that nothing was charged.
    const [{ order_id } = { order_id: '' }] = await recordsOf(services, 'payments')
    await change(services, 'payments', { order_id }, { approved_amount: 5_00 })
    await services.runDueJobs()
    expect(await subjects(services)).toEqual(Array(2).fill('Autopay is on for unit 301'))
    const mails = await mailsOf(services, /Autopay is on/)
    expect(mails.map(({ text }) => /Nothing was charged[^.]*/.exec(text)?.[0]).sort()).toEqual([
      'Nothing was charged for this',
      undefined,
    ])
  })

  it('switches autopay on once, with one mail and no charge, when the process ends at any point', async () => {
    const checkout = await startTestCheckout(services, autopayTerms)
    for (const point of ['order written', 'page opened'] as const)
      await expect(openCheckout(crashAt(services, point), checkout, testSubmission)).rejects.toThrow(SimulatedCrash)
    const opening = await expectOpen(openCheckout(services, checkout, testSubmission))
    await pay(opening.payPageUrl, 'visa')
    for (const point of ['provider asked', 'captured'] as const) {
      await expect(settlePayment(crashAt(services, point), opening.orderId)).rejects.toThrow(SimulatedCrash)
      expect((await leaseOf(services, 10001)).autopay).toBe(0)
    }
    services.later(MINUTE)
    await reconcilePayments(services)
    await reconcilePayments(services)
    expect(await leaseOf(services, 10001)).toMatchObject({ autopay: 1, autopay_label: 'VI **** 1111' })
    // Further settling changes nothing, also after the tenant has turned autopay off.
    await services.db.transaction((tx) => clearAutopay(tx, services, { location_code: 'GA1', lease_number: 10001 }))
    await Promise.all(Array.from({ length: 20 }, () => settlePayment(services, opening.orderId)))
    expect((await leaseOf(services, 10001)).autopay).toBe(0)
    expect(await till.moved(opening.orderId)).toMatchObject({ charged: 0, returned: 0 })
    await services.runDueJobs()
    expect(await subjects(services)).toEqual(['Autopay is on for unit 301'])
  })

  it('refuses autopay without a payment to guests and while dues are owed, and leaves it off once a move-out is scheduled', async () => {
    const refusalOf = async (terms: CheckoutTerms) => {
      const started = await startCheckout(services, terms)
      return started.ok ? '' : started.message
    }
    expect(await refusalOf({ ...autopayTerms, payer: 'guest' })).toBe(invalidLeaseSession)
    expect(await refusalOf({ ...autopayTerms, autopay: false })).toBe(invalidLeaseSession)
    expect(await refusalOf({ ...autopayTerms, tenantId: 1002 })).toBe(invalidLeaseSession)
    expect(await refusalOf({ ...autopayTerms, tenantId: 1002, leaseNumber: 10002 })).toBe(duesFirst)
    const opening = await expectOpen(
      openCheckout(services, await startTestCheckout(services, autopayTerms), testSubmission),
    )
    await pay(opening.payPageUrl, 'visa')
    await change(services, 'leases', { lease_number: 10001 }, { scheduled_move_out: today })
    expect((await settlePayment(services, opening.orderId)).state).toBe('posted')
    expect(await leaseOf(services, 10001)).toMatchObject({ autopay: 0, autopay_sealed: null })
    expect(await refusalOf(autopayTerms)).toBe(invalidLeaseSession)
    await services.runDueJobs()
    expect(await subjects(services)).toEqual([])
  })

  it('never lets a guest replace the card or account that the tenant agreed to for autopay', async () => {
    const own = { alias: 'SAMPLE-OF-CY' }
    const guests: CheckoutTerms = { ...cyDues, payer: 'guest', autopay: true }
    const opening = await expectOpen(openCheckout(services, await startTestCheckout(services, guests), testSubmission))
    await turnAutopayOn(services, 10002, own)
    await pay(opening.payPageUrl, 'visa')
    expect((await settlePayment(services, opening.orderId)).state).toBe('posted')
    expect(autopayPartyOf(services, await leaseOf(services, 10002))).toEqual(own)
    const prepays = await startTestCheckout(services, { ...guests, pays: 'prepay' })
    expect([prepays.autopay, prepays.cardFeeApplies]).toEqual([false, false])
    expect((await startTestCheckout(services, { ...guests, payer: 'tenant', pays: 'prepay' })).autopay).toBe(true)
  })

  it('adds the card fee and its tax to the price by card without autopay, and not to the price by bank', async () => {
    const { price } = await startTestCheckout(services, cyDues)
    expect(price.CC.lines.map((line) => line.label)).toEqual([currentBalanceDue, cardProcessingFee, 'Tax on fees'])
    expect(price.ACH).toMatchObject({ total: 151_37, cardFee: null })
    expect(price.CC.total).toBeGreaterThan(153_37)
  })

  it('does not start for a unit prepared for auction, over 70 days late, of another tenant, or without dues (spec 2 §5)', async () => {
    const starting = (terms: Partial<CheckoutTerms>) => startCheckout(services, { ...cyDues, ...terms })
    const setLease = (set: object) => change(services, 'leases', { lease_number: 10002 }, set)
    expect(await starting({ tenantId: 1001 })).toEqual({ ok: false, message: invalidLeaseSession })
    expect(await starting({ pays: 'prepay' })).toEqual({ ok: false, message: duesFirst })
    expect(await startCheckout(services, { ...adaPrepays, pays: 'dues' })).toEqual({
      ok: false,
      message: paymentAlreadyProcessed,
    })
    await setLease({ auction_prepped: 1 })
    expect(await starting({})).toMatchObject({
      message: expect.stringMatching(/^Please contact customer service to make a payment - \S/),
    })
    await setLease({ auction_prepped: 0, paid_through: '2026-09-10' })
    expect(await starting({})).toMatchObject({ message: expect.stringContaining('over 70 days delinquent') })
    await setLease({ paid_through: '2026-09-11' })
    expect(await starting({})).toMatchObject({ ok: true })
  })

  it.each(dues)('asks %s for agreement again when the dues have changed since they were shown', async (_, terms) => {
    const checkout = await startTestCheckout(services, terms)
    await services.db.transaction((tx) =>
      postCharge(tx, services, {
        locationCode: 'GA1',
        leaseNumber: 10002,
        kind: 'fee',
        cents: 10_00,
        description: 'Late fee',
        once: 'late:1',
      }),
    )
    const refused = await openCheckout(services, checkout, testSubmission)
    expect(refused).toMatchObject({
      why: 'price_changed',
      changes: [{ label: currentBalanceDue, before: 151_37, now: 161_37 }],
    })
    if (refused.ok || refused.why !== 'price_changed') throw new Error('expected another price')
    expect(await openCheckout(services, refused.now, testSubmission)).toMatchObject({
      ok: true,
      amount: refused.now.price.CC.total,
    })
  })

  it('lets one of tenant and guest pay when both open the same dues', async () => {
    const own = await startTestCheckout(services, cyDues)
    const guests = await startTestCheckout(services, { ...cyDues, payer: 'guest' })
    const second = await openCheckout(services, guests, testSubmission)
    const first = await openCheckout(services, own, testSubmission)
    if (!first.ok || !second.ok) throw new Error('not opened')
    expect(second.orderId).not.toBe(first.orderId)
    await pay(first.payPageUrl, 'visa')
    await pay(second.payPageUrl, 'visa')
    const states = await Promise.all([settlePayment(services, first.orderId), settlePayment(services, second.orderId)])
    expect(states.map((state) => state.state).sort()).toEqual(['posted', 'refund'])
    await processRefunds(services)
    await expectInvariants(services, till)
  })

  it('hands the unit over to the auction winner: gate code, note, move-out, e-mail and used link (spec 2 §4)', async () => {
    const uuid = await createAcknowledgedAuction(services)
    const opening = await expectOpen(openLinkPayment(services, 'auction', uuid))
    expect(opening.amount).toBe(151_37)
    const link = async () => {
      const outcome = await perform(services, getAuctionWinner, { uuid }, visitor())
      return outcome.ok ? outcome.value : outcome
    }
    expect(await link()).toMatchObject({ state: 'open', gate_code: '', combo_code: '' })
    await pay(opening.payPageUrl, 'visa')
    await settlePayment(services, opening.orderId)
    const paidLink = await link()
    expect(paidLink).toMatchObject({ state: 'paid', combo_code: '4821' })
    expect('gate_code' in paidLink && isGateCode(paidLink.gate_code) && paidLink.gate_code !== '591734').toBe(true)
    expect(await leaseOf(services, 10002)).toMatchObject({
      scheduled_move_out: '2026-11-23',
      move_out_reason: 1,
      auction_prepped: 0,
      gate_code: '591734',
    })
    const note = await recordOf(services, 'tenant_notes')
    expect(note.note).toContain('Wim Tesh')
    const entry = await recordOf(services, 'ledger_entries', { order_id: opening.orderId })
    expect(entry.description).toBe('Auction proceeds, paid by VI **** 1111')
    await services.runDueJobs()
    const mails = await services.db.read.selectFrom('mailbox').select(['recipient', 'subject']).execute()
    expect(new Set(mails.map((mail) => mail.recipient))).toEqual(new Set(['wim@example.com']))
    expect(mails.map((mail) => mail.subject).sort()[0]).toMatch(/^Payment received: unit 302/)
    const winnerCallers = { ...visitor(), auction: { uuid } }
    const id = 'id' in paidLink ? paidLink.id : 0
    expect(await perform(services, postAuctionPaymentEmail, { id }, winnerCallers)).toMatchObject({
      value: { result: 'sent' },
    })
    expect(await perform(services, postAuctionPaymentEmail, { id: id + 1 }, winnerCallers)).toMatchObject({
      status: 404,
    })
  })

  it('gives a sold unit to its winner: the tenant’s code opens other units only, and the move-out stays', async () => {
    const uuid = await createAcknowledgedAuction(services)
    await payByCard(openLinkPayment(services, 'auction', uuid), 'visa')
    const winners = await recordOf(services, 'auction_winners', { uuid })
    const gate = async (code: string) =>
      (await loadGateAccess(services.db.read, 'GA1', services.clock.now())).find((access) => access.code === code) ??
      null
    expect(await gate('591734')).toMatchObject({ opens: false, units: [] })
    expect(await gate(winners.gate_code)).toMatchObject({ opens: true, units: ['302'], hours: 'standard' })
    // The payment counts for the tenant, who sees neither the winner's card nor the winner's receipt.
    expect(
      await perform(services, GetPaymentHistory_V1, { location_code: 'GA1', tenant_id: 1002 }, asCy),
    ).toMatchObject({
      value: { Payment: [{ leaseAmountPaid: '151.37', description: 'Auction proceeds', order_id: '' }] },
    })
    // Nothing is due any more, yet the tenant may not cancel the move-out or open the unit.
    const lease = await leaseOf(services, 10002)
    expect(lease).toMatchObject({ status: 'Current', combo_code: '4821' })
    const tenantKey = { location_code: 'GA1', tenant_id: 1002 }
    expect(await perform(services, CancelScheduleMoveOut, { ...tenantKey, lease_number: 10002 }, asCy)).toMatchObject({
      value: { SaveSuccessful: 'False', ErrorMessage: moveOutCannotBeCancelled },
    })
    expect(await perform(services, GetTenantUnitLeaseDetails, { ...tenantKey, lease_no: 10002 }, asCy)).toMatchObject({
      value: { gateCode: '', comboCode: '', scheduledMoveoutDate: '11/23/2026' },
    })
    expect(await leaseOf(services, 10002)).toMatchObject({ scheduled_move_out: '2026-11-23' })
    // The tenant's code still opens another unit of the tenant that has the same code.
    const other = { lease_number: 10003, unit_id: 1, unit_number: '101' }
    await services.db.write
      .insertInto('leases')
      .values({ ...lease, ...other, scheduled_move_out: null })
      .execute()
    expect(await gate('591734')).toMatchObject({ opens: true, units: ['101'] })
    services.later(4 * DAY)
    await runBilling(services)
    expect(await leaseOf(services, 10002)).toMatchObject({ status: 'Closed' })
    expect(await gate(winners.gate_code)).toBeNull()
    expect(await gate('591734')).toMatchObject({ opens: true, units: ['101'] })
    expect(await perform(services, getAuctionWinner, { uuid }, visitor())).toMatchObject({
      value: { state: 'paid', gate_code: '', combo_code: '' },
    })
  })

  it('charges no auction winner when the lease has ended, because there is no unit to hand over', async () => {
    const uuid = await createAcknowledgedAuction(services)
    await change(services, 'leases', { lease_number: 10002 }, { status: 'Closed' })
    expect(await openLinkPayment(services, 'auction', uuid)).toEqual({ ok: false, why: 'nothing_due' })
  })

  it('never sends the winner’s gate code to the tenant of the sold unit, even for another unit', async () => {
    // The tenant was imported without a gate code.
    await services.db.write.deleteFrom('gate_codes').where('tenant_id', '=', 1002).execute()
    const uuid = await createAcknowledgedAuction(services)
    const opening = await expectOpen(openLinkPayment(services, 'auction', uuid))
    const search = () => perform(services, sendForgottenGateCode, { contact: 'cy@example.com' }, visitor())
    expect(await search()).toMatchObject({ value: { result: 'sent' } })
    await pay(opening.payPageUrl, 'visa')
    await settlePayment(services, opening.orderId)
    await services.runDueJobs()
    const { gate_code } = await recordOf(services, 'auction_winners')
    expect(await search()).toMatchObject({ value: { result: 'not found' } })
    const mails = await recordsOf(services, 'mailbox')
    expect(mails.filter((mail) => mail.recipient === 'cy@example.com')).toEqual([])

    const draft = await readyToPay(services)
    await change(services, 'reservations', {}, { tenant_id: 1002 })
    await change(services, 'rental_drafts', { draft_id: draft.draftId }, { tenant_id: 1002 })
    const page = await openTestCardPage(services, await signTestLease(services, draft))
    await pay(page.payPageUrl, 'visa')
    await settlePayment(services, page.orderId)
    const lease = await recordOf(services, 'leases', { order_id: page.orderId })
    expect(lease.tenant_id).toBe(1002)
    expect(isGateCode(lease.gate_code) && lease.gate_code !== gate_code).toBe(true)
  })

  it('states on a receipt the paid-through date of its own payment, also after later ones, and none once it was returned', async () => {
    const first = await payByCard(
      openCheckout(services, await startTestCheckout(services, cyDues), testSubmission),
      'visa',
    )
    const loadStatedDate = async () => (await loadPaymentFacts(services, first.orderId))?.paidThrough
    const firstPaidThrough = (await leaseOf(services, 10002)).paid_through
    expect(await loadStatedDate()).toBe(firstPaidThrough)
    for (const orderId of ['NEXT1', 'NEXT2']) {
      services.later(DAY)
      await payAtCounter(services, 10002, await chargeNextPeriod(services, 10002), orderId)
    }
    expect((await leaseOf(services, 10002)).paid_through).toBe(addDays(firstPaidThrough, 60))
    expect(await loadStatedDate()).toBe(firstPaidThrough)
    await change(services, 'payments', { order_id: first.orderId }, { state: 'returned' })
    expect(await loadStatedDate()).toBe('')
  })

  it('leaves the unit to a tenant who pays while the winner is on the card page, and refunds the winner', async () => {
    const uuid = await createAcknowledgedAuction(services)
    const opening = await expectOpen(openLinkPayment(services, 'auction', uuid))
    await payAtCounter(services, 10002, 151_37)
    await pay(opening.payPageUrl, 'visa')
    expect(await settlePayment(services, opening.orderId)).toEqual({ state: 'refund' })
    await processRefunds(services)
    expect(await till.moved(opening.orderId)).toMatchObject({ charged: 151_37, returned: 151_37 })
    expect(await leaseOf(services, 10002)).toMatchObject({ status: 'Current', scheduled_move_out: null })
    expect(await perform(services, getAuctionWinner, { uuid }, visitor())).toMatchObject({ value: { gate_code: '' } })
    expect(await openLinkPayment(services, 'auction', uuid)).toEqual({ ok: false, why: 'nothing_due' })
  })

  it('writes off the rest of the balance when a settlement is paid (spec 2 §4)', async () => {
    const uuid = await createSettlementLink(services)
    expect(await perform(services, getDelinquentTenant, { uuid }, visitor())).toMatchObject({
      value: { facilityId: 101, unitNumber: '302', tenantName: 'Cy Dorn', settlementAmount: '90.00' },
    })
    await payByCard(openLinkPayment(services, 'settlement', uuid), 'visa')
    const entries = await recordsOf(services, 'ledger_entries', { lease_number: 10002 })
    expect(entries.map((entry) => `${entry.kind} ${entry.cents}`).sort()).toEqual([
      'credit -6137',
      'payment -9000',
      'rent 15137',
    ])
    expect(await leaseOf(services, 10002)).toMatchObject({ status: 'Current' })
  })

  it('states on a settlement’s receipt a paid-through date that includes the periods written off', async () => {
    const owing = await leaseOf(services, 10002)
    await chargeNextPeriod(services, 10002)
    const uuid = await createSettlementLink(services)
    const opening = await expectOpen(openLinkPayment(services, 'settlement', uuid))
    await pay(opening.payPageUrl, 'visa')
    let now = services.clock.now()
    await settlePayment({ ...services, clock: { ...services.clock, now: () => ++now } }, opening.orderId)
    const { paid_through } = await leaseOf(services, 10002)
    expect(paid_through > owing.paid_through).toBe(true)
    expect((await loadPaymentFacts(services, opening.orderId))?.paidThrough).toBe(paid_through)
  })

  it('does not sell a unit twice, even if rent is still owed for it', async () => {
    const uuid = await createAcknowledgedAuction(services, { cents: 90_00 })
    await payByCard(openLinkPayment(services, 'auction', uuid), 'visa')
    expect(await loadBalance(services.db.read, 'GA1', 10002)).toBeGreaterThan(0)
    expect(await makeAuctionLink(services, { ...winner, name: 'Ada Reyes' })).toEqual({
      ok: false,
      why: 'Unit 302 of GA1 was sold at auction already.',
    })
  })

  it('refuses links with a wrong amount, for a vacant unit or over the balance, and ends them when withdrawn or paid otherwise', async () => {
    const makeLink = (cents: number) => makeSettlementLink(services, { locationCode: 'GA1', unitNumber: '302', cents })
    for (const cents of [0, -1, 1.5, 1e12 + 1, 151_38, Number.NaN])
      expect(await makeLink(cents)).toMatchObject({ ok: false })
    expect(await makeAuctionLink(services, { ...winner, unitNumber: '101' })).toMatchObject({ ok: false })
    expect(await makeAuctionLink(services, { ...winner, unitNumber: '301' })).toMatchObject({ ok: false })
    const first = await createSettlementLink(services, 10_00)
    const second = await createSettlementLink(services, 20_00)
    expect(await openLinkPayment(services, 'settlement', first)).toEqual({ ok: false, why: 'no_link' })
    await payAtCounter(services, 10002, 151_37)
    expect(await openLinkPayment(services, 'settlement', second)).toEqual({ ok: false, why: 'nothing_due' })
    expect(await openLinkPayment(services, 'auction', second)).toEqual({ ok: false, why: 'no_link' })
    expect(await openLinkPayment(services, 'settlement', '../../etc')).toEqual({ ok: false, why: 'no_link' })
  })

  it('limits attempts to guess link ids from one address', async () => {
    let last = 0
    for (let n = 0; n < 60 && last !== 429; n += 1) {
      const uuid = services.random.uuid()
      const outcome = await (n % 2
        ? perform(services, getDelinquentTenant, { uuid }, visitor())
        : perform(services, getAuctionWinner, { uuid }, visitor()))
      last = outcome.ok ? 200 : outcome.status
    }
    expect(last).toBe(404)
    for (let n = 0; n < 25 && last !== 429; n += 1) {
      const outcome = await perform(services, getAuctionWinner, { uuid: services.random.uuid() }, visitor())
      last = outcome.ok ? 200 : outcome.status
    }
    expect(last).toBe(429)
  })

  it('ProcessPayment_V2 posts the caller’s own order once, and refuses other orders and contradictory fields', async () => {
    const hosted = await perform(
      services,
      postHostPay,
      { location_code: 'GA1', tenant_id: 1002, lease_number: 10002, autopay_bit: 0 },
      asCy,
    )
    if (!hosted.ok) throw new Error(hosted.message)
    const { order_id, total_amount, paypageurl } = hosted.value
    const process = (change: object, callers: Callers = asCy) =>
      perform(
        services,
        ProcessPayment_V2,
        {
          location_code: 'GA1',
          tenant_id: 1002,
          unit_id: 7,
          amount: total_amount,
          pay_periods: 1,
          payment_method: 'CC',
          autopay_bit: 0,
          auction_proceeds: '0',
          order_id,
          ...change,
        },
        callers,
      )
    expect(await process({})).toMatchObject({ value: { PaymentMessage: 'The payment is still being checked.' } })
    await pay(paypageurl, 'visa')
    const contradictions: object[] = [
      ...['0', '0.00', '-1.00', '1000000000000.00', '1.005', '151.37', 'all of it'].map((amount) => ({ amount })),
      { autopay_bit: 1 },
      { payment_method: 'ACH' },
      { unit_id: 6 },
      { auction_proceeds: '1' },
      { pay_periods: 2 },
    ]
    for (const change of contradictions)
      expect(await process(change), JSON.stringify(change)).toMatchObject({ status: 409 })
    expect((await payment(order_id)).state).toBe('presented')
    expect(await process({ cc_no: '************0000' })).toMatchObject({ status: 409 })
    expect(await process({ token: 'GUESSED' })).toMatchObject({ status: 409 })
    const recorded = await payment(order_id)
    const right = {
      cc_no: '************1111',
      cc_type: 'VI',
      cc_name: recorded.card_name,
      cc_response_code: '000',
      transaction_id: recorded.transaction_id,
    }
    for (let n = 0; n < 2; n += 1) {
      expect(await process(right)).toMatchObject({ value: { PaymentMessage: 'Successful', amount: total_amount } })
    }
    expect(await balance(10002)).toBe(0)
    expect(await process({}, asAda)).toMatchObject({ status: 403 })
    expect(await process({ tenant_id: 1001 }, asAda)).toMatchObject({ status: 403 })
    for (const order of ['LK0123456789ABCDEF01234567', "LK' OR 1=1--", '../../x', 'x'.repeat(64), '💥💥💥💥💥']) {
      expect(await process({ order_id: order })).toMatchObject({ status: 403 })
    }
    expect(await process({ order_id: 'x'.repeat(65) })).toMatchObject({ status: 400 })
    expect(await process({ tenant_id: 'me' })).toMatchObject({ status: 400 })
    expect(await perform(services, postDirectPay, { order_id }, asGuest(1002))).toMatchObject({ status: 403 })
    expect(await perform(services, postDirectPay, { order_id }, asCy)).toMatchObject({ value: { STATE: 'APPROVED' } })
    expect(await process({}, visitor())).toMatchObject({ status: 401 })
    await expectInvariants(services, till)
  })

  it.each([
    ['a tenant whose move-out is scheduled', asCy, () => change(services, 'leases', cysLease, scheduledMoveOut)],
    ['a guest, on a lease with autopay', asGuest(1002), () => turnAutopayOn(services, 10002, bankAccount('4321'))],
  ])('ProcessPayment_V2 posts a payment whose request for autopay was dropped, for %s', async (_, callers, prepare) => {
    await prepare()
    const lease = { location_code: 'GA1', tenant_id: 1002, autopay_bit: 1 }
    const hosted = await perform(services, postHostPay, { ...lease, lease_number: 10002 }, callers)
    if (!hosted.ok) throw new Error(hosted.message)
    const { order_id, paypageurl } = hosted.value
    await pay(paypageurl, 'visa')
    for (let n = 0; n < 2; n += 1)
      expect(await perform(services, ProcessPayment_V2, { ...lease, order_id }, callers)).toMatchObject({
        value: { PaymentMessage: 'Successful' },
      })
    expect(await payment(order_id)).toMatchObject({ autopay: 0, state: 'posted' })
  })

  it('hostpay opens a card page only for the caller’s own order, at the amount that the server computed', async () => {
    const callHostPay = (input: object, callers: Callers) =>
      perform(services, postHostPay, { location_code: 'GA1', ...input }, callers)
    expect(await callHostPay({ tenant_id: 1001, lease_number: 10002 }, asAda)).toMatchObject({ status: 404 })
    expect(await callHostPay({ tenant_id: 1002, lease_number: 10002 }, asAda)).toMatchObject({ status: 403 })
    const amount = (total_amount: string) => callHostPay({ tenant_id: 1002, lease_number: 10002, total_amount }, asCy)
    for (const wrongAmount of ['0', '-5.00', '151.36', '1000000000000', '151.375']) {
      expect(await amount(wrongAmount)).toMatchObject({ status: 409 })
    }
    expect(await recordsOf(services, 'payments')).toEqual([])
    expect(await callHostPay({ tenant_id: 1001, lease_number: 10001, pay_periods: 13 }, asAda)).toMatchObject({
      status: 400,
    })
    expect(await callHostPay({ tenant_id: 1002, lease_number: 10002 }, asGuest(1002))).toMatchObject({ ok: true })
    const uuid = await createSettlementLink(services)
    const link = { ...visitor(), settlement: { uuid } }
    expect(await callHostPay({ total_amount: '1.00' }, link)).toMatchObject({ status: 409 })
    expect(await callHostPay({ location_code: 'HI1' }, link)).toMatchObject({ status: 409 })
    expect(await callHostPay({}, link)).toMatchObject({ value: { total_amount: '90.00' } })
    expect(await callHostPay({}, { ...visitor(), settlement: { uuid: services.random.uuid() } })).toMatchObject({
      status: 404,
    })
  })

  it.each([
    ['a tenant', asCy],
    ['a guest', asGuest(1002)],
  ])('hostpay needs no tenant id, and no lease number for one open lease, for %s', async (_, callers) => {
    const callHostPay = (input: object) => perform(services, postHostPay, { location_code: 'GA1', ...input }, callers)
    expect(await callHostPay({ lease_number: 10001 })).toMatchObject({ status: 404 })
    expect(await callHostPay({ lease_number: 10001, tenant_id: 1001 })).toMatchObject({ status: 403 })
    expect(await callHostPay({ lease_number: 10002, total_amount: '1.00' })).toMatchObject({ code: 'amount_differs' })
    const several = { status: 400, fields: { lease_number: 'is required' } }
    await change(services, 'leases', { lease_number: 10001 }, { tenant_id: 1002 })
    expect(await callHostPay({})).toMatchObject(several)
    await change(services, 'leases', { lease_number: 10001 }, { status: 'Closed' })
    expect(await callHostPay({ total_amount: '153.51' })).toMatchObject({ value: { total_amount: '153.51' } })
    await change(services, 'leases', { lease_number: 10002 }, { status: 'Closed' })
    expect(await callHostPay({})).toMatchObject(several)
  })

  const rental = {
    draftId: 'd',
    proof: 'own' as const,
    resumedId: null,
    locationCode: 'GA1',
    tenantId: null,
    reservationCode: null,
    existingTenant: false,
    enteredTenantId: null,
  }

  it('opens the card page of the tenant whom the request names, also with a link or a rental in the session', async () => {
    const settlement = { uuid: await createSettlementLink(services) }
    for (const others of [{ settlement }, { rental }])
      expect(
        await perform(services, postHostPay, { location_code: 'GA1', tenant_id: 1002 }, { ...asCy, ...others }),
      ).toMatchObject({ value: { total_amount: '153.51' } })
  })

  it('pays nothing else for a request that names a link which is not the session’s', async () => {
    const auction = { uuid: await createAcknowledgedAuction(services) }
    const settlement = { uuid: await createSettlementLink(services) }
    const sessions: Partial<Callers>[] = [asCy, asGuest(1002), { rental }, { ...asCy, rental, auction }, { auction }]
    for (const session of sessions)
      for (const lease of [{}, { tenant_id: 1002 }])
        expect(
          await perform(
            services,
            postHostPay,
            { location_code: 'GA1', ...settlement, ...lease },
            { ...visitor(), ...session },
          ),
        ).toMatchObject({ status: 403 })
    expect(await recordsOf(services, 'payments')).toEqual([])
    expect(
      await perform(services, postHostPay, { location_code: 'GA1', ...settlement }, { ...asCy, rental, settlement }),
    ).toMatchObject({ value: { total_amount: '90.00' } })
  })

  it('neither shows nor pays the dues of a named lease for a rental session or a link', async () => {
    const uuid = await createSettlementLink(services)
    const sessions = [{ rental }, { auction: { uuid } }, { settlement: { uuid } }, { ...asAda, rental }]
    const leaseInput = { location_code: 'GA1', tenant_id: 1002, lease_number: 10002 }
    for (const session of sessions) {
      const callers = { ...visitor(), ...session }
      for (const more of [{}, { total_amount: '0.01' }, { pay_periods: 1, autopay_bit: '1' }])
        expect(await perform(services, postHostPay, { ...leaseInput, ...more }, callers)).toMatchObject({ status: 403 })
    }
    const denied = services.security.recorded.filter(([event]) => event === 'access.denied')
    expect(denied).toHaveLength(3 * sessions.length)
    const { tenant_id, ...withoutTenant } = leaseInput
    expect(await perform(services, postHostPay, withoutTenant, { ...asAda, rental })).toMatchObject({ status: 404 })
    expect(await recordsOf(services, 'payments')).toEqual([])
  })

  it('gives up a refund that keeps failing and reports it; staff retry it or pay it by hand, once', async () => {
    const { orderId } = await payByCard(
      openCheckout(services, await startTestCheckout(services, cyDues), testSubmission),
      'differs',
    )
    await decideReview(services, orderId, 'refund')
    const { cardProvider, reported } = services
    const before = reported.length
    const paidByHand = (order: string, how: string) =>
      services.db.transaction((tx) => recordPaidByHand(tx, services, order, how))
    const exhaustAttempts = async (refund: typeof cardProvider.refund) => {
      services.cardProvider = { ...cardProvider, refund }
      expect(await paidByHand(orderId, 'check 1042')).toBe(false)
      for (let n = 0; n < MAX_REFUND_ATTEMPTS + 2; n += 1) {
        await processRefunds(services)
        services.later(DAY)
      }
      expect(await loadUnfinishedRefunds(services, 'failed')).toMatchObject([
        { order_id: orderId, attempts: MAX_REFUND_ATTEMPTS },
      ])
    }
    await exhaustAttempts(() => Promise.reject(new Error('500 from the provider')))
    expect(reported.slice(before).map(String)).toEqual([
      'Error: A refund keeps failing: 500 from the provider',
      'Error: A refund failed for good: 500 from the provider',
    ])
    expect(await retryRefund(services, orderId)).toBe(true)
    expect(await retryRefund(services, orderId)).toBe(false)
    expect(await loadUnfinishedRefunds(services, 'open')).toMatchObject([{ attempts: 0 }])
    await exhaustAttempts(async () => ({ done: false, responseCode: '041', responseDescription: 'Account closed' }))
    expect(await Promise.all([1, 2].map(() => paidByHand(orderId, 'check 1042')))).toContain(true)
    expect(await paidByHand(orderId, 'check 1043')).toBe(false)
    expect(await loadUnfinishedRefunds(services)).toEqual([])
    expect(await retryRefund(services, orderId)).toBe(false)
    expect(await processRefunds(services)).toBe(0)
    expect(await loadPayment(services, orderId)).toMatchObject({ state: 'refunded' })
    await services.runDueJobs()
    await services.runDueJobs()
    const [mail, ...others] = await mailsOf(services, /^Your refund/)
    expect(others).toEqual([])
    expect(mail?.text).toContain('check 1042')
    expect(mail?.text).not.toMatch(/Visa|Banks take/)
  })

  it('keeps a unit held until staff have decided the manual review of its payment', async () => {
    const draft = await readyToPay(services)
    const page = await openTestCardPage(services, draft)
    await pay(page.payPageUrl, 'differs')
    await settlePayment(services, page.orderId)
    for (let day = 0; day < 8; day += 1) {
      services.later(11 * HOUR)
      expect(await expireUnpaidHolds(services)).toBe(0)
    }
    expect((await decideReview(services, page.orderId, 'post')).ok).toBe(true)
    const [lease] = await recordsOf(services, 'leases', { order_id: page.orderId })
    expect(lease?.unit_number).toMatch(/^10\d$/)
  })

  it('stores no card number, whether the payment is declined or posted', async () => {
    const checkout = await startTestCheckout(services, { ...cyDues, autopay: true })
    const cards: TestCardName[] = ['declined', 'expired', 'callIssuer', 'visa']
    for (const card of cards) {
      const opening = await expectOpen(openCheckout(services, checkout, testSubmission))
      await pay(opening.payPageUrl, card)
      await settlePayment(services, opening.orderId)
    }
    await services.runDueJobs()
    const { introspection } = services.db.read
    const tables = (await introspection.getTables()).map((table) => table.name)
    let text = services.reported
      .map((error) => (error instanceof Error ? `${error.message} ${error.stack}` : String(error)))
      .join(' ')
    for (const table of tables) text += JSON.stringify(await recordsOf(services, table as keyof Tables))
    expect(tables.length).toBeGreaterThan(30)
    expect(text).toContain('1111')
    for (const { number } of Object.values(TEST_CARDS)) {
      expect(text.includes(number), number).toBe(false)
      expect(text.includes(number.replace(/(.{4})(?=.)/g, '$1 ')), number).toBe(false)
    }
    expect(today).toBe('2026-11-20')
  })
})
