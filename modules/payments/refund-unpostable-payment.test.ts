/**
 * Tests that captured money that cannot be posted is refunded once and in full, by payer, payment method and reason.
 * Also tests money that was captured by an order that only saves the card.
 */
import { describe, expect, it } from 'vitest'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { change } from '../../tests/support/rows.ts'
import { today } from '../../tests/support/small-operator.ts'
import { autopayPartyOf } from '../leases/autopay-mandate.ts'
import { storeQuote } from '../reservations/draft-quote.ts'
import { payCheckoutByBank, payMoveInByBank } from './bank/bank-debit.ts'
import { openCheckout } from './open/open-checkout.ts'
import { openLinkPayment } from './open/open-link-payment.ts'
import { decideReview, loadUnfinishedRefunds } from './payment-reviews-and-failed-refunds.ts'
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
  openPayingServices,
  type PayingServices,
  payAtCounter,
  startTestCheckout,
  testSubmission,
} from './testing.ts'
import { bankDebits, sandboxForTests } from './testing-card-provider.ts'
import { crashAt, SimulatedCrash } from './testing-crash-points.ts'
import { loadNewLeases, subjects } from './testing-invariants.ts'
import { agreeAndOpen, readyToPay, saveTestAnswers } from './testing-rent-until-card-page.ts'

const { till, folder } = sandboxForTests('end-states')
const open = openerForTests()

const MINUTE = 60_000

async function services(): Promise<PayingServices> {
  const payingServices = await openPayingServices(await open(), till, folder)
  payingServices.bank = till.bank
  return payingServices
}

type Method = 'card' | 'bank'
/** Captures the money and ends the process before anything is posted. */
type Capture = (services: PayingServices, method: Method) => Promise<void>

async function byCard(services: PayingServices, opening: Promise<{ ok: boolean; why?: string }>): Promise<void> {
  const page = (await opening) as { ok: true; payPageUrl: string; orderId: string } | { ok: false; why: string }
  if (!page.ok) throw new Error(page.why)
  await payAtHostedPage(page.payPageUrl, 'visa')
  await expect(settlePayment(crashAt(services, 'captured'), page.orderId)).rejects.toThrow(SimulatedCrash)
}

const checkoutOfTerms =
  (terms: CheckoutTerms): Capture =>
  async (services, method) => {
    const checkout = await startTestCheckout(services, terms)
    if (method === 'card') return byCard(services, openCheckout(services, checkout, testSubmission))
    const dying = crashAt(services, 'captured')
    const paying = payCheckoutByBank(dying, checkout, { account: bankAccount('0000'), by: testSubmission })
    await expect(paying).rejects.toThrow(SimulatedCrash)
  }

const moveIn: Capture = async (services, method) => {
  const draft = await readyToPay(services)
  if (method === 'card') return byCard(services, agreeAndOpen(services, draft))
  const byBank = await saveTestAnswers(services, draft, { paymentMethod: 'ACH' })
  const quote = await storeQuote(services, byBank)
  const request = { quoteId: quote?.quoteId ?? '', account: bankAccount('0000'), by: testSubmission }
  await expect(payMoveInByBank(crashAt(services, 'captured'), byBank, request)).rejects.toThrow(SimulatedCrash)
}

const link =
  (kind: 'auction' | 'settlement'): Capture =>
  async (services) => {
    const uuid = await (kind === 'auction' ? createAcknowledgedAuction(services) : createSettlementLink(services))
    await byCard(services, openLinkPayment(services, kind, uuid))
  }

type Meanwhile = (services: PayingServices, leaseNumber: number) => Promise<unknown>

const passedOn: Meanwhile = (services, leaseNumber) =>
  change(services, 'leases', { lease_number: leaseNumber }, { tenant_id: leaseNumber === 10001 ? 1002 : 1001 })
const closed: Meanwhile = (services, leaseNumber) =>
  change(services, 'leases', { lease_number: leaseNumber }, { status: 'Closed', closed_on: today })
