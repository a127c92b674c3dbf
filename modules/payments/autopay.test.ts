import { beforeEach, describe, expect, it } from 'vitest'
import { MINUTE } from '../../domain/durations.ts'
import { addDays } from '../../domain/plain-date.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Bank, BankAccount, DebitResult } from '../../ports/bank/bank.ts'
import { BankUnavailable } from '../../ports/bank/bank.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'
import { describeOnBothEngines, openerForTests } from '../../tests/support/databases.ts'
import { change, recordsOf } from '../../tests/support/rows.ts'
import { runBilling } from '../billing/run-billing.ts'
import { clearAutopay } from '../leases/autopay-mandate.ts'
import { loadBalance } from '../ledger/load-and-repair-lease-balance.ts'
import { postCharge } from '../standing/post-entries.ts'
import { runAutopay } from './autopay/charge-autopay.ts'
import { followUpRefusals } from './autopay/follow-up-refused-autopay.ts'
import { openCheckout } from './open/open-checkout.ts'
import { loadEntries } from './payment-history.ts'
import { processRefunds } from './refund-unposted-payments.ts'
import { settlePayment } from './settle-payment.ts'
import { reconcilePayments } from './settle-pending-payments.ts'
import {
  adaPrepays,
  leaseOf,
  openPayingServices,
  type PayingServices,
  payAtCounter,
  scheduleTestMoveOut,
  startTestCheckout,
  testSubmission,
  turnAutopayOn,
} from './testing.ts'
import { sandboxForTests } from './testing-card-provider.ts'
import { crashAt, type PaymentPoint, runAndKillSettlingProcess, SimulatedCrash } from './testing-crash-points.ts'
import { expectInvariants, mailsOf, subjects } from './testing-invariants.ts'

const periodCents = 139_00 + 12_37

const { till, folder } = sandboxForTests('autopay')

const adas = { location_code: 'GA1', lease_number: 10001 }
let cards = 0

async function storedCard(services: PayingServices, card: TestCardName): Promise<string> {
  cards += 1
  const orderId = `STORED${process.pid}${cards}`
  const page = await services.cardProvider.createHostedPage({
    orderId,
    amount: 0,
    createAlias: true,
    returnUrl: 'https://rent.example/card-return/x',
    customer: { name: '', email: '', address: '', city: '', state: '', zip: '' },
  })
  await payAtHostedPage(page.payPageUrl, card)
  return (await services.cardProvider.queryPayment(orderId)).alias
}

function goTo(services: PayingServices, date: string) {
  services.later(Date.parse(`${date}T17:00:00Z`) - services.clock.now())
}

async function turnOnAndBillFirstPeriod(services: PayingServices, card: TestCardName = 'visa'): Promise<void> {
  await turnAutopayOn(services, 10001, { alias: await storedCard(services, card) })
  goTo(services, '2026-12-01')
  await runBilling(services)
}

const withLateFee = (services: PayingServices) =>
  services.db.write
    .insertInto('fees')
    .values({
      location_code: 'GA1',
      fee_id: 9,
      unit_type_id: null,
      description: 'Late fee',
      amount: 25_00,
      charged: 'late',
    })
    .execute()
const setAda = (services: PayingServices, set: object) => change(services, 'leases', { lease_number: 10001 }, set)
async function runFor(services: PayingServices, minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 15) {
    services.later(15 * MINUTE)
    await reconcilePayments(services)
    await runAutopay(services)
  }
}
const autopaysOf = (services: PayingServices) =>
  services.db.read
    .selectFrom('payments')
    .selectAll()
    .where('payer', '=', 'autopay')
    .orderBy('created_at')
    .orderBy('order_id')
    .execute()
const paidEntries = async (services: PayingServices) =>
  (await loadEntries(services.db.read, 'GA1', 10001)).filter((entry) => entry.kind === 'payment')

async function netCharged(services: PayingServices): Promise<number> {
  const orders = await recordsOf(services, 'payments', { lease_number: 10001 })
  let sum = 0
  for (const { order_id } of orders) {
    const { charged, returned } = await till.moved(order_id)
    sum += charged - returned
  }
  return sum
}

