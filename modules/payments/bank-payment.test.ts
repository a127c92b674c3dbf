import { afterEach, beforeEach, expect, it } from 'vitest'
import { achFailed, paymentAlreadyProcessed, paymentStillChecked } from '../../domain/texts/payment.ts'
import { perform } from '../../platform/operations/operation.ts'
import { type Bank, BankUnavailable } from '../../ports/bank/bank.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change, recordsOf } from '../../tests/support/rows.ts'
import { asCy, visitor, withDraft } from '../../tests/support/small-operator.ts'
import { autopayPartyOf } from '../leases/autopay-mandate.ts'
import { loadBalance } from '../ledger/load-and-repair-lease-balance.ts'
import { ProcessACHMoveIn } from '../move-in/operations/process-ach-move-in.ts'
import { cancelMoveOut } from '../move-outs/schedule-and-cancel-move-out.ts'
import { reverseReturnedDebits } from '../refunds/reverse-payments-returned-by-bank.ts'
import { storeQuote } from '../reservations/draft-quote.ts'
import type { Draft } from '../reservations/rules/journey/draft.ts'
import type { BankCallOptions } from './bank/account-validation.ts'
import { type BankPaymentResult, payCheckoutByBank, payMoveInByBank } from './bank/bank-debit.ts'
import { openCheckout } from './open/open-checkout.ts'
import { ProcessACHPayments } from './operations/pay-lease-from-bank-account.ts'
import { loadUnfinishedRefunds } from './payment-reviews-and-failed-refunds.ts'
import { loadPaymentFacts } from './receipt.ts'
import { processRefunds } from './refund-unposted-payments.ts'
import type { CheckoutTerms } from './rules/checkout-terms.ts'
import { settlePayment } from './settle-payment.ts'
import { reconcilePayments } from './settle-pending-payments.ts'
import {
  bankAccount,
  cyDues,
  leaseOf,
  openPayingServices,
  type PayingServices,
  payAtCounter,
  scheduleTestMoveOut,
  startTestCheckout,
  testSubmission,
  turnAutopayOn,
} from './testing.ts'
import { bankDebits, sandboxForTests } from './testing-card-provider.ts'
import { crashAt, SimulatedCrash } from './testing-crash-points.ts'
import { loadNewLeases, mailsOf, subjects } from './testing-invariants.ts'
import { readyToPay, saveTestAnswers } from './testing-rent-until-card-page.ts'

const { till, folder } = sandboxForTests('bank-payments')

const noAmounts = ['0', '0.00', '-0.01', '-151.37', '1000000000000', '1000000000000.00', '1.005', '1e3', 'NaN', '', ' ']