const paidAtTheCounter: Meanwhile = (services, leaseNumber) => payAtCounter(services, leaseNumber, 500_00)
/** Another payment has covered the days that were to be paid ahead. */
const paidAheadElsewhere: Meanwhile = async (services, leaseNumber) =>
  payAtCounter(services, leaseNumber, await chargeNextPeriod(services, leaseNumber))
const withdrawn =
  (table: 'auction_winners' | 'settlements'): Meanwhile =>
  (services) =>
    change(services, table, {}, { state: 'withdrawn' })
const reservationCancelled: Meanwhile = (services) => change(services, 'reservations', {}, { status: 'cancelled' })
const signatureVoid: Meanwhile = (services) => change(services, 'lease_documents', {}, { void: 1 })
const noUnitLeft: Meanwhile = (services) =>
  change(services, 'units', {}, { status: 'off', held_by: null, held_until: null })

const both: Method[] = ['card', 'bank']
const cases: {
  who: string
  methods: Method[]
  lease: number
  capture: Capture
  what: string
  do: Meanwhile
  why: string
}[] = [
  ...[
    { who: 'a tenant’s dues', capture: checkoutOfTerms(cyDues) },
    { who: 'a guest’s dues', capture: checkoutOfTerms({ ...cyDues, payer: 'guest' }) },
  ].flatMap((payer) => [
    { ...payer, methods: both, lease: 10002, what: 'paid at the counter', do: paidAtTheCounter, why: 'already_paid' },
    { ...payer, methods: both, lease: 10002, what: 'of another tenant by now', do: passedOn, why: 'unknown' },
  ]),
  ...[
    { what: 'of a lease that ended', do: closed, why: 'lease_closed' },
    { what: 'paid ahead by another payment', do: paidAheadElsewhere, why: 'already_paid' },
    { what: 'of another tenant by now', do: passedOn, why: 'unknown' },
  ].map((variant) => ({
    ...variant,
    who: 'a period ahead',
    methods: both,
    lease: 10001,
    capture: checkoutOfTerms(adaPrepays),
  })),
  {
    who: 'autopay alone',
    methods: both,
    lease: 10001,
    capture: checkoutOfTerms(autopayTerms),
    what: 'of another tenant by now',
    do: passedOn,
    why: 'unknown',
  },
  ...[
    { what: 'whose reservation was cancelled', do: reservationCancelled, why: 'reservation_cancelled' },
    { what: 'whose signature is void', do: signatureVoid, why: 'lease_void' },
    { what: 'without a unit of that type left', do: noUnitLeft, why: 'unit_lost' },
  ].map((variant) => ({ ...variant, who: 'a move-in', methods: both, lease: 0, capture: moveIn })),
  ...[
    { what: 'of a lease that ended', do: closed, why: 'lease_closed' },
    { what: 'whose link was withdrawn', do: withdrawn('auction_winners'), why: 'link_withdrawn' },
  ].map((variant) => ({
    ...variant,
    who: 'an auction',
    methods: ['card'] as Method[],
    lease: 10002,
    capture: link('auction'),
  })),
  ...[
    { what: 'paid at the counter', do: paidAtTheCounter, why: 'already_paid' },
    { what: 'whose link was withdrawn', do: withdrawn('settlements'), why: 'link_withdrawn' },
  ].map((variant) => ({
    ...variant,
    who: 'a settlement',
    methods: ['card'] as Method[],
    lease: 10002,
    capture: link('settlement'),
  })),
]

