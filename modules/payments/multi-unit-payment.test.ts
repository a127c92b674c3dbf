import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addDays, formatUs } from '../../domain/plain-date.ts'
import { duesFirst, movingOut, paymentAlreadyProcessed } from '../../domain/texts/payment.ts'
import { perform } from '../../platform/operations/operation.ts'
import { cancelAtHostedPage, payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { addRecord, change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { asAda, asCy, lease, today } from '../../tests/support/small-operator.ts'
import { addStaffCaller, type StaffCallers, withApprovals } from '../../tests/support/staff.ts'
import { autopayPartyOf } from '../leases/autopay-mandate.ts'
import { RefundPayment } from '../refunds/operations/refund-payment.ts'
import { RefundedByHand } from '../refunds/operations/refunded-by-hand.ts'
import { reverseReturnedDebits } from '../refunds/reverse-payments-returned-by-bank.ts'
import { loadRefundableOrders } from '../refunds/views/refundable-orders.ts'
import { loadNewestEntry } from '../standing/add-staff-ledger-entries.ts'
import { postCharge, postPayment } from '../standing/post-entries.ts'
import { runAutopay } from './autopay/charge-autopay.ts'
import { payCheckoutByBank } from './bank/bank-debit.ts'
import { isPaymentPending } from './is-payment-pending.ts'
import { openCheckout } from './open/open-checkout.ts'
import { GetPaymentHistory_V1 } from './operations/get-payment-history-v1.ts'
import { StartUnitsCheckout } from './operations/start-units-checkout.ts'
import { decryptPlan } from './order-terms-encryption.ts'
import { decideReview } from './payment-reviews-and-failed-refunds.ts'
import { loadPaymentFacts } from './receipt.ts'
import { processRefunds } from './refund-unposted-payments.ts'
import type { Checkout, CheckoutTerms, LeaseTerms } from './rules/checkout-terms.ts'
import { isOwnPayment } from './rules/payment-visibility.ts'
import { settlePayment } from './settle-payment.ts'
import { reconcilePayments } from './settle-pending-payments.ts'
import {
  bankAccount,
  chargeNextPeriod,
  cyDues,
  leaseOf,
  openPayingServices,
  type PayingServices,
  payAtCounter,
  startTestCheckout,
  testSubmission,
  turnAutopayOn,
} from './testing.ts'
import { bankDebits, sandboxForTests } from './testing-card-provider.ts'
import { crashAt, expectNoDeadlock, runAndKillSettlingProcess, SimulatedCrash } from './testing-crash-points.ts'
import { mailsOf } from './testing-invariants.ts'
import { autopayOnAlready } from './texts/several-units.ts'
import { loadPaymentPurposes } from './views/describe-what-payments-paid-for.ts'
import { loadCheckout } from './views/own-checkout.ts'
import { loadTenantInReview } from './views/tenant-payments-in-review.ts'

const DAY = 24 * 60 * 60 * 1000
const { till, folder } = sandboxForTests('several')

const units = [10002, 10003, 10004] as const
const owed = { 10002: 151_37, 10003: 80_00, 10004: 42_50 } as const

const together = (numbers: readonly number[] = units): CheckoutTerms => ({
  ...cyDues,
  payer: 'units',
  leaseNumber: numbers[0] ?? 0,
  leaseNumbers: numbers,
})

describeOnBothEngines('One payment for several units', (open) => {
  let services: PayingServices
  beforeEach(async () => {
    services = withApprovals(await openPayingServices(await open(), till, folder))
    services.bank = till.bank
    for (const number of [10003, 10004] as const) {
      const at = number - 10000
      await addRecord(
        services,
        'leases',
        lease({ lease_number: number, tenant_id: 1002, unit_id: at, unit_number: `10${at}`, status: 'Past Due' }),
      )
      await change(services, 'units', { location_code: 'GA1', unit_id: at }, { status: 'rented' })
      await owes(number, owed[number])
    }
  })
  afterEach(() => services.db.close())

  const owes = (leaseNumber: number, cents: number, once = `of ${leaseNumber}`) =>
    services.db.transaction((tx) =>
      postCharge(tx, services, { locationCode: 'GA1', leaseNumber, kind: 'fee', cents, description: 'Rent', once }),
    )
  const balances = async () => Promise.all(units.map(async (number) => (await leaseOf(services, number)).balance))
  const payment = (orderId: string) => recordOf(services, 'payments', { order_id: orderId })
  const shares = async (orderId: string) =>
    (await recordsOf(services, 'payment_shares', { order_id: orderId }))
      .sort((a, b) => a.lease_number - b.lease_number)
      .map(({ lease_number, cents, refunded_cents }) => [lease_number, cents, refunded_cents])
  const opened = async (checkout: Checkout) => {
    const page = await openCheckout(services, checkout, testSubmission)
    if (!page.ok) throw new Error(JSON.stringify(page))
    return page
  }
  /** Starts a checkout through the operation, for dues unless `terms` says otherwise. */
  const start = (numbers: readonly number[], terms: Partial<LeaseTerms> = {}, who = asCy) => {
    const input = { location_code: 'GA1', tenant_id: 1002, lease_numbers: [...numbers] }
    return perform(services, StartUnitsCheckout, { ...input, pays: 'dues', periods: 1, autopay: false, ...terms }, who)
  }
  const atCardPage = async (numbers: readonly number[] = units, card: TestCardName = 'visa') => {
    const page = await opened(await startTestCheckout(services, together(numbers)))
    await payAtHostedPage(page.payPageUrl, card).catch(() => {})
    return page
  }
  const paid = async (numbers: readonly number[] = units) => {
    const page = await atCardPage(numbers)
    expect((await settlePayment(services, page.orderId)).state).toBe('posted')
    return page
  }
  const debited = async (ending = '0000', terms = together()) => {
    const result = await payCheckoutByBank(services, await startTestCheckout(services, terms), {
      account: bankAccount(ending),
      by: testSubmission,
    })
    if (!result.ok || !('orderId' in result.paid)) throw new Error(JSON.stringify(result))
    return result.paid.orderId
  }

  /** Checks an order's payment entries against its shares, all balances against the ledger, and a card order's net charge. */
  async function expectAgreement(orderId: string) {
    const { state, amount, approved_amount, method, refunded_cents } = await payment(orderId)
    const captured = approved_amount ?? amount
    const parts = await recordsOf(services, 'payment_shares', { order_id: orderId })
    const entries = await recordsOf(services, 'ledger_entries', { order_id: orderId })
    const entriesOf = (kind: string) =>
      entries.filter((entry) => entry.kind === kind).map(({ lease_number, cents }) => [lease_number, -cents])
    const counts = state === 'posted' || state === 'returned'
    expect(entriesOf('payment').sort()).toEqual(
      counts
        ? parts
            .filter(({ cents }) => cents > 0)
            .map(({ lease_number, cents }) => [lease_number, cents])
            .sort()
        : [],
    )
    if (counts) expect(parts.reduce((sum, { cents }) => sum + cents, 0)).toBe(captured)
    expect(parts.reduce((sum, part) => sum + part.refunded_cents, 0)).toBe(refunded_cents)
    for (const { lease_number, balance } of await recordsOf(services, 'leases')) {
      const own = await recordsOf(services, 'ledger_entries', { lease_number })
      expect(own.reduce((sum, { cents }) => sum + cents, 0)).toBe(balance)
    }
    if (method === 'ACH') return
    const moved = await till.moved(orderId)
    expect(moved.charged - moved.returned).toBe(counts ? captured : 0)
  }

  it('creates one order, receipt and mail, and its leases’ entries add up to the order', async () => {
    services.later(60_000)
    const page = await paid()
    const fee = (await recordsOf(services, 'ledger_entries', { order_id: page.orderId }))
      .filter(({ kind }) => kind === 'fee' || kind === 'tax')
      .map(({ lease_number, cents }) => [lease_number, cents])
    expect(new Set(fee.map(([number]) => number)).size).toBeLessThanOrEqual(1)
    const feeCents = fee.reduce((sum, [, cents = 0]) => sum + cents, 0)
    expect(page.amount).toBe(151_37 + 80_00 + 42_50 + feeCents)
    expect(await balances()).toEqual([0, 0, 0])
    expect(await payment(page.orderId)).toMatchObject({ payer: 'units', lease_number: null, state: 'posted' })
    await expectAgreement(page.orderId)
    const facts = await loadPaymentFacts(services, page.orderId)
    expect(facts).toMatchObject({ unitNumber: '302, 103, 104', total: page.amount, leaseNumber: null })
    expect(facts?.lines.map(({ label }) => label).slice(0, 3)).toEqual([
      'Unit 302: Rent',
      'Unit 103: Rent',
      'Unit 104: Rent',
    ])
    expect(facts?.lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(page.amount)
    expect([isOwnPayment(asCy, await payment(page.orderId)), isOwnPayment(asAda, await payment(page.orderId))]).toEqual(
      [true, false],
    )
    await services.runDueJobs()
    const mails = await mailsOf(services, /receipt|payment/i)
    expect(mails).toHaveLength(1)
    for (const unit of ['Unit 302', 'Unit 103', 'Unit 104']) expect(mails[0]?.text).toContain(unit)
    const history = await perform(services, GetPaymentHistory_V1, { location_code: 'GA1', tenant_id: 1002 }, asCy)
    expect(history.ok && history.value.Payment.map((row) => [row.unitNumber, row.order_id])).toHaveLength(3)
    // Repeated and concurrent settling changes nothing.
    await Promise.all([settlePayment(services, page.orderId), settlePayment(services, page.orderId)])
    await expectAgreement(page.orderId)
  })

  it('opens for the tenant’s own units that owe, and says which one keeps it from opening', async () => {
    expect(await start([10002, 10003])).toMatchObject({ ok: true })
    expect(await start([10002, 10003], {}, asAda)).toMatchObject({ ok: false, status: 403 })
    expect(await start([10002, 10001])).toMatchObject({ ok: false, code: 'not_payable' })
    await payAtCounter(services, 10003, 80_00)
    expect(await start([10002, 10003])).toMatchObject({ message: `Unit 103: ${paymentAlreadyProcessed}` })
    await change(services, 'leases', { lease_number: 10004 }, { auction_prepped: 1 })
    expect(await start([10002, 10004])).toMatchObject({ message: expect.stringContaining('Unit 104: ') })
    const again = await start([10002, 10002])
    const checkout = again.ok ? await loadCheckout(services, again.value.checkoutId) : null
    expect(checkout?.leaseNumbers).toEqual([10002])
  })

  it('asks again when amounts have changed, without units that can no longer be paid', async () => {
    const checkout = await startTestCheckout(services, together())
    await owes(10002, 5_00, 'more')
    await payAtCounter(services, 10003, 80_00)
    const opening = await openCheckout(services, checkout, testSubmission)
    expect(opening).toMatchObject({
      why: 'price_changed',
      changes: [
        { label: 'Unit 302', before: 151_37, now: 156_37 },
        { label: 'Unit 103', before: 80_00, now: null },
      ],
      now: { leaseNumbers: [10002, 10004] },
    })
    if (opening.ok || opening.why !== 'price_changed') return
    await change(services, 'leases', { lease_number: 10004 }, { auction_prepped: 1 })
    const left = await openCheckout(services, opening.now, testSubmission)
    expect(left).toMatchObject({ why: 'price_changed', now: { leaseNumbers: [10002] } })
    if (left.ok || left.why !== 'price_changed') return
    const page = await opened(left.now)
    await payAtHostedPage(page.payPageUrl, 'visa')
    await settlePayment(services, page.orderId)
    await expectAgreement(page.orderId)
    expect(await openCheckout(services, left.now, testSubmission)).toMatchObject({ why: 'paid' })
  })

  it('has one order for a repeated press, which another browser’s order with overlapping units replaces', async () => {
    const checkout = await startTestCheckout(services, together())
    const both = await Promise.all([opened(checkout), opened(checkout)])
    expect(both[0]?.orderId).toBe(both[1]?.orderId)
    const other = await opened(await startTestCheckout(services, together([10003, 10004])))
    expect((await payment(both[0]!.orderId)).state).toBe('cancelled')
    await payAtHostedPage(other.payPageUrl, 'visa')
    await settlePayment(services, other.orderId)
    expect(await balances()).toEqual([151_37, 0, 0])
    // The closed page is paid all the same; its payment is not posted but refunded in full.
    await payAtHostedPage(both[0]!.payPageUrl, 'visa')
    expect(await settlePayment(services, both[0]!.orderId)).toEqual({ state: 'refund' })
    await processRefunds(services)
    expect(await balances()).toEqual([151_37, 0, 0])
    const moved = await till.moved(both[0]!.orderId)
    expect(moved.charged - moved.returned).toBe(0)
    await expectAgreement(other.orderId)
  })

  it('refunds the whole payment when one unit was paid while the card page was open', async () => {
    const page = await atCardPage()
    await payAtCounter(services, 10003, 80_00)
    expect(await settlePayment(services, page.orderId)).toEqual({ state: 'refund' })
    expect(await balances()).toEqual([151_37, 0, 42_50])
    expect(await recordsOf(services, 'ledger_entries', { order_id: page.orderId })).toEqual([])
    await processRefunds(services)
    await services.runDueJobs()
    expect(await mailsOf(services, /refund/i)).toHaveLength(1)
    await expectAgreement(page.orderId)
  })

  it('pays a unit that was locked or closed meanwhile and still owes', async () => {
    const page = await atCardPage()
    await change(services, 'leases', { lease_number: 10003 }, { overlocked: 1 })
    await change(services, 'leases', { lease_number: 10004 }, { status: 'Closed' })
    expect((await settlePayment(services, page.orderId)).state).toBe('posted')
    expect(await leaseOf(services, 10003)).toMatchObject({ overlocked: 0, balance: 0 })
    await expectAgreement(page.orderId)
  })

  it('posts nothing when the card is declined or its page is left', async () => {
    const declined = await atCardPage(units, 'declined')
    expect((await settlePayment(services, declined.orderId)).state).toBe('declined')
    const left = await opened(await startTestCheckout(services, together()))
    await cancelAtHostedPage(left.payPageUrl)
    expect((await settlePayment(services, left.orderId)).state).toBe('cancelled')
    expect(await balances()).toEqual([151_37, 80_00, 42_50])
    expect((await till.moved(declined.orderId)).charged).toBe(0)
  })

  it('blocks another payment for one of its units while it is pending, and is blocked by one', async () => {
    const page = await atCardPage()
    const unitCheckout = await startTestCheckout(services, { ...cyDues, leaseNumber: 10003 })
    // The earlier order is settled first and turns out paid.
    expect(await openCheckout(services, unitCheckout, testSubmission)).toMatchObject({ ok: false, why: 'blocked' })
    await expectAgreement(page.orderId)
    await owes(10003, 9_00, 'new')
    const single = await opened(await startTestCheckout(services, { ...cyDues, leaseNumber: 10003 }))
    await change(services, 'payments', { order_id: single.orderId }, { state: 'review' })
    await owes(10002, 9_00, 'new')
    expect(
      await openCheckout(services, await startTestCheckout(services, together([10002, 10003])), testSubmission),
    ).toMatchObject({
      why: 'checking',
    })
    await change(services, 'payments', { order_id: single.orderId }, { state: 'declined' })
    const both = await opened(await startTestCheckout(services, together([10002, 10003])))
    const key = { location_code: 'GA1', lease_number: 10003 }
    expect(await services.db.transaction((tx) => isPaymentPending(tx, key))).toBe(true)
    expect(await services.db.transaction((tx) => isPaymentPending(tx, { ...key, lease_number: 10004 }))).toBe(false)
    await turnAutopayOn(services, 10003, { alias: 'an alias' })
    await change(services, 'leases', { lease_number: 10003 }, { paid_through: '2026-11-01' })
    expect(await runAutopay(services, { date: '2026-11-20' })).toMatchObject({ tries: 0 })
    expect((await payment(both.orderId)).state).toBe('presented')
  })

  it('charges once and posts once when the process is killed at any point', async () => {
    for (const at of ['order written', 'page opened', 'provider asked', 'captured', 'posted'] as const) {
      for (const number of units) await owes(number, 10_00, `before ${at}`)
      const checkout = await startTestCheckout(services, together())
      const opens = openCheckout(crashAt(services, at), checkout, testSubmission)
      if (at === 'order written' || at === 'page opened') await expect(opens).rejects.toThrow(SimulatedCrash)
      else await opens
      const page = await opened(checkout)
      await payAtHostedPage(page.payPageUrl, 'visa')
      await settlePayment(crashAt(services, at), page.orderId).catch((error) =>
        expect(error).toBeInstanceOf(SimulatedCrash),
      )
      services.later(DAY / 24)
      await reconcilePayments(services)
      expect(await balances(), at).toEqual([0, 0, 0])
      await expectAgreement(page.orderId)
    }
    expect(await recordsOf(services, 'payments', { payer: 'units', state: 'posted' })).toHaveLength(5)
  })

  it('waits for manual review when another amount was captured, and then posts it lease by lease', async () => {
    const page = await opened(await startTestCheckout(services, together()))
    await payAtHostedPage(page.payPageUrl, 'differs').catch(() => {})
    await change(services, 'payments', { order_id: page.orderId }, { state: 'review', approved_amount: 200_00 })
    const reviewed = await loadTenantInReview(services, { locationCode: 'GA1', tenantId: 1002 })
    expect(await decideReview(services, page.orderId, 'post')).toMatchObject({ settled: { state: 'posted' } })
    const postedShares = await shares(page.orderId)
    expect(postedShares.reduce((sum, [, cents = 0]) => sum + cents, 0)).toBe(200_00)
    expect(reviewed.map(({ leaseNumber, amount }) => [leaseNumber, amount])).toEqual(
      postedShares.map(([leaseNumber, cents]) => [leaseNumber, cents]),
    )
    expect((await balances()).reduce((sum, cents) => sum + cents, 0)).toBe(page.amount - 200_00)
  })

  it('is returned by the bank as a whole, lease by lease, with one mail', async () => {
    const orderId = await debited('3333')
    expect(await balances()).toEqual([0, 0, 0])
    await services.runDueJobs()
    services.later(3 * DAY)
    expect(await reverseReturnedDebits(services)).toBe(1)
    expect(await reverseReturnedDebits(services)).toBe(0)
    expect(await balances()).toEqual([151_37, 80_00, 42_50])
    expect((await payment(orderId)).state).toBe('returned')
    await expectAgreement(orderId)
    await change(services, 'leases', { lease_number: 10002 }, { paid_through: addDays(today, 29) })
    await change(services, 'leases', { lease_number: 10003 }, { paid_through: today })
    await change(services, 'leases', { lease_number: 10004 }, { paid_through: addDays(today, -40), overlocked: 1 })
    await services.runDueJobs()
    const [mail, ...more] = await mailsOf(services, /returned/)
    expect(more).toEqual([])
    // The mail warns of the lock of each unit whose lock has come or is near.
    const text = mail?.text.replaceAll(/\s+/g, ' ')
    expect(text).not.toContain('Unit 302:')
    expect(text).toMatch(/Unit 103: From \w+, [\d/]+ the gate does not take your code and the unit is locked/)
    expect(text).toContain('Unit 104: The gate does not take your code and the unit is locked')
    expect(mail?.text).toContain('302, 103, 104')
    expect(mail?.text).toContain('$273.87')
    expect((await recordsOf(services, 'tenant_notes')).filter(({ note }) => /returned/.test(note))).toHaveLength(3)
  })

  const callUs = /contact customer service to make a payment/
  it.each([
    { blocked: [10002], expected: [/Unit 302: Please contact/], payNow: true },
    { blocked: [10004], expected: [/Unit 104: Please contact/], payNow: true },
    { blocked: [10002, 10003, 10004], expected: [/(?<!Unit \d+: )Please contact customer service/], payNow: false },
    { blocked: [10002], paidElsewhere: true, expected: [], payNow: true },
  ])(
    'says after a return which of $blocked are paid by phone',
    async ({ blocked, expected, payNow, paidElsewhere = false }) => {
      await debited('3333')
      await services.runDueJobs()
      services.later(3 * DAY)
      expect(await reverseReturnedDebits(services)).toBe(1)
      for (const lease_number of blocked) await change(services, 'leases', { lease_number }, { auction_prepped: 1 })
      if (paidElsewhere)
        await services.db.transaction((tx) =>
          postPayment(tx, services, {
            locationCode: 'GA1',
            leaseNumber: 10002,
            cents: owed[10002],
            orderId: 'LKELSEWHERE',
            description: 'Check',
          }),
        )
      await services.runDueJobs()
      const text = (await mailsOf(services, /returned/))[0]?.text.replaceAll(/\s+/g, ' ') ?? ''
      for (const sentence of expected) expect(text).toMatch(sentence)
      expect([callUs.test(text), text.includes('/my-units')]).toEqual([expected.length > 0, payNow])
    },
  )

  it('takes no debit twice for a parallel press, nor for units that another debit is paying', async () => {
    const request = { account: bankAccount('0000'), by: testSubmission }
    const checkout = await startTestCheckout(services, together())
    const overlapping = await startTestCheckout(services, together([10003, 10004]))
    await Promise.all([
      payCheckoutByBank(services, checkout, request),
      payCheckoutByBank(services, checkout, request),
      payCheckoutByBank(services, overlapping, request),
    ])
    services.later(DAY)
    await reconcilePayments(services)
    await processRefunds(services)
    expect((await balances()).every((cents) => cents >= 0)).toBe(true)
    const posted = await recordsOf(services, 'payments', { state: 'posted' })
    expect(posted).toHaveLength(1)
    const postedDebits = (await bankDebits(till)).filter((debit) =>
      posted.some(({ order_id }) => order_id === debit.order_id && debit.credited_at === null),
    )
    expect(postedDebits).toHaveLength(1)
    await expectAgreement(posted[0]!.order_id)
  })

  it('gives a share back by check, never more than the share, and the rest may come back from the bank', async () => {
    const finance: StaffCallers = await addStaffCaller(services, 'finance')
    const orderId = await debited('3333')
    await addRecord(services, 'settings', { name: 'bank_refund_days', value: '0', updated_at: 0 })
    const form = async (lease_number: number, cents: number, more: object = {}) => {
      const { location_code, tenant_id, balance } = await leaseOf(services, lease_number)
      const newest = await loadNewestEntry(services.db.read, { location_code, lease_number })
      return {
        location_code,
        lease_number,
        tenant_id,
        balance,
        newest_entry: newest?.entry_id ?? '',
        act_id: services.random.uuid(),
        note: '',
        order_id: orderId,
        cents,
        way: 'check',
        afterwards: 'owed',
        reason: 'charged-twice',
        ...more,
      }
    }
    const refund = async (...args: Parameters<typeof form>) =>
      perform(services, RefundPayment, await form(...args), finance)
    const key = { location_code: 'GA1', lease_number: 10003 }
    expect(await loadRefundableOrders(services.db.read, key)).toMatchObject([
      { captured: 80_00, remaining: 80_00, ofSeveral: true },
    ])
    expect(await refund(10003, 80_00, { way: 'provider' })).toMatchObject({ code: 'part_of_order' })
    expect(await refund(10003, 80_01)).toMatchObject({ code: 'more_than_left' })
    expect(await refund(10003, 80_00)).toMatchObject({ value: { result: 'done' } })
    expect(await refund(10003, 1)).toMatchObject({ code: 'nothing_left' })
    expect(await refund(10001, 1)).toMatchObject({ ok: false })
    expect(await refund(10002, 51_37)).toMatchObject({ value: { result: 'done' } })
    expect(await loadRefundableOrders(services.db.read, key)).toEqual([])
    // Twelve newer orders from which nothing is left for this lease do not hide the older one.
    const [order] = await recordsOf(services, 'payments', { order_id: orderId })
    for (let index = 1; index <= 12; index++) {
      const newer = { order_id: `newer-${index}`, posted_at: Number(order?.posted_at) + index }
      await addRecord(services, 'payments', {
        ...order,
        ...newer,
        refunded_cents: 42_50,
      })
      for (const share of await recordsOf(services, 'payment_shares', { order_id: orderId }))
        await addRecord(services, 'payment_shares', {
          ...share,
          order_id: newer.order_id,
          refunded_cents: share.lease_number === 10004 ? 42_50 : 0,
        })
    }
    const open = { location_code: 'GA1', lease_number: 10004 }
    expect(await loadRefundableOrders(services.db.read, open)).toMatchObject([{ orderId, remaining: 42_50 }])
    expect(await shares(orderId)).toEqual([
      [10002, 151_37, 51_37],
      [10003, 80_00, 80_00],
      [10004, 42_50, 0],
    ])
    const correcting = (await recordsOf(services, 'ledger_entries', { order_id: orderId, kind: 'refund' })).map(
      ({ entry_id }) => entry_id,
    )
    for (const entry_id of correcting) {
      const { corrects } = await recordOf(services, 'entry_reasons', { entry_id })
      const refundEntry = await recordOf(services, 'ledger_entries', { entry_id })
      const correctedEntry = await recordOf(services, 'ledger_entries', { entry_id: corrects ?? '' })
      expect(correctedEntry.lease_number).toBe(refundEntry.lease_number)
    }
    const [refundRow] = await recordsOf(services, 'refunds', { lease_number: 10003 })
    await perform(
      services,
      RefundedByHand,
      { location_code: 'GA1', refund: refundRow?.refund_id, how: 'check 7' },
      finance,
    )
    await services.runDueJobs()
    const mail = (await mailsOf(services, /refund|back/i)).at(-1)
    expect(mail?.text).toContain('103')
    services.later(3 * DAY)
    await reverseReturnedDebits(services)
    expect(await balances()).toEqual([151_37, 80_00, 42_50])
    await expectAgreement(orderId)
  })

  describe('that prepays or turns autopay on', () => {
    /** Starts a checkout for one unit alone, by default for two periods ahead. */
    const alone = (leaseNumber: number, periods = 2) =>
      startTestCheckout(services, { ...cyDues, leaseNumber, pays: 'prepay', periods })
    const prepay = (numbers: readonly number[] = units): CheckoutTerms => ({
      ...together(numbers),
      pays: 'prepay',
      periods: 2,
    })
    const autopay = (): CheckoutTerms => ({ ...together(), pays: 'autopay', autopay: true })
    const leases = () => Promise.all(units.map((number) => leaseOf(services, number)))
    const paidThrough = async () => (await leases()).map((lease) => lease.paid_through)
    const pay = async (terms: CheckoutTerms) => {
      const page = await opened(await startTestCheckout(services, terms))
      await payAtHostedPage(page.payPageUrl, 'visa')
      return page
    }
    const rents = async () =>
      (await recordsOf(services, 'ledger_entries', { kind: 'rent' })).filter(
        ({ cents, lease_number, period_start }) => cents > 0 && lease_number !== 10001 && period_start !== null,
      ).length
    let rentsBefore = 0
    beforeEach(async () => {
      for (const number of units) await payAtCounter(services, number, owed[number], `COUNTER${number}`)
      rentsBefore = await rents()
      services.later(60_000)
    })

    it('pays each unit ahead at the price it has alone, with one order, card fee, receipt and mail', async () => {
      const singles = await Promise.all(units.map((number) => alone(number)))
      const [first] = singles
      const fee = (first?.price.CC.total ?? 0) - (first?.price.ACH.total ?? 0)
      const page = await pay(prepay())
      expect(fee).toBeGreaterThan(0)
      expect(page.amount).toBe(singles.reduce((sum, single) => sum + single.price.ACH.total, 0) + fee)
      expect((await settlePayment(services, page.orderId)).state).toBe('posted')
      expect(await balances()).toEqual([0, 0, 0])
      expect(await paidThrough()).toEqual(singles.map((single) => single.price.CC.period?.to))
      expect((await rents()) - rentsBefore).toBe(6)
      expect((await leases()).map((lease) => lease.autopay)).toEqual([0, 0, 0])
      await expectAgreement(page.orderId)
      expect(await till.moved(page.orderId)).toMatchObject({ charges: 1, charged: page.amount })
      const facts = await loadPaymentFacts(services, page.orderId)
      const period = singles[0]?.price.CC.period
      const span = period && `${formatUs(period.from)} to ${formatUs(period.to)}`
      expect(facts?.lines.map(({ label }) => label)).toEqual(
        expect.arrayContaining([`Unit 302: Rent, ${span}`, expect.stringMatching(/^Unit 103: .*[Tt]ax/)]),
      )
      expect(facts?.lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(page.amount)
      const purposeOf = await loadPaymentPurposes(services, [{ orderId: page.orderId, leaseNumber: 10002 }])
      expect(purposeOf({ orderId: page.orderId, leaseNumber: 10002 })).toBe(
        `2 periods ahead, ${span}. Part of one payment for 302, 103, 104`,
      )
      await services.runDueJobs()
      const mails = await mailsOf(services, /receipt/i)
      expect(mails).toHaveLength(1)
      expect(mails[0]?.text).toContain(`Unit 104: Rent, ${span}`)
      await Promise.all([settlePayment(services, page.orderId), settlePayment(services, page.orderId)])
      await expectAgreement(page.orderId)
    })

    it('turns autopay on for each unit with the words agreed to, at no charge and with one mail', async () => {
      const checkout = await startTestCheckout(services, autopay())
      for (const unit of ['unit 302, next $', 'unit 103, next $', 'unit 104, next $'])
        expect(checkout.autopayConsent).toContain(unit)
      const page = await opened(checkout)
      expect(page.amount).toBe(0)
      await payAtHostedPage(page.payPageUrl, 'visa')
      expect((await settlePayment(services, page.orderId)).state).toBe('posted')
      for (const lease of await leases()) {
        expect(lease).toMatchObject({ autopay: 1, autopay_label: 'VI **** 1111', balance: 0 })
        expect(lease.autopay_consent_text).toBe(checkout.autopayConsent)
        expect(autopayPartyOf(services, lease)).toEqual({ alias: expect.stringMatching(/./) })
      }
      expect(await recordsOf(services, 'ledger_entries', { order_id: page.orderId })).toEqual([])
      expect((await till.moved(page.orderId)).charged).toBe(0)
      await services.runDueJobs()
      const [mail, ...more] = await mailsOf(services, /Autopay is on/)
      expect(more).toEqual([])
      expect(mail).toMatchObject({ subject: 'Autopay is on for units 302, 103, 104' })
      expect(mail?.text).toContain('/my-units?at=GA1%3A1002')
    })

    it('prepays and turns autopay on in one order, without a card fee', async () => {
      const page = await pay({ ...prepay(), autopay: true })
      expect((await settlePayment(services, page.orderId)).state).toBe('posted')
      expect((await leases()).map((lease) => lease.autopay)).toEqual([1, 1, 1])
      const entries = await recordsOf(services, 'ledger_entries', { order_id: page.orderId })
      expect(entries.map(({ kind }) => kind)).toEqual(['payment', 'payment', 'payment'])
      expect(await balances()).toEqual([0, 0, 0])
      await expectAgreement(page.orderId)
    })

    it('names the unit that may not be paid under these terms, before there is an order', async () => {
      const ahead = { pays: 'prepay', periods: 2 } as const
      const on = { pays: 'autopay', autopay: true } as const
      const change3 = (set: object) => change(services, 'leases', { lease_number: 10003 }, set)
      expect(await start(units, ahead, asAda)).toMatchObject({ ok: false, status: 403 })
      expect(await start([10001, 10002], ahead)).toMatchObject({ ok: false, code: 'not_payable' })
      await owes(10003, 5_00, 'new')
      for (const terms of [ahead, on])
        expect(await start(units, terms)).toMatchObject({ message: `Unit 103: ${duesFirst}` })
      await payAtCounter(services, 10003, 5_00, 'COUNTER5')
      await change3({ scheduled_move_out: '2026-12-10' })
      for (const terms of [ahead, on])
        expect(await start(units, terms)).toMatchObject({ message: `Unit 103: ${movingOut}` })
      await change3({ scheduled_move_out: null, auction_prepped: 1 })
      for (const terms of [ahead, on])
        expect(await start(units, terms)).toMatchObject({
          message: expect.stringContaining('Unit 103: Please contact'),
        })
      await change3({ auction_prepped: 0 })
      await turnAutopayOn(services, 10003, { alias: 'an alias' })
      expect(await start(units, on)).toMatchObject({ message: `Unit 103: ${autopayOnAlready}` })
      expect(await start(units, ahead)).toMatchObject({ ok: true })
      await change3({ status: 'Closed', autopay: 0 })
      expect(await start(units, ahead)).toMatchObject({ message: expect.stringContaining('Unit 103: ') })
      expect(await recordsOf(services, 'payments')).toEqual([])
    })

    it('asks again when a price, a period or the next charge by autopay has changed', async () => {
      const shownCheckout = await startTestCheckout(services, prepay())
      const turnOn = await startTestCheckout(services, autopay())
      await change(services, 'leases', { lease_number: 10003 }, { rent: 90_00 })
      expect(await openCheckout(services, shownCheckout, testSubmission)).toMatchObject({
        why: 'price_changed',
        changes: [{ label: 'Unit 103' }],
      })
      expect(await openCheckout(services, turnOn, testSubmission)).toMatchObject({
        why: 'price_changed',
        changes: [{ label: expect.stringContaining('Unit 103: Autopay charges $') }],
      })
      const again = await startTestCheckout(services, prepay())
      const cents = await chargeNextPeriod(services, 10004)
      // Unit 104 leaves the price while it owes. Once paid, its periods begin later at the same price.
      expect(await openCheckout(services, again, testSubmission)).toMatchObject({
        changes: expect.arrayContaining([expect.objectContaining({ label: 'Unit 104', now: null })]),
        now: { leaseNumbers: [10002, 10003] },
      })
      await payAtCounter(services, 10004, cents, 'COUNTER6')
      expect(await openCheckout(services, again, testSubmission)).toMatchObject({
        changes: [{ label: expect.stringContaining('Unit 104: it pays for ') }],
      })
      expect(await recordsOf(services, 'payments')).toEqual([])
    })

    it('does not charge again a period that billing charged meanwhile, and pays all units ahead or none', async () => {
      const page = await pay(prepay())
      const until = (await startTestCheckout(services, prepay())).units?.map(({ ahead }) => ahead?.period.to)
      await chargeNextPeriod(services, 10003)
      expect((await settlePayment(services, page.orderId)).state).toBe('posted')
      expect(await balances()).toEqual([0, 0, 0])
      expect(await paidThrough()).toEqual(until)
      expect((await rents()) - rentsBefore).toBe(6)
      await expectAgreement(page.orderId)
      const second = await pay(prepay())
      const ahead = await paidThrough()
      for (const n of [1, 2])
        await payAtCounter(services, 10004, await chargeNextPeriod(services, 10004), `COUNTER7${n}`)
      expect(await settlePayment(services, second.orderId)).toEqual({ state: 'refund' })
      expect((await paidThrough()).slice(0, 2)).toEqual(ahead.slice(0, 2))
      expect(await recordsOf(services, 'ledger_entries', { order_id: second.orderId })).toEqual([])
      const third = await pay(prepay())
      await change(services, 'leases', { lease_number: 10003 }, { scheduled_move_out: '2027-06-10' })
      expect(await settlePayment(services, third.orderId)).toEqual({ state: 'refund' })
      await processRefunds(services)
      for (const { orderId } of [second, third]) {
        const { charged, returned } = await till.moved(orderId)
        expect(charged - returned).toBe(0)
      }
      expect(await balances()).toEqual([0, 0, 0])
    })

    it('turns autopay on for none of the units when one is moving out by then', async () => {
      const page = await pay(autopay())
      await change(services, 'leases', { lease_number: 10003 }, { scheduled_move_out: '2026-12-10' })
      expect((await settlePayment(services, page.orderId)).state).toBe('posted')
      expect((await leases()).map((lease) => lease.autopay)).toEqual([0, 0, 0])
      await services.runDueJobs()
      expect(await mailsOf(services, /Autopay/)).toEqual([])
    })

    it('charges and posts once when the process is ended at any point', async () => {
      for (const at of ['order written', 'page opened', 'provider asked', 'captured', 'posted'] as const) {
        const before = { through: await paidThrough(), rents: await rents() }
        const checkout = await startTestCheckout(services, prepay())
        const opens = openCheckout(crashAt(services, at), checkout, testSubmission)
        if (at === 'order written' || at === 'page opened') await expect(opens).rejects.toThrow(SimulatedCrash)
        else await opens
        const page = await opened(checkout)
        await payAtHostedPage(page.payPageUrl, 'visa')
        await settlePayment(crashAt(services, at), page.orderId).catch((error) =>
          expect(error).toBeInstanceOf(SimulatedCrash),
        )
        services.later(DAY / 24)
        await reconcilePayments(services)
        await reconcilePayments(services)
        expect(await balances(), at).toEqual([0, 0, 0])
        expect((await rents()) - before.rents, at).toBe(6)
        expect(await paidThrough(), at).toEqual(before.through.map((day) => addDays(day, 60)))
        await expectAgreement(page.orderId)
        expect(await till.moved(page.orderId)).toMatchObject({ charges: 1, returns: 0 })
      }
      expect(await recordsOf(services, 'payments', { payer: 'units', state: 'posted' })).toHaveLength(5)
    })

    it.each([1, 2])(
      'is charged and posted once when the settling process is killed (SIGKILL) after its output line %i',
      async (life) => {
        const page = await pay(prepay())
        services.later(60_000)
        await runAndKillSettlingProcess(
          services,
          { till, folder },
          { orderIds: [page.orderId] },
          (line, count) => count === life || line === 'end',
        )
        await reconcilePayments(services)
        await services.runDueJobs()
        expect(await balances()).toEqual([0, 0, 0])
        expect((await rents()) - rentsBefore).toBe(6)
        expect(await mailsOf(services, /receipt/i)).toHaveLength(1)
        expect(await till.moved(page.orderId)).toMatchObject({ charges: 1, returns: 0 })
        await expectAgreement(page.orderId)
      },
      90_000,
    )

    it('keeps the agreed price when taxes rose, and reverses each unit’s periods when the bank returns the debit', async () => {
      await change(services, 'leases', { lease_number: 10003 }, { rent: 90_00 })
      const before = await paidThrough()
      const { rent_tax_rate } = await recordOf(services, 'locations', { location_code: 'GA1' })
      services.bank = {
        ...till.bank,
        debit: async (request) => {
          await change(services, 'locations', { location_code: 'GA1' }, { rent_tax_rate: rent_tax_rate * 2 })
          return till.bank.debit(request)
        },
      }
      const orderId = await debited('3333', prepay())
      expect(await balances()).toEqual([0, 0, 0])
      const credits = await recordsOf(services, 'ledger_entries', { order_id: orderId, kind: 'credit' })
      expect(credits.map((credit) => credit.lease_number).sort()).toEqual([...units])
      expect(await paidThrough()).toEqual(before.map((day) => addDays(day, 60)))
      await expectAgreement(orderId)
      await services.runDueJobs()
      services.later(3 * DAY)
      expect(await reverseReturnedDebits(services)).toBe(1)
      expect(await balances()).toEqual([0, 0, 0])
      expect(await paidThrough()).toEqual(before)
      await expectAgreement(orderId)
      await services.runDueJobs()
      const [mail, ...more] = await mailsOf(services, /returned/)
      expect(more).toEqual([])
      expect(mail?.text).toContain('It had paid ahead, so nothing is due before the next period begins')
    })

    it('gives one unit’s share back by check, with its periods', async () => {
      const finance: StaffCallers = await addStaffCaller(services, 'finance')
      const before = await paidThrough()
      const orderId = await debited('0000', prepay())
      await addRecord(services, 'settings', { name: 'bank_refund_days', value: '0', updated_at: 0 })
      const [, share] = await shares(orderId)
      const cents = share?.[1] ?? 0
      const { location_code, tenant_id, balance } = await leaseOf(services, 10003)
      const newest = await loadNewestEntry(services.db.read, { location_code, lease_number: 10003 })
      const form = {
        location_code,
        lease_number: 10003,
        tenant_id,
        balance,
        newest_entry: newest?.entry_id ?? '',
        act_id: services.random.uuid(),
        note: '',
        order_id: orderId,
        cents,
        way: 'check',
        afterwards: 'owed',
        reason: 'charged-twice',
      }
      expect(await perform(services, RefundPayment, form, finance)).toMatchObject({ value: { result: 'done' } })
      expect(await balances()).toEqual([0, 0, 0])
      expect(await paidThrough()).toEqual([addDays(before[0] ?? '', 60), before[1], addDays(before[2] ?? '', 60)])
      await expectAgreement(orderId)
    })

    it('pays ahead only the units that a smaller captured amount reaches, after manual review', async () => {
      const before = await paidThrough()
      const checkout = await startTestCheckout(services, prepay())
      const [first, second] = checkout.units ?? []
      const page = await opened(checkout)
      await change(
        services,
        'payments',
        { order_id: page.orderId },
        {
          state: 'review',
          approved_amount: (first?.cents ?? 0) + (second?.cents ?? 0),
        },
      )
      expect(await decideReview(services, page.orderId, 'post')).toMatchObject({ settled: { state: 'posted' } })
      const fee = page.amount - (checkout.units ?? []).reduce((sum, { cents }) => sum + cents, 0)
      expect(await balances()).toEqual([0, fee, 0])
      expect((await paidThrough())[2]).toBe(before[2])
    })

    it('stores its parts under a name that a server of an earlier release does not read', async () => {
      const page = await pay(prepay())
      const { plan } = await payment(page.orderId)
      // An earlier release reads `parts` only, and posts them as dues.
      expect(decryptPlan(services, { order_id: page.orderId, plan })).not.toHaveProperty('parts')
      expect(decryptPlan(services, await payment((await opened(await dueCheckout())).orderId))).toHaveProperty('parts')
    })
    const dueCheckout = async () => {
      await owes(10002, 5_00, 'new')
      return startTestCheckout(services, together([10002]))
    }
  })

  it('is posted without a deadlock beside a transaction that has locked a lease and then locks the order', async () => {
    const page = await atCardPage()
    if (services.db.engine !== 'postgres') return
    await expectNoDeadlock(services, page.orderId, (tx) =>
      tx.selectFrom('leases').select('lease_number').where('lease_number', '=', 10002).forUpdate().execute(),
    )
    await expectAgreement(page.orderId)
  })
})