describeOnBothEngines('Autopay', (open) => {
  let services: PayingServices
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
  })

  it('charges the dues once on the first day of the period, with any number of workers, and sends a receipt', async () => {
    await turnOnAndBillFirstPeriod(services)
    expect(await runAutopay(services, { date: '2026-11-30' })).toMatchObject({ tries: 0 })
    const runs = await Promise.all([runAutopay(services), runAutopay(services), runAutopay(services)])
    expect(runs.reduce((sum, run) => sum + run.posted, 0)).toBe(1)
    expect(await runAutopay(services)).toEqual({ tries: 0, posted: 0, refused: 0 })
    const [payment, ...others] = await autopaysOf(services)
    expect(others).toEqual([])
    expect(payment).toMatchObject({
      state: 'posted',
      amount: periodCents,
      autopay_period: '2026-12-01',
      autopay_try: 1,
      method: 'CC',
    })
    expect((await paidEntries(services)).map((entry) => [entry.cents, entry.description])).toEqual([
      [-periodCents, 'Autopay by VI **** 1111'],
    ])
    expect(await leaseOf(services, 10001)).toMatchObject({ status: 'Current', paid_through: '2026-12-30', autopay: 1 })
    expect(await netCharged(services)).toBe(periodCents)
    await services.runDueJobs()
    expect((await subjects(services)).filter((subject) => subject.startsWith('Receipt'))).toHaveLength(1)
    await expectInvariants(services, till)
  })

  it('charges the other leases when the charge of one fails for a reason of its own', async () => {
    await turnOnAndBillFirstPeriod(services)
    await turnAutopayOn(services, 10002, { alias: await storedCard(services, 'mastercard') })
    await change(services, 'leases', { lease_number: 10002 }, { paid_through: '2026-11-30' })
    const reported: unknown[] = []
    const { cardProvider } = services
    const failing = {
      ...services,
      errors: { report: (error: unknown) => void reported.push(String(error)) },
      cardProvider: {
        ...cardProvider,
        saleByAlias: (sale: Parameters<typeof cardProvider.saleByAlias>[0]) =>
          sale.orderId.endsWith('-GA1-10001')
            ? Promise.reject(new Error('no such card'))
            : cardProvider.saleByAlias(sale),
      },
    }
    await expect(runAutopay(failing, { concurrency: 1 })).rejects.toThrow('no such card')
    expect(reported).toEqual(['Error: no such card'])
    const states = (await autopaysOf(services)).map(({ lease_number, state }) => [lease_number, state])
    expect(states.sort()).toEqual([
      [10001, 'created'],
      [10002, 'posted'],
    ])
  })

  it('charges once when its process ends at any point of the run', async () => {
    let date = '2026-12-01'
    await turnAutopayOn(services, 10001, { alias: await storedCard(services, 'visa') })
    const points: PaymentPoint[] = ['order written', 'provider asked', 'captured', 'posted']
    for (const point of points) {
      goTo(services, date)
      await runBilling(services)
      await expect(runAutopay(crashAt(services, point))).rejects.toThrow(SimulatedCrash)
      // Later processes run the reconciliation job and autopay's next checks.
      await runFor(services, 150)
      expect(await loadBalance(services.db.read, 'GA1', 10001), point).toBe(0)
      date = addDays(date, 30)
    }
    expect(await netCharged(services)).toBe(points.length * periodCents)
    expect(await paidEntries(services)).toHaveLength(points.length)
    await expectInvariants(services, till)
  })
})