describeOnBothEngines('Payments from a bank account', (open) => {
  let services: PayingServices
  let pauses: number[]
  let ways: BankCallOptions
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    services.bank = till.bank
    pauses = []
    ways = { pause: async (ms) => pauses.push(ms) }
  })
  afterEach(() => services.db.close())

  const debits = async (orderId: string) => (await bankDebits(till)).filter((debit) => debit.order_id === orderId)
  const payments = () => services.db.read.selectFrom('payments').selectAll().orderBy('created_at').execute()
  const balance = (lease: number) => loadBalance(services.db.read, 'GA1', lease)
  const entriesOf = (orderId: string) =>
    services.db.read.selectFrom('ledger_entries').selectAll().where('order_id', '=', orderId).orderBy('cents').execute()

  const checkout = (terms = cyDues) => startTestCheckout(services, terms)
  const paid = async (ending: string, terms = cyDues, on = services): Promise<BankPaymentResult> => {
    const result = await payCheckoutByBank(
      on,
      await checkout(terms),
      { account: bankAccount(ending), by: testSubmission },
      ways,
    )
    if (!result.ok) throw new Error(result.why)
    return result.paid
  }
  const posted = async (ending: string, terms = cyDues) => {
    const done = await paid(ending, terms)
    if (done.state !== 'posted') throw new Error(JSON.stringify(done))
    return done.orderId
  }
  const byBank = (options: Parameters<typeof readyToPay>[1] = {}) =>
    readyToPay(services, options).then((draft) => saveTestAnswers(services, draft, { paymentMethod: 'ACH' }))
  const payMoveIn = async (draft: Draft, ending: string) => {
    const quote = await storeQuote(services, draft)
    return payMoveInByBank(
      services,
      draft,
      { quoteId: quote?.quoteId ?? '', account: bankAccount(ending), by: testSubmission },
      ways,
    )
  }

  it('has one debit and one entry for ten simultaneous requests, and stores no account number in plain text', async () => {
    const before = await balance(10002)
    const startedCheckout = await checkout()
    const all = await Promise.all(
      Array.from({ length: 10 }, () =>
        payCheckoutByBank(services, startedCheckout, { account: bankAccount('0000'), by: testSubmission }, ways),
      ),
    )
    const states = new Set(all.map((result) => (result.ok ? result.paid.state : result.why)))
    expect(
      [...states].every((state) => ['posted', 'checking', 'paid', 'blocked'].includes(state)),
      [...states].join(),
    ).toBe(true)
    const rows = await payments()
    expect(rows.filter((row) => row.state === 'posted')).toHaveLength(1)
    const [row] = rows.filter((row) => row.state === 'posted')
    expect(row).toMatchObject({ method: 'ACH', bank_label: 'Checking ****0000', amount: before })
    expect(row?.bank_sealed).not.toContain('000123450000')
    expect(row?.plan).not.toContain('000123450000')
    expect(await debits(row?.order_id ?? '')).toMatchObject([{ state: 'ACCEPTED', amount: before, credited_at: null }])
    for (const other of rows.filter((other) => other !== row)) expect(await debits(other.order_id)).toEqual([])
    expect(await balance(10002)).toBe(0)
    expect(await entriesOf(row?.order_id ?? '')).toMatchObject([
      { kind: 'payment', cents: -before, description: 'Payment by Checking ****0000' },
    ])
    await services.runDueJobs()
    const [mail] = await recordsOf(services, 'mailbox')
    const authorisation = JSON.parse(row?.authorisation ?? '{}') as {
      text: string
      at: number
      address: string
      agent: string
    }
    expect(authorisation).toMatchObject({ at: services.clock.now(), ...testSubmission })
    expect(authorisation.text).toMatch(/^On Friday, 11\/20\/2026, I/)
    expect(mail?.subject).toMatch(/^Receipt /)
    expect(mail?.text.replace(/\s+/g, ' ')).toContain(authorisation.text.slice(0, 60))
    expect(await services.runDueJobs()).toBe(0)
  })

  it('checks an account before its first debit only, and neither debits nor checks a refused one again that day', async () => {
    const checkedAccounts: string[] = []
    const real = services.bank
    services.bank = {
      ...real,
      validateAccount: (account) => {
        checkedAccounts.push(account.account)
        return real.validateAccount(account)
      },
    } as Bank
    const refused = await paid('1111')
    const failed = { state: 'failed', message: achFailed, charged: 'You were not charged', retriesUsedUp: false }
    expect(refused).toEqual(failed)
    expect(achFailed).toBe('Failed to process ACH payment. Please contact customer support.')
    expect(await paid('1111')).toMatchObject({ state: 'failed', retriesUsedUp: false })
    expect(checkedAccounts).toEqual(['000123451111'])
    for (const row of await payments()) expect(await debits(row.order_id)).toEqual([])
    await posted('0000')
    await posted('0000', { ...cyDues, pays: 'prepay' })
    expect(checkedAccounts).toEqual(['000123451111', '000123450000'])
    const accounts = await recordsOf(services, 'bank_accounts')
    expect(JSON.stringify(accounts)).not.toContain('12345')
    services.later(25 * 3_600_000)
    await paid('1111', { ...cyDues, pays: 'prepay' })
    expect(checkedAccounts).toHaveLength(3)
  })

  it.each(['4444', '5555'])(
    'retries a debit whose response was lost under the same order, and debits once (%s)',
    async (ending) => {
      const orderId = await posted(ending)
      expect(pauses).toEqual([3000])
      expect(await debits(orderId)).toHaveLength(1)
      expect(await balance(10002)).toBe(0)
    },
  )

  it('posts one entry after three attempts that debited once and whose responses were lost', async () => {
    const before = await balance(10002)
    const real = services.bank
    let calls = 0
    services.bank = {
      ...real,
      debit: async (request) => {
        calls += 1
        await real.debit(request)
        throw new BankUnavailable('timeout', 'no answer')
      },
    } as Bank
    const orderId = await posted('0000')
    expect(calls).toBe(3)
    expect(pauses).toEqual([3000, 3000])
    expect(await debits(orderId)).toMatchObject([{ amount: before }])
    expect(await entriesOf(orderId)).toHaveLength(1)
    expect(services.reported).toHaveLength(1)
  })

  it('reports a bank that fails three times, and posts a debit that is found later', async () => {
    const before = await balance(10002)
    const real = services.bank
    const lost: Parameters<Bank['debit']>[0][] = []
    services.bank = {
      ...real,
      debit: async (request) => {
        lost.push(request)
        throw new BankUnavailable('status', 'The bank answers 500')
      },
    } as Bank
    expect(await paid('0000')).toMatchObject({ state: 'failed', message: achFailed })
    expect(lost).toHaveLength(3)
    expect(services.reported).toHaveLength(1)
    expect(await balance(10002)).toBe(before)
    const [request] = lost
    if (!request) throw new Error('nothing was asked')
    services.bank = real
    await real.debit(request)
    services.later(3 * 3_600_000)
    await reconcilePayments(services)
    expect(await balance(10002)).toBe(0)
  })

  it('creates a new order for another account for the same dues, and closes the older one', async () => {
    await expect(paid('0000', cyDues, crashAt(services, 'order written'))).rejects.toThrow(SimulatedCrash)
    const orderId = await posted('4321')
    const rows = await payments()
    expect(rows.map((row) => [row.bank_label, row.state]).sort()).toEqual([
      ['Checking ****0000', 'cancelled'],
      ['Checking ****4321', 'posted'],
    ])
    expect(await debits(orderId)).toHaveLength(1)
  })

  it('starts no second payer’s debit for the same rent while the bank is asked about the first', async () => {
    const guests = { ...cyDues, payer: 'guest' as const }
    let others: unknown[] = []
    services.bank = {
      ...till.bank,
      async debit(request) {
        services.bank = till.bank
        const card = await openCheckout(services, await checkout(guests), testSubmission)
        others = [await paid('4321', guests), card.ok ? card : card.why]
        return till.bank.debit(request)
      },
    }
    const orderId = await posted('0000')
    expect(others).toEqual([expect.objectContaining({ state: 'failed', overtaken: true }), 'checking'])
    expect((await payments()).map((row) => [row.order_id, row.state])).toEqual([[orderId, 'posted']])
    expect(await debits(orderId)).toHaveLength(1)
    expect(await balance(10002)).toBe(0)
  })

  it('blocks other payments for at most a minute when its process ended before the bank was asked', async () => {
    services.bank = {
      ...till.bank,
      debit: () => {
        throw new SimulatedCrash()
      },
    }
    await expect(paid('0000')).rejects.toThrow(SimulatedCrash)
    services.bank = till.bank
    expect(await paid('4321')).toMatchObject({ state: 'failed', overtaken: true })
    services.later(61_000)
    const orderId = await posted('4321')
    expect((await payments()).map((row) => row.state).sort()).toEqual(['cancelled', 'posted'])
    expect(await debits(orderId)).toHaveLength(1)
  })

  it.each([
    ['by the tenant', () => posted('4321')],
    ['at the counter', () => payAtCounter(services, 10002, 151_37)],
  ])('does not debit dues that were paid %s while the account was checked', async (_, paidMeanwhile) => {
    const mine = await checkout({ ...cyDues, payer: 'guest' })
    services.bank = {
      ...till.bank,
      async validateAccount(account) {
        services.bank = till.bank
        await paidMeanwhile()
        return till.bank.validateAccount(account)
      },
    }
    expect(await payCheckoutByBank(services, mine, { account: bankAccount('0000'), by: testSubmission }, ways)).toEqual(
      {
        ok: false,
        why: 'blocked',
        message: paymentAlreadyProcessed,
      },
    )
    const [row] = (await payments()).filter((payment) => payment.bank_label?.endsWith('0000'))
    expect(row?.state).toBe('cancelled')
    expect(await debits(row?.order_id ?? '')).toEqual([])
  })

  const returnedMail = async () => (await mailsOf(services, /was returned/))[0]?.text

  it('reverses a debit that is returned days later once, switches autopay off and mails the tenant', async () => {
    const before = await balance(10002)
    const orderId = await posted('3333', { ...cyDues, autopay: true })
    const withAutopay = await leaseOf(services, 10002)
    expect(withAutopay).toMatchObject({ autopay: 1, autopay_method: 'ACH', autopay_label: 'Checking ****3333' })
    expect(withAutopay.autopay_consent_text).toContain('every 30 days')
    await services.runDueJobs()
    expect(await reverseReturnedDebits(services)).toBe(0)
    services.later(2 * 24 * 3_600_000)
    const [first, second] = await Promise.all([reverseReturnedDebits(services), reverseReturnedDebits(services)])
    expect(first + second).toBe(1)
    expect(await reverseReturnedDebits(services)).toBe(0)
    expect(await balance(10002)).toBe(before)
    expect((await entriesOf(orderId)).map((entry) => [entry.kind, entry.cents])).toEqual([
      ['payment', -before],
      ['reversal', before],
    ])
    expect(await leaseOf(services, 10002)).toMatchObject({ autopay: 0, status: 'Past Due' })
    const [row] = await payments()
    expect(row).toMatchObject({ state: 'returned', return_code: 'R01' })
    expect(await settlePayment(services, orderId)).toMatchObject({ state: 'posted' })
    await services.runDueJobs()
    await services.runDueJobs()
    const returned = (await subjects(services)).filter((subject) => subject.includes('was returned'))
    expect(returned).toHaveLength(1)
    expect(await returnedMail()).toContain('There was not enough money in the account.')
    expect(await returnedMail()).toContain('Autopay is off now.')
    expect(await returnedMail()).toContain('/unit-lease-details?lease=10002&at=GA1%3A1002')
  })

  it.each([
    ['comes back when the move-out is cancelled', '4321', 1],
    ['stays off, since its own debit came back', '3333', 0],
  ])('is returned while a move-out is scheduled, and then autopay %s', async (_, ending, on) => {
    await posted('3333', { ...cyDues, autopay: true })
    if (ending !== '3333') await paid(ending, { ...cyDues, pays: 'autopay', autopay: true })
    expect(await scheduleTestMoveOut(services, 10002, '2026-12-24')).toMatchObject({ ok: true })
    services.later(2 * 24 * 3_600_000)
    expect(await reverseReturnedDebits(services)).toBe(1)
    expect(await cancelMoveOut(services, { locationCode: 'GA1', leaseNumber: 10002 }, { restore: true })).not.toBeNull()
    expect(await leaseOf(services, 10002)).toMatchObject({
      autopay: on,
      autopay_label: on ? `Checking ****${ending}` : '',
    })
  })

  it('asks for no returned prepayment before its period begins, and the mail says so', async () => {
    const ahead = { ...cyDues, tenantId: 1001, leaseNumber: 10001, pays: 'prepay' as const, periods: 3 }
    const orderId = await posted('3333', ahead)
    expect(await leaseOf(services, 10001)).toMatchObject({ status: 'Pre-Paid', paid_through: '2027-02-28' })
    await services.runDueJobs()
    services.later(2 * 24 * 3_600_000)
    expect(await reverseReturnedDebits(services)).toBe(1)
    expect(await balance(10001)).toBe(0)
    expect(await leaseOf(services, 10001)).toMatchObject({ status: 'Current', paid_through: '2026-11-30' })
    expect(await loadPaymentFacts(services, orderId)).toMatchObject({ paidThrough: '' })
    await services.runDueJobs()
    expect(await returnedMail()).toContain(
      'It had paid ahead, so nothing is due before the next period begins on Tuesday, 12/01/2026.',
    )
  })

  it('names the phone number in the mail when a debit of an ended lease is returned', async () => {
    await posted('3333', cyDues)
    await change(services, 'leases', { lease_number: 10002 }, { status: 'Closed' })
    await services.runDueJobs()
    services.later(2 * 24 * 3_600_000)
    expect(await reverseReturnedDebits(services)).toBe(1)
    await services.runDueJobs()
    const text = await returnedMail()
    expect(text).toContain('Please contact customer service to make a payment - ')
    expect(text).not.toContain('/unit-lease-details')
  })

  it('reports returns of an unknown order and of another amount once, and reverses the known debit', async () => {
    const orderId = await posted('0000')
    const bankReturn = { code: 'R02', description: 'Account closed', amount: 1, at: services.clock.now() }
    services.bank = {
      ...services.bank,
      returnsSince: async (cursor) =>
        [
          { ...bankReturn, orderId: 'LKNOBODYKNOWSTHIS', cursor: '1' },
          { ...bankReturn, orderId, cursor: '2' },
        ].filter((bankReturn) => bankReturn.cursor > cursor),
    } as Bank
    expect(await reverseReturnedDebits(services)).toBe(1)
    expect(await reverseReturnedDebits(services)).toBe(0)
    expect(services.reported.map(String)).toEqual([
      'Error: The bank sent back a debit that we do not know',
      'Error: The bank sent back another amount than was debited',
    ])
    expect(await paid('0000')).toMatchObject({ state: 'failed' })
  })

  it('reverses a return in the next run when its process ended after reading it', async () => {
    const orderId = await posted('0000')
    const at = services.clock.now()
    await change(services, 'payments', { order_id: orderId }, { return_code: 'R10', returned_at: at })
    services.bank = {
      ...services.bank,
      returnsSince: async () => Promise.reject(new BankUnavailable('timeout', 'silent')),
    } as Bank
    expect(await reverseReturnedDebits(services)).toBe(1)
    expect((await payments())[0]?.state).toBe('returned')
  })

  it('checks and stores each account chosen for autopay without a debit; a refused account changes nothing', async () => {
    const turnOn: CheckoutTerms = { ...cyDues, tenantId: 1001, leaseNumber: 10001, pays: 'autopay', autopay: true }
    for (const ending of ['0000', '3333']) {
      expect(await debits(await posted(ending, turnOn))).toEqual([])
      expect(await leaseOf(services, 10001)).toMatchObject({
        autopay: 1,
        autopay_method: 'ACH',
        autopay_label: `Checking ****${ending}`,
        autopay_consent_text: expect.stringMatching(
          /^Nothing is taken from your bank account today\..+every 30 days.+ To revoke this, call [^ ]+ [^ ]+\.$/,
        ),
      })
    }
    expect(await paid('1111', turnOn)).toMatchObject({ state: 'failed', message: achFailed })
    expect(await leaseOf(services, 10001)).toMatchObject({ autopay: 1, autopay_label: 'Checking ****3333' })
    // Pressing twice counts as one choice.
    const startedCheckout = await checkout(turnOn)
    const press = () =>
      payCheckoutByBank(services, startedCheckout, { account: bankAccount('0000'), by: testSubmission }, ways)
    const both = await Promise.all([press(), press()])
    expect(both.every((result) => (result.ok ? result.paid.state : result.why).match(/^(posted|paid|checking)$/))).toBe(
      true,
    )
    expect((await payments()).filter((row) => row.state === 'posted')).toHaveLength(3)
    await services.runDueJobs()
    expect(await subjects(services)).toEqual(Array(3).fill('Autopay is on for unit 301'))
  })

  it('moves in once for two requests, and the lease stays, past due, when the debit is returned', async () => {
    const draft = await byBank({ answers: { autopay: true } })
    const both = await Promise.all([payMoveIn(draft, '3333'), payMoveIn(draft, '3333')])
    expect(both.some((result) => result.ok && result.paid.state === 'posted')).toBe(true)
    const [lease, ...others] = await loadNewLeases(services)
    expect(others).toEqual([])
    expect(lease).toMatchObject({
      autopay: 1,
      autopay_method: 'ACH',
      autopay_label: 'Checking ****3333',
      status: 'Current',
    })
    expect(lease?.autopay_consent_text).toContain('every 30 days')
    const [row] = (await payments()).filter((payment) => payment.state === 'posted')
    expect(await debits(row?.order_id ?? '')).toHaveLength(1)
    expect(await payMoveIn(draft, '3333')).toMatchObject({ ok: false, why: 'already_rented' })
    services.later(2 * 24 * 3_600_000)
    expect(await reverseReturnedDebits(services)).toBe(1)
    const after = await leaseOf(services, lease?.lease_number ?? 0)
    expect(after).toMatchObject({ status: 'Past Due', autopay: 0, unit_id: lease?.unit_id })
    expect(await balance(lease?.lease_number ?? 0)).toBe(row?.amount)
    expect(await settlePayment(services, row?.order_id ?? '')).toMatchObject({ state: 'posted' })
  })

  it('moves in without autopay and without a card fee, and creates no lease when the debit is refused', async () => {
    const card = await readyToPay(services, { answers: { autopay: false } })
    const cardPrice = (await storeQuote(services, card))?.total ?? 0
    const draft = await saveTestAnswers(services, card, { paymentMethod: 'ACH' })
    const bankPrice = (await storeQuote(services, draft))?.total ?? 0
    expect(cardPrice - bankPrice).toBeGreaterThanOrEqual(200)
    expect(await payMoveIn(draft, '2222')).toMatchObject({
      ok: true,
      paid: { state: 'failed', message: achFailed },
    })
    expect(await loadNewLeases(services)).toEqual([])
    expect(await payMoveIn(draft, '0000')).toMatchObject({ ok: true, amount: bankPrice, paid: { state: 'posted' } })
    expect(await loadNewLeases(services)).toMatchObject([{ autopay: 0 }])
  })

  it('refunds unusable captured money to its account once, and reports a later return of the debit', async () => {
    await expect(paid('0000', cyDues, crashAt(services, 'provider asked'))).rejects.toThrow(SimulatedCrash)
    await payAtCounter(services, 10002, await balance(10002))
    services.later(60_000)
    await reconcilePayments(services)
    services.later(60_000)
    expect(await processRefunds(services)).toBe(1)
    const [row] = await payments()
    expect(row?.state).toBe('refunded')
    expect(await debits(row?.order_id ?? '')).toMatchObject([{ state: 'ACCEPTED' }])
    expect((await debits(row?.order_id ?? ''))[0]?.credited_at).not.toBeNull()
    services.bank = {
      ...services.bank,
      returnsSince: async (cursor) =>
        ['1', '2']
          .map((at) => ({
            code: 'R10',
            description: 'Unauthorized',
            amount: 151_37,
            at: services.clock.now(),
            cursor: at,
          }))
          .map((bankReturn) => ({ ...bankReturn, orderId: row?.order_id ?? '' }))
          .filter((bankReturn) => bankReturn.cursor > cursor),
    } as Bank
    expect([await reverseReturnedDebits(services), await reverseReturnedDebits(services)]).toEqual([0, 0])
    expect(services.reported.map(String)).toEqual(['Error: The bank sent back a debit that was given back already'])
    expect((await payments())[0]?.state).toBe('refunded')
  })

  it('needs no refund when the bank returns a debit whose refund has failed', async () => {
    await expect(paid('3333', cyDues, crashAt(services, 'provider asked'))).rejects.toThrow(SimulatedCrash)
    const [{ order_id: orderId } = { order_id: '' }] = await payments()
    await payAtCounter(services, 10002, 10_000_00)
    services.later(60_000)
    await reconcilePayments(services)
    services.later(2 * 24 * 3_600_000)
    const before = await balance(10002)
    // The bank has returned the debit but not reported it yet, so it refuses a credit.
    expect(await processRefunds(services)).toBe(0)
    expect(await loadUnfinishedRefunds(services, 'open')).toMatchObject([
      { last_error: expect.stringContaining('X02') },
    ])
    await change(services, 'refund_tasks', {}, { state: 'failed' })
    expect(await reverseReturnedDebits(services)).toBe(0)
    expect(await processRefunds(services)).toBe(1)
    expect(await processRefunds(services)).toBe(0)
    expect(await loadUnfinishedRefunds(services)).toEqual([])
    expect(await payments()).toMatchObject([{ order_id: orderId, state: 'refunded', return_code: 'R01' }])
    expect(await debits(orderId)).toMatchObject([{ state: 'RETURNED', credited_at: null }])
    expect(await balance(10002)).toBe(before)
    await services.runDueJobs()
    expect((await subjects(services)).filter((subject) => /refund/i.test(subject))).toEqual([])
  })

  it('ProcessACHMoveIn accepts only what was agreed to, and creates one lease when sent twice', async () => {
    const draft = await byBank()
    const callers = await withDraft(services, draft.draftId)
    const total = ((await storeQuote(services, draft))?.total ?? 0) / 100
    const input = {
      location_code: 'GA1',
      TenantId: draft.tenantId,
      PaymentAmount: total.toFixed(2),
      ACHAccountNumber: '000123450000',
      ACHRoutingNumber: '061000104',
      ACHAccountType: 'Checking',
      StartDate: '11/20/2026',
      EndDate: '12/19/2026',
      OverrideUnitStatus: 'False',
      AutopayACH: '1',
      AutoAchProcessingDay: '1',
      InsuranceId: '2',
      AccessCode: '',
    }
    const call = (change: object = {}) => perform(services, ProcessACHMoveIn, { ...input, ...change }, callers)
    expect(await call({ PaymentAmount: '1.00' })).toMatchObject({
      ok: false,
      status: 409,
      fields: { PaymentAmount: total.toFixed(2) },
    })
    for (const [field, value] of Object.entries({
      EndDate: '12/20/2026',
      InsuranceId: '1',
      UnitId: '999',
      AutopayACH: '0',
      OverrideUnitStatus: 'True',
      DocRefNumber: 'another',
      AccessCode: '123456',
      SignedLease: Buffer.from('%PDF-1.7 another').toString('base64'),
    })) {
      const refused = await call({ [field]: value })
      expect(refused, field).toMatchObject({ ok: false, status: 409, code: 'differs' })
      expect(refused.ok ? {} : refused.fields, field).toHaveProperty(field)
    }
    expect(await call({ SignedLease: 'A'.repeat(1_000_004) })).toMatchObject({
      status: 400,
      fields: { SignedLease: 'must have at most 1000000 characters' },
    })
    expect(await call({ TenantId: 1001 })).toMatchObject({ ok: false, status: 403 })
    for (const PaymentAmount of noAmounts) {
      const refused = await call({ PaymentAmount })
      expect([400, 409], PaymentAmount).toContain(refused.ok ? 200 : refused.status)
    }
    expect(await payments()).toEqual([])
    expect(await call({ ACHRoutingNumber: '061000105' })).toMatchObject({
      ok: false,
      status: 400,
      fields: { ACHRoutingNumber: 'Routing number is not valid.' },
    })
    expect(await call({ ACHRoutingNumber: '', ACHAccountNumber: '' })).toMatchObject({
      fields: {
        ACHRoutingNumber: 'Routing number should not be empty.',
        ACHAccountNumber: 'Account number should not be empty.',
      },
    })
    expect(await loadNewLeases(services)).toEqual([])
    const first = await call()
    const [lease] = await loadNewLeases(services)
    expect(first).toMatchObject({
      ok: true,
      value: { RentalMessage: 'Successful', RentalLeaseNumber: String(lease?.lease_number), ErrorMessage: '' },
    })
    expect(await call()).toEqual(first)
    expect(await loadNewLeases(services)).toHaveLength(1)
    expect(await payments()).toHaveLength(1)
  })

  it('ProcessACHPayments reports an order whose result cannot be queried, and does not say “processed”', async () => {
    const card = await openCheckout(services, await checkout(), testSubmission)
    expect(card).toMatchObject({ ok: true })
    const before = await balance(10002)
    const call = () =>
      perform(
        services,
        ProcessACHPayments,
        {
          location_code: 'GA1',
          tenant_id: 1002,
          lease_number: 10002,
          amount: (before / 100).toFixed(2),
          ACHAccountNumber: '000123450000',
          ACHRoutingNumber: '061000104',
        },
        asCy,
      )
    await till.fault({ kind: 'down', on: 'query' })
    expect(await call()).toMatchObject({ ok: true, value: { PaymentMessage: 'The payment is still being checked.' } })
    expect(await balance(10002)).toBe(before)
    expect(await call()).toMatchObject({ ok: true, value: { PaymentMessage: 'Successful' } })
    expect(await balance(10002)).toBe(0)
  })

  it.each(['another amount is debited', 'the dues are paid at the counter meanwhile'] as const)(
    'ProcessACHPayments does not answer “Payment Failed” when %s',
    async (what) => {
      const before = await balance(10002)
      services.bank = {
        ...till.bank,
        async debit(request) {
          if (what === 'another amount is debited')
            return till.bank.debit({ ...request, amount: request.amount - 1_00 })
          await payAtCounter(services, 10002, before)
          return till.bank.debit(request)
        },
      }
      const input = {
        location_code: 'GA1',
        tenant_id: 1002,
        lease_number: 10002,
        amount: (before / 100).toFixed(2),
        ACHAccountNumber: '000123450000',
        ACHRoutingNumber: '061000104',
      }
      const PaymentMessage = what === 'another amount is debited' ? paymentStillChecked : paymentAlreadyProcessed
      expect(await perform(services, ProcessACHPayments, input, asCy)).toMatchObject({
        ok: true,
        value: { PaymentMessage },
      })
    },
  )

  it('ProcessACHMoveIn says that a debit of another amount is still being checked', async () => {
    services.bank = { ...till.bank, debit: (request) => till.bank.debit({ ...request, amount: request.amount - 1_00 }) }
    const draft = await byBank()
    const input = {
      location_code: 'GA1',
      PaymentAmount: (((await storeQuote(services, draft))?.total ?? 0) / 100).toFixed(2),
      ACHAccountNumber: '000123450000',
      ACHRoutingNumber: '061000104',
    }
    expect(await perform(services, ProcessACHMoveIn, input, await withDraft(services, draft.draftId))).toMatchObject({
      ok: true,
      value: { RentalMessage: 'Failed', ErrorMessage: paymentStillChecked },
    })
  })

  it('ProcessACHPayments posts one payment for a guest’s prepayment that is sent twice, on a lease with autopay', async () => {
    const own = bankAccount('4321')
    await turnAutopayOn(services, 10001, own)
    const terms = await checkout({ ...cyDues, payer: 'guest', tenantId: 1001, leaseNumber: 10001, pays: 'prepay' })
    const input = {
      location_code: 'GA1',
      tenant_id: 1001,
      lease_number: 10001,
      pay_periods: 1,
      autopay_bit: '1',
      ACHAccountNumber: '000123450000',
      ACHRoutingNumber: '061000104',
      amount: (terms.price.ACH.total / 100).toFixed(2),
    }
    const guest = { ...visitor(), guest: { tenants: [{ locationCode: 'GA1', tenantId: 1001 }], signIn: 'of a guest' } }
    const call = () => perform(services, ProcessACHPayments, input, guest)
    const first = await call()
    expect(first).toMatchObject({ ok: true, value: { PaymentMessage: 'Successful' } })
    expect(await call()).toEqual(first)
    expect(await payments()).toHaveLength(1)
    expect(autopayPartyOf(services, await leaseOf(services, 10001))).toEqual(own)
  })

  it('ProcessACHPayments posts one payment for dues that are sent twice with autopay, with a move-out scheduled', async () => {
    await change(services, 'leases', { lease_number: 10002 }, { scheduled_move_out: '2026-12-24' })
    const before = await balance(10002)
    const input = {
      location_code: 'GA1',
      tenant_id: 1002,
      lease_number: 10002,
      autopay_bit: '1',
      ACHAccountNumber: '000123450000',
      ACHRoutingNumber: '061000104',
      amount: (before / 100).toFixed(2),
    }
    const call = () => perform(services, ProcessACHPayments, input, asCy)
    const first = await call()
    expect(first).toMatchObject({ ok: true, value: { PaymentMessage: 'Successful' } })
    expect(await call()).toEqual(first)
    expect(await payments()).toMatchObject([{ autopay: 0 }])
  })

  it('ProcessACHPayments takes dues, then a prepayment, and one payment when sent twice within 35 seconds', async () => {
    const before = await balance(10002)
    const input = {
      location_code: 'GA1',
      tenant_id: 1002,
      lease_number: 10002,
      amount: (before / 100).toFixed(2),
      ACHAccountNumber: '00012345000000000',
      ACHRoutingNumber: '061000104',
    }
    const call = (change: object = {}) => perform(services, ProcessACHPayments, { ...input, ...change }, asCy)
    expect(await call({ amount: '0.50' })).toMatchObject({ ok: false, status: 409 })
    for (const amount of noAmounts) {
      const refused = await call({ amount })
      expect([400, 409], amount).toContain(refused.ok ? 200 : refused.status)
    }
    expect(await call({ lease_number: 10001 })).toMatchObject({ ok: false, status: 404 })
    expect(await call({ lease_number: 999_999 })).toMatchObject({ ok: false, status: 404 })
    for (const pay_periods of [13, -1, 1.5, 1e12, 'all'])
      expect(await call({ pay_periods }), String(pay_periods)).toMatchObject({ ok: false, status: 400 })
    expect(await payments()).toEqual([])
    const first = await call()
    expect(first).toMatchObject({ ok: true, value: { PaymentMessage: 'Successful' } })
    expect(await call()).toEqual(first)
    const terms = await checkout({ ...cyDues, pays: 'prepay' })
    const ahead = { amount: (terms.price.ACH.total / 100).toFixed(2), pay_periods: 1 }
    const second = await call(ahead)
    expect(second).toMatchObject({ ok: true, value: { PaymentMessage: 'Successful' } })
    expect(await call(ahead)).toEqual(second)
    expect(await payments()).toHaveLength(2)
    // Another account whose number ends in the same four digits is not the same payment.
    const fromOtherAccount = await call({ ...ahead, ACHAccountNumber: '00012346000000000' })
    expect(fromOtherAccount).toMatchObject({ ok: true, value: { PaymentMessage: 'Successful' } })
    expect(fromOtherAccount).not.toEqual(second)
    // A repeated call within 35 seconds gets the response of the first; a later call pays another period.
    services.later(34_999)
    expect(await call(ahead)).toEqual(second)
    services.later(1)
    const third = await call(ahead)
    expect(third).toMatchObject({ ok: true, value: { PaymentMessage: 'Successful' } })
    expect(third).not.toEqual(second)
    expect(await perform(services, ProcessACHPayments, { ...input, tenant_id: 1001 }, asCy)).toMatchObject({
      status: 403,
    })
    expect(await perform(services, ProcessACHPayments, input, visitor())).toMatchObject({ status: 401 })
  })
})