describe('Captured money that cannot be posted', () => {
  it.each(cases.flatMap(({ methods, ...testCase }) => methods.map((method) => ({ ...testCase, method }))))(
    'is refunded for $who by $method, $what: $why',
    async ({ method, lease, capture, do: meanwhile, why }) => {
      const here = await services()
      await capture(here, method)
      await meanwhile(here, lease)
      here.later(MINUTE)
      await reconcilePayments(here)
      await reconcilePayments(here)
      const payment = () => here.db.read.selectFrom('payments').selectAll().executeTakeFirstOrThrow()
      const { order_id: orderId, amount } = await payment()
      expect(await settlePayment(here, orderId)).toEqual({ state: 'refund' })
      expect(await loadUnfinishedRefunds(here, 'open')).toMatchObject([
        { order_id: orderId, cents: amount, reason: why },
      ])
      here.later(MINUTE)
      expect(await processRefunds(here)).toBe(1)
      expect(await processRefunds(here)).toBe(0)
      expect(await payment()).toMatchObject({ state: 'refunded', trouble: why })
      expect(await loadUnfinishedRefunds(here)).toEqual([])
      if (method === 'card') {
        const moved = await till.moved(orderId)
        expect([moved.charged, moved.returned]).toEqual([amount, amount])
      } else {
        const own = (await bankDebits(till)).filter((debit) => debit.order_id === orderId)
        // An order of 0 has no debit to refund.
        expect(own.map((debit) => debit.credited_at !== null)).toEqual(amount === 0 ? [] : [true])
      }
      const entries = here.db.read.selectFrom('ledger_entries').select('entry_id').where('order_id', '=', orderId)
      expect(await entries.execute()).toEqual([])
      expect(await loadNewLeases(here)).toEqual([])
      await here.runDueJobs()
      await here.runDueJobs()
      const sentSubjects = (await subjects(here)).filter((subject) => /receipt|refund|moved in|autopay/i.test(subject))
      expect(sentSubjects.map((subject) => subject.replace(/ of .*/, ''))).toEqual(amount === 0 ? [] : ['Your refund'])
    },
  )
})

describe('An amount captured by an order that only saves the card', () => {
  /** Lets the provider capture a dollar for an order that only saves the card, so that the payment is in review. */
  async function captureDollar(): Promise<{ here: PayingServices; orderId: string }> {
    const here = await services()
    const opening = await openCheckout(here, await startTestCheckout(here, autopayTerms), testSubmission)
    if (!opening.ok) throw new Error(opening.why)
    await payAtHostedPage(opening.payPageUrl, 'visa')
    const query = here.cardProvider.queryPayment
    Object.assign(here.cardProvider, {
      queryPayment: async (orderId: string) => ({ ...(await query(orderId)), approvedAmount: 1_00 }),
    })
    expect(await settlePayment(here, opening.orderId)).toEqual({ state: 'review' })
    return { here, orderId: opening.orderId }
  }

  it('becomes a credit when staff post it, switches autopay on, and both are mailed', async () => {
    const { here, orderId } = await captureDollar()
    expect(await decideReview(here, orderId, 'post')).toMatchObject({ ok: true, settled: { state: 'posted' } })
    const entries = here.db.read.selectFrom('ledger_entries').select(['kind', 'cents'])
    expect(await entries.where('order_id', '=', orderId).execute()).toEqual([{ kind: 'payment', cents: -1_00 }])
    const lease = await here.db.read.selectFrom('leases').selectAll().where('lease_number', '=', 10001).execute()
    expect(lease.map((row) => autopayPartyOf(here, row))).toEqual([{ alias: expect.any(String) }])
    await here.runDueJobs()
    expect((await subjects(here)).filter((subject) => /^Receipt|^Autopay/.test(subject))).toHaveLength(2)
  })

  it('is refunded when staff refuse it, and leaves autopay off', async () => {
    const { here, orderId } = await captureDollar()
    expect(await decideReview(here, orderId, 'refund')).toMatchObject({ ok: true, settled: { state: 'refund' } })
    expect(await loadUnfinishedRefunds(here)).toMatchObject([
      { order_id: orderId, cents: 1_00, reason: 'review_refused' },
    ])
    const lease = await here.db.read.selectFrom('leases').select('autopay').where('lease_number', '=', 10001).execute()
    expect(lease).toEqual([{ autopay: 0 }])
  })
})