describe('Autopay, rule by rule', () => {
  const open = openerForTests()
  let services: PayingServices
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
  })

  it('retries a refused card on days 3 and 7, mails each refusal, and switches off after the last', async () => {
    await turnOnAndBillFirstPeriod(services, 'declinedLater')
    const refusedOn: string[] = []
    for (let date = '2026-12-01'; date <= '2026-12-12'; date = addDays(date, 1)) {
      goTo(services, date)
      for (const _ of [1, 2]) if ((await runAutopay(services)).refused === 1) refusedOn.push(date)
      await followUpRefusals(services)
      expect(await followUpRefusals(services)).toBe(0)
      await services.runDueJobs()
      expect((await leaseOf(services, 10001)).autopay, date).toBe(date < '2026-12-07' ? 1 : 0)
    }
    expect(refusedOn).toEqual(['2026-12-01', '2026-12-03', '2026-12-07'])
    expect((await autopaysOf(services)).map((payment) => [payment.state, payment.autopay_try])).toEqual([
      ['declined', 1],
      ['declined', 2],
      ['declined', 3],
    ])
    const mails = await mailsOf(services, /did not go through$/)
    expect(mails.map((mail) => /We try again on [^.]+\.|Autopay is off now\./.exec(mail.text)?.[0])).toEqual([
      'We try again on Thursday, 12/03/2026.',
      'We try again on Monday, 12/07/2026.',
      'Autopay is off now.',
    ])
    const notes = await services.db.read.selectFrom('tenant_notes').select('note').execute()
    expect(notes.map(({ note }) => note)).toEqual([
      expect.stringMatching(/^Autopay was switched off: Declined by Issuer \(order LK/),
    ])
    expect(await leaseOf(services, 10001)).toMatchObject({
      status: 'Past Due',
      overlocked: 0,
      autopay_refused_period: '2026-12-01',
      autopay_refusals: 3,
    })
    expect(await netCharged(services)).toBe(0)
  })

  it('mails after the last refusal that it is off, even if the dues were paid since, and from when the gate refuses', async () => {
    await turnOnAndBillFirstPeriod(services, 'declinedLater')
    const followUpAndLoadLastMail = async () => {
      await followUpRefusals(services)
      await services.runDueJobs()
      const mails = await mailsOf(services, /did not go through$/)
      return { count: mails.length, text: mails.at(-1)?.text ?? '' }
    }
    for (const date of ['2026-12-01', '2026-12-03']) {
      goTo(services, date)
      await runAutopay(services)
      const { text } = await followUpAndLoadLastMail()
      expect(text).toContain('The reason given was: Declined by Issuer.')
      expect(text).not.toContain('the gate does not take your code')
    }
    goTo(services, '2026-12-07')
    await runAutopay(services)
    await followUpRefusals(services)
    await payAtCounter(services, 10001, periodCents)
    expect(await followUpAndLoadLastMail()).toMatchObject({
      count: 3,
      text: expect.stringMatching(/Autopay is off now\..*You have paid in another way since, so nothing is due\./),
    })

    goTo(services, '2026-12-31')
    await turnAutopayOn(services, 10001, { alias: await storedCard(services, 'declinedLater') })
    await runBilling(services)
    for (const date of ['2026-12-31', '2027-01-02', '2027-01-06']) {
      goTo(services, date)
      await runAutopay(services)
      await followUpAndLoadLastMail()
    }
    expect(await followUpAndLoadLastMail()).toMatchObject({
      count: 6,
      text: expect.stringContaining('From Sunday, 01/10/2027 the gate does not take your code'),
    })
    goTo(services, '2027-01-30')
    await runBilling(services)
    await services.runDueJobs()
    const [due2] = await mailsOf(services, /^\$302.74 is due for unit 301$/)
    expect(due2?.text).toContain('The gate does not take your code and the unit is locked')
    const { location_code: locationCode, tenant_id: tenantId } = await leaseOf(services, 10001)
    const job = { kind: 'gate_code', once: 'asked', runAt: services.clock.now() } as const
    await enqueue(services.db.write, { ...job, payload: { locationCode, tenantId } })
    await services.runDueJobs()
    const [code] = await mailsOf(services, /^Your gate code at/)
    expect(code?.text).toContain('Unit 301: $302.74 is due for it')
    expect(code?.text).toContain('Pay $302.74 and it opens again at once.')
  })

  it('is switched off at once when the card has expired, unless the tenant agreed to autopay again since', async () => {
    await turnOnAndBillFirstPeriod(services)
    const { cardProvider } = services
    const expired = {
      state: 'DECLINED' as const,
      responseCode: '033',
      responseDescription: 'EXPIRED CARD',
      approvedAmount: 0,
      transactionId: '',
      alias: '',
      cardBrand: '',
      maskedCardNumber: '',
      expMonth: '',
      expYear: '',
      customerName: '',
      address: '',
      postalCode: '',
      receiptId: '',
    }
    services.cardProvider = { ...cardProvider, saleByAlias: async ({ orderId }) => ({ ...expired, orderId }) }
    expect(await runAutopay(services)).toMatchObject({ refused: 1 })
    services.cardProvider = cardProvider
    services.later(MINUTE)
    await turnAutopayOn(services, 10001, { alias: await storedCard(services, 'mastercard') })
    expect(await followUpRefusals(services)).toBe(1)
    expect(await leaseOf(services, 10001)).toMatchObject({ autopay: 1 })
    goTo(services, '2026-12-03')
    expect(await runAutopay(services)).toMatchObject({ posted: 1 })

    goTo(services, '2026-12-31')
    await runBilling(services)
    services.cardProvider = { ...cardProvider, saleByAlias: async ({ orderId }) => ({ ...expired, orderId }) }
    expect(await runAutopay(services)).toMatchObject({ refused: 1 })
    services.cardProvider = cardProvider
    expect(await followUpRefusals(services)).toBe(1)
    expect(await leaseOf(services, 10001)).toMatchObject({ autopay: 0, autopay_sealed: null, autopay_label: '' })
  })

  it('skips leases that are paid, moving out, without autopay or blocked from payment', async () => {
    await turnOnAndBillFirstPeriod(services)
    await setAda(services, { auction_prepped: 1 })
    expect(await runAutopay(services)).toMatchObject({ tries: 0 })
    await setAda(services, { auction_prepped: 0 })
    // Paid through 71 days ago; 70 would be allowed.
    expect(await runAutopay(services, { date: '2027-02-09' })).toMatchObject({ tries: 0 })
    const alias = await storedCard(services, 'visa')

    await services.db.transaction((tx) => clearAutopay(tx, services, adas))
    expect(await runAutopay(services)).toMatchObject({ tries: 0 })

    await turnAutopayOn(services, 10001, { alias })
    await scheduleTestMoveOut(services, 10001, '2026-12-02')
    expect(await runAutopay(services)).toMatchObject({ tries: 0 })

    await turnAutopayOn(services, 10001, { alias })
    await payAtCounter(services, 10001, periodCents)
    expect(await runAutopay(services)).toMatchObject({ tries: 0 })
    expect(await autopaysOf(services)).toEqual([])
  })

  it('charges before overlock and late fee after weeks without scheduled work, and overlocks after the last refusal', async () => {
    const feesOf = async () =>
      (await loadEntries(services.db.read, 'GA1', 10001)).filter((entry) => entry.kind === 'fee')
    await withLateFee(services)
    await runBilling(services)
    await turnAutopayOn(services, 10001, { alias: await storedCard(services, 'declinedLater') })
    goTo(services, '2026-12-26')
    await runBilling(services)
    expect(await leaseOf(services, 10001)).toMatchObject({ status: 'Past Due', overlocked: null })
    expect(await feesOf()).toEqual([])
    expect(await leaseOf(services, 10002)).toMatchObject({ overlocked: 1 })
    await services.db.transaction((tx) =>
      postCharge(tx, services, {
        locationCode: 'GA1',
        leaseNumber: 10001,
        kind: 'fee',
        cents: 20_00,
        description: 'Lock',
        once: 'lock',
      }),
    )
    expect((await leaseOf(services, 10001)).overlocked).not.toBe(1)
    for (const date of ['2026-12-26', '2026-12-28']) {
      goTo(services, date)
      await runBilling(services)
      expect(await runAutopay(services)).toMatchObject({ refused: 1 })
      await followUpRefusals(services)
      expect(await leaseOf(services, 10001)).toMatchObject({ autopay: 1, overlocked: 0 })
    }
    const other = await openPayingServices(await open(), till, folder)
    goTo(services, '2027-01-01')
    await runBilling(services)
    expect((await leaseOf(services, 10001)).overlocked).not.toBe(1)
    expect(await runAutopay(services)).toMatchObject({ refused: 1 })
    await followUpRefusals(services)
    expect(await leaseOf(services, 10001)).toMatchObject({ autopay: 0, overlocked: 1 })

    await turnAutopayOn(other, 10001, { alias: await storedCard(other, 'visa') })
    goTo(other, '2026-12-26')
    await runBilling(other)
    expect(await leaseOf(other, 10001)).toMatchObject({ status: 'Past Due', overlocked: null })
    expect(await runAutopay(other)).toMatchObject({ posted: 1 })
    expect(await leaseOf(other, 10001)).toMatchObject({ status: 'Current', overlocked: 0, paid_through: '2026-12-30' })
  })

  it('charges a tenant on active duty who was flagged for auction before overlock and late fee', async () => {
    await withLateFee(services)
    await runBilling(services)
    await turnAutopayOn(services, 10001, { alias: await storedCard(services, 'visa') })
    await setAda(services, { auction_prepped: 1 })
    await change(services, 'tenants', { tenant_id: 1001 }, { active_military: 1 })
    goTo(services, '2026-12-26')
    await runBilling(services)
    expect(await leaseOf(services, 10001)).toMatchObject({ status: 'Past Due', auction_prepped: 0, overlocked: null })
    expect((await loadEntries(services.db.read, 'GA1', 10001)).filter((entry) => entry.kind === 'fee')).toEqual([])
    expect(await runAutopay(services)).toMatchObject({ posted: 1 })
    expect(await leaseOf(services, 10001)).toMatchObject({ status: 'Current', paid_through: '2026-12-30' })
  })

  it('charges up to the seventieth day after paid-through', async () => {
    await turnOnAndBillFirstPeriod(services)
    expect(await runAutopay(services, { date: '2027-02-08' })).toMatchObject({ posted: 1 })
  })

  it('mails the amount due at the time of sending, only to tenants who still owe it', async () => {
    await change(services, 'leases', { lease_number: 10002 }, { paid_through: '2026-11-20' })
    goTo(services, '2026-11-20')
    await runBilling(services)
    goTo(services, '2026-12-01')
    await runBilling(services)
    await payAtCounter(services, 10001, periodCents)
    await services.runDueJobs()
    const mails = await services.db.read.selectFrom('mailbox').selectAll().orderBy('subject').execute()
    expect(mails.map((mail) => [mail.recipient, mail.subject])).toEqual([
      ['cy@example.com', '$302.74 is due for unit 302'],
      ['cy@example.com', 'Unit 302 is past due'],
    ])
    expect(mails[0]?.text).toContain('11/21/2026 to 12/20/2026')
    expect(mails[1]?.text).toContain('The gate does not take your code, and the unit is locked.')
    expect(mails[1]?.text).toContain('https://rent.example/unit-lease-details?lease=10002')
  })

  it('waits while the tenant is on the card page, and refunds a page that was paid after its own charge', async () => {
    await turnOnAndBillFirstPeriod(services)
    const checkout = await startTestCheckout(services, { ...adaPrepays, pays: 'dues' })
    const page = await openCheckout(services, checkout, testSubmission)
    if (!page.ok) throw new Error('no card page')
    expect(await runAutopay(services)).toMatchObject({ tries: 0 })
    // The order was closed while its page stayed open in a tab.
    await change(services, 'payments', { order_id: page.orderId }, { state: 'cancelled' })
    expect(await runAutopay(services)).toMatchObject({ posted: 1 })
    await payAtHostedPage(page.payPageUrl, 'visa')
    expect(await settlePayment(services, page.orderId)).toMatchObject({ state: 'refund' })
    await processRefunds(services)
    expect(await netCharged(services)).toBe(periodCents)
    expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(0)
    await expectInvariants(services, till)
  })

  it('opens no card page for dues that autopay is charging, and charges them once', async () => {
    await turnOnAndBillFirstPeriod(services)
    const checkout = await startTestCheckout(services, { ...adaPrepays, pays: 'dues' })
    await expect(runAutopay(crashAt(services, 'provider asked'))).rejects.toThrow(SimulatedCrash)
    expect(await openCheckout(services, checkout, testSubmission)).toMatchObject({ ok: false })
    expect(await netCharged(services)).toBe(periodCents)
    expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(0)
  })

  describe('from a card or a bank account', () => {
    const account: BankAccount = { name: 'Ada Byrne', routing: '061000052', account: '000123456789', type: 'Checking' }

    function bankBooks() {
      const debits = new Map<string, DebitResult>()
      const refundedOrders: string[] = []
      const way: { next: 'ACCEPTED' | 'REFUSED' | 'lost' | 'down'; code: string } = { next: 'ACCEPTED', code: '' }
      const none = (orderId: string): DebitResult => ({
        state: 'UNKNOWN',
        orderId,
        amount: 0,
        traceNumber: '',
        code: '',
        description: '',
      })
      const bank: Bank = {
        validateAccount: async () => ({ valid: true, reference: '', description: '' }),
        async debit({ orderId, account: from, amount }) {
          expect(from).toEqual(account)
          if (way.next === 'down') throw new BankUnavailable('refused', 'down')
          const existing = debits.get(orderId)
          if (existing) return existing
          const state = way.next === 'REFUSED' ? 'REFUSED' : 'ACCEPTED'
          const result = { ...none(orderId), state, amount, traceNumber: `T${debits.size}`, code: way.code } as const
          debits.set(orderId, result)
          if (way.next === 'lost') throw new BankUnavailable('timeout', 'no answer')
          return result
        },
        queryDebit: async (orderId) => debits.get(orderId) ?? none(orderId),
        async refund({ orderId }) {
          refundedOrders.push(orderId)
          return { done: true, code: '', description: '' }
        },
        returnsSince: async () => [],
      }
      return { bank, debits, refundedOrders, way }
    }

    describe.each(['CC', 'ACH'] as const)('with the method %s', (method) => {
      const turnOnByMethod = async () => {
        await turnOnAndBillFirstPeriod(services)
        if (method === 'ACH') await turnAutopayOn(services, 10001, account)
      }
      const meanwhile: Record<string, () => Promise<unknown>> = {
        'the tenant pays at the counter': () => payAtCounter(services, 10001, periodCents),
        'autopay is switched off': () => services.db.transaction((tx) => clearAutopay(tx, services, adas)),
        'the tenant moves out': () => scheduleTestMoveOut(services, 10001, '2026-12-02'),
        'autopay runs once more': () => runAutopay(services),
      }

      it.each(Object.keys(meanwhile))('charges once or refunds when, during the charge, %s', async (event) => {
        const { bank, debits, refundedOrders } = bankBooks()
        const { cardProvider } = services
        const runEvent = meanwhile[event] ?? (async () => {})
        let calls = 0
        const first = async () => {
          calls += 1
          if (calls === 1) await runEvent()
        }
        Object.assign(services, {
          bank: { ...bank, debit: (request: Parameters<Bank['debit']>[0]) => first().then(() => bank.debit(request)) },
          cardProvider: {
            ...cardProvider,
            saleByAlias: (request: Parameters<typeof cardProvider.saleByAlias>[0]) =>
              first().then(() => cardProvider.saleByAlias(request)),
          },
        })
        await turnOnByMethod()
        await runAutopay(services)
        for (let run = 0; run < 3; run += 1) {
          services.later(MINUTE)
          await reconcilePayments(services)
          await processRefunds(services)
          await runAutopay(services)
        }
        expect(calls).toBe(1)
        const [payment, ...others] = await autopaysOf(services)
        expect(others).toEqual([])
        const isRefunded = event === 'the tenant pays at the counter'
        const [state, trouble] = isRefunded ? ['refunded', 'already_paid'] : ['posted', null]
        expect(payment).toMatchObject({ state, trouble })
        const net = method === 'CC' ? await netCharged(services) : (debits.size - refundedOrders.length) * periodCents
        expect(net).toBe(isRefunded ? 0 : periodCents)
        expect((await paidEntries(services)).map((entry) => entry.cents)).toEqual([-periodCents])
        expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(0)
      })

      it('refunds a charge whose process ended after the provider was asked, if the tenant paid at the counter meanwhile', async () => {
        const { bank, debits, refundedOrders } = bankBooks()
        Object.assign(services, { bank })
        await turnOnByMethod()
        await expect(runAutopay(crashAt(services, 'provider asked'))).rejects.toThrow(SimulatedCrash)
        await payAtCounter(services, 10001, periodCents)
        services.later(MINUTE)
        await reconcilePayments(services)
        await processRefunds(services)
        const [payment, ...others] = await autopaysOf(services)
        expect([payment, others]).toMatchObject([{ state: 'refunded', trouble: 'already_paid' }, []])
        expect(method === 'CC' ? await netCharged(services) : debits.size - refundedOrders.length).toBe(0)
        expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(0)
      })

      it('charges once with two workers and a third whose process ended after the capture', async () => {
        const { bank, debits } = bankBooks()
        Object.assign(services, { bank })
        await turnOnByMethod()
        await expect(runAutopay(crashAt(services, 'captured'))).rejects.toThrow(SimulatedCrash)
        await Promise.all([runAutopay(services), runAutopay(services), reconcilePayments(services)])
        services.later(MINUTE)
        await Promise.all([runAutopay(services), reconcilePayments(services)])
        expect(await paidEntries(services)).toHaveLength(1)
        expect(method === 'CC' ? await netCharged(services) : debits.size * periodCents).toBe(periodCents)
        expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(0)
      })

      // The provider fails before it charges, or its response is lost.
      it.each(['down', 'lost'] as const)('charges once when the provider fails: %s', async (kind) => {
        const { bank, debits, way } = bankBooks()
        Object.assign(services, { bank })
        await turnOnByMethod()
        if (method === 'CC') await till.fault({ kind, on: 'sale' })
        else way.next = kind
        await runAutopay(services)
        way.next = 'ACCEPTED'
        await runFor(services, 180)
        expect(method === 'CC' ? await netCharged(services) : debits.size * periodCents).toBe(periodCents)
        const label = method === 'CC' ? 'VI **** 1111' : 'Checking ****6789'
        expect((await paidEntries(services)).map((entry) => entry.description)).toEqual([`Autopay by ${label}`])
        expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(0)
        if (method === 'CC') await expectInvariants(services, till)
      })
    })

    it('is switched off when the bank account is closed', async () => {
      const { bank, way } = bankBooks()
      Object.assign(services, { bank })
      await turnOnAndBillFirstPeriod(services)
      await turnAutopayOn(services, 10001, account)
      Object.assign(way, { next: 'REFUSED', code: 'R02' })
      expect(await runAutopay(services)).toMatchObject({ refused: 1 })
      await followUpRefusals(services)
      expect(await leaseOf(services, 10001)).toMatchObject({ autopay: 0, autopay_sealed: null })
    })
  })

  it('charges once when the process is killed (SIGKILL) after the charge', async () => {
    await turnOnAndBillFirstPeriod(services)
    for (const waitAt of ['provider asked', 'end'])
      await runAndKillSettlingProcess(
        services,
        { till, folder },
        { orderIds: [], autopay: { waitAt } },
        (line) => line === waitAt,
      )
    services.later(MINUTE)
    await Promise.all([reconcilePayments(services), runAutopay(services)])
    await runAutopay(services)
    expect(await netCharged(services)).toBe(periodCents)
    expect(await paidEntries(services)).toHaveLength(1)
    expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(0)
    await expectInvariants(services, till)
  }, 60_000)
})
