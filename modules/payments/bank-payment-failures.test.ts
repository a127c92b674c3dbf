/** Tests bank payments of tenants, guest payers, renters and autopay in failure cases, against the sandbox's debits. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { achFailed } from '../../domain/texts/payment.ts'
import { type Bank, BankUnavailable } from '../../ports/bank/bank.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change, recordsOf } from '../../tests/support/rows.ts'
import { runBilling } from '../billing/run-billing.ts'
import { loadBalance } from '../ledger/load-and-repair-lease-balance.ts'
import { reverseReturnedDebits } from '../refunds/reverse-payments-returned-by-bank.ts'
import { MAX_REFUND_ATTEMPTS } from '../refunds/rules/max-refund-attempts.ts'
import { storeQuote } from '../reservations/draft-quote.ts'
import { postCharge } from '../standing/post-entries.ts'
import { runAutopay } from './autopay/charge-autopay.ts'
import { payCheckoutByBank, payMoveInByBank } from './bank/bank-debit.ts'
import {
  decideReview,
  loadPaymentsInReview,
  loadUnfinishedRefunds,
  retryRefund,
} from './payment-reviews-and-failed-refunds.ts'
import { processRefunds } from './refund-unposted-payments.ts'
import type { CheckoutTerms } from './rules/checkout-terms.ts'
import { reconcilePayments } from './settle-pending-payments.ts'
import {
  adaPrepays,
  bankAccount,
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
import { crashAt, SimulatedCrash } from './testing-crash-points.ts'
import { mailsOf, subjects } from './testing-invariants.ts'
import { readyToPay, saveTestAnswers } from './testing-rent-until-card-page.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const { till, folder } = sandboxForTests('bank-payers')

const withAutopay: CheckoutTerms = { ...cyDues, autopay: true }

type Press = (on?: PayingServices) => Promise<unknown>

interface Payer {
  who: string
  /** Number of the paid lease; null where the payment creates it. */
  lease: number | null
  /** Whether the payer pays for future periods rather than dues. */
  prepays?: boolean
  ready(services: PayingServices, ending: string): Promise<Press>
}

const pause = async () => {}

const byCheckout = (who: string, terms: CheckoutTerms): Payer => ({
  who,
  lease: terms.leaseNumber,
  prepays: terms.pays === 'prepay',
  async ready(services, ending) {
    const checkout = await startTestCheckout(services, terms)
    return (on = services) =>
      payCheckoutByBank(on, checkout, { account: bankAccount(ending), by: testSubmission }, { pause })
  },
})

const renter: Payer = {
  who: 'a renter who moves in',
  lease: null,
  async ready(services, ending) {
    const draft = await saveTestAnswers(services, await readyToPay(services, { answers: { autopay: true } }), {
      paymentMethod: 'ACH',
    })
    const quoteId = (await storeQuote(services, draft))?.quoteId ?? ''
    return (on = services) =>
      payMoveInByBank(on, draft, { quoteId, account: bankAccount(ending), by: testSubmission }, { pause })
  },
}

const autopay: Payer = {
  who: 'autopay',
  lease: 10001,
  async ready(services, ending) {
    await turnAutopayOn(services, 10001, bankAccount(ending))
    services.later(Date.parse('2026-12-01T17:00:00Z') - services.clock.now())
    await runBilling(services)
    return (on = services) => runAutopay(on)
  },
}

const people: Payer[] = [
  byCheckout('a tenant who pays the dues', withAutopay),
  byCheckout('a tenant who prepays two periods', { ...adaPrepays, periods: 2, autopay: true }),
  byCheckout('a guest who pays the dues', { ...withAutopay, payer: 'guest' }),
  renter,
]

describeOnBothEngines('Payments from a bank account', (open) => {
  describe.each([...people, autopay])('by $who', (payer) => {
    let services: PayingServices
    let bank: Bank
    beforeEach(async () => {
      services = await openPayingServices(await open(), till, folder)
      bank = till.bank
      services.bank = bank
    })
    afterEach(() => services.db.close())

    const payments = () => services.db.read.selectFrom('payments').selectAll().orderBy('created_at').execute()
    const balance = async () => {
      const lease = payer.lease ?? (await payments()).find((payment) => payment.lease_number !== null)?.lease_number
      return lease ? loadBalance(services.db.read, 'GA1', lease) : 0
    }

    /** Compares the bank's record of our orders with the ledger; they must agree to the cent. */
    async function expectAgreement() {
      const debits = await bankDebits(till)
      const orders = (await payments()).map((payment) => payment.order_id)
      const entries = await recordsOf(services, 'ledger_entries')
      const totals = { debits: 0, kept: 0, payments: 0, reversals: 0, credited: 0 }
      for (const order of orders) {
        const orderDebits = debits.filter((debit) => debit.order_id === order && debit.state !== 'REFUSED')
        // A return also reverses prepaid charges under this order id, by entries of other kinds.
        const posted = entries.filter(
          (entry) => entry.order_id === order && ['payment', 'reversal'].includes(entry.kind),
        )
        const uncredited = orderDebits.filter((debit) => debit.state === 'ACCEPTED' && debit.credited_at === null)
        const has = uncredited.reduce((sum, debit) => sum + debit.amount, 0)
        const owed = await refundsOf(order)
        expect(
          posted.reduce((sum, entry) => sum - entry.cents, 0),
          order,
        ).toBe(has - owed)
        totals.debits += orderDebits.length
        totals.kept += has
        totals.credited += orderDebits.filter((debit) => debit.credited_at !== null).length
        totals.payments += posted.filter((entry) => entry.kind === 'payment').length
        totals.reversals += posted.filter((entry) => entry.kind === 'reversal').length
      }
      return totals
    }
    async function refundsOf(order: string): Promise<number> {
      const open = (await loadUnfinishedRefunds(services)).filter((task) => task.order_id === order)
      const review = (await loadPaymentsInReview(services)).filter((payment) => payment.order_id === order)
      return [...open.map((task) => task.cents), ...review.map((payment) => payment.approved_amount ?? 0)].reduce(
        (sum, cents) => sum + cents,
        0,
      )
    }

    it.each(['provider asked', 'captured', 'posted'] as const)(
      'has one debit and one entry when its process ends after “%s” and a later run completes it',
      async (at) => {
        const press = await payer.ready(services, '0000')
        await expect(press(crashAt(services, at))).rejects.toThrow(SimulatedCrash)
        services.later(MINUTE)
        await Promise.all([reconcilePayments(services), reconcilePayments(services)])
        expect(await expectAgreement()).toMatchObject({ debits: 1, payments: 1, reversals: 0 })
        expect(await balance()).toBe(0)
        await press()
        expect(await expectAgreement()).toMatchObject({ debits: 1, payments: 1 })
      },
    )

    it('debits nothing when its process ends before the bank is called, until it is requested again', async () => {
      const press = await payer.ready(services, '0000')
      await expect(press(crashAt(services, 'order written'))).rejects.toThrow(SimulatedCrash)
      services.later(MINUTE)
      await reconcilePayments(services)
      expect(await expectAgreement()).toMatchObject({ debits: 0, payments: 0 })
      // An autopay order expires first; the next run attempts again.
      for (let hour = 0; payer === autopay && hour < 5; hour += 1) {
        services.later(60 * MINUTE)
        await reconcilePayments(services)
      }
      await press()
      expect(await expectAgreement()).toMatchObject({ debits: 1, payments: 1 })
    })

    it('goes to manual review when another amount was debited, and its failed refund is retried', async () => {
      services.bank = { ...bank, debit: (request) => bank.debit({ ...request, amount: request.amount - 1_00 }) }
      await (await payer.ready(services, '0000'))()
      const [waiting] = await loadPaymentsInReview(services)
      expect(waiting?.state).toBe('review')
      const order = waiting?.order_id ?? ''
      expect(await expectAgreement()).toMatchObject({ debits: 1, payments: 0 })
      await services.runDueJobs()
      expect(
        (await subjects(services)).filter((subject) => subject.startsWith('We are checking your payment')),
      ).toHaveLength(1)
      expect(await decideReview(services, order, 'refund')).toEqual({ ok: true, settled: { state: 'refund' } })
      const before = services.reported.length
      services.bank = { ...bank, refund: async () => ({ done: false, code: 'X09', description: 'Not now' }) }
      for (let n = 0; n < MAX_REFUND_ATTEMPTS + 2; n += 1) {
        await processRefunds(services)
        services.later(DAY)
      }
      expect(await loadUnfinishedRefunds(services, 'failed')).toMatchObject([
        { order_id: order, last_error: 'X09 Not now' },
      ])
      expect(services.reported.slice(before).map(String)).toEqual([
        'Error: A refund keeps failing: X09 Not now',
        'Error: A refund failed for good: X09 Not now',
      ])
      services.bank = bank
      expect(await retryRefund(services, order)).toBe(true)
      await Promise.all([processRefunds(services), processRefunds(services)])
      expect(await loadUnfinishedRefunds(services)).toEqual([])
      expect(await expectAgreement()).toMatchObject({ debits: 1, kept: 0, credited: 1, payments: 0 })
    })

    it('is settled once when the response is lost and the browser never returns', async () => {
      const press = await payer.ready(services, '0000')
      const silent = () => Promise.reject(new BankUnavailable('timeout', 'silent'))
      services.bank = {
        ...bank,
        debit: async (request) => {
          await bank.debit(request)
          return silent()
        },
        queryDebit: silent,
      }
      await press()
      const [row, ...others] = await payments()
      expect(others).toEqual([])
      expect(row?.state).toBe('presented')
      services.later(MINUTE)
      await reconcilePayments(services)
      expect((await payments())[0]?.state).toBe(row?.state)
      services.bank = bank
      services.later(MINUTE)
      await Promise.all([reconcilePayments(services), reconcilePayments(services)])
      expect(await expectAgreement()).toMatchObject({ debits: 1, payments: 1 })
      await services.runDueJobs()
      await services.runDueJobs()
      expect((await subjects(services)).filter((subject) => subject.startsWith('Receipt'))).toHaveLength(1)
    })

    it('is retried under the same order when the response is unreadable, with one debit and one entry', async () => {
      const press = await payer.ready(services, '5555')
      await press()
      services.later(MINUTE)
      await reconcilePayments(services)
      expect(await expectAgreement()).toMatchObject({ debits: 1, payments: 1 })
    })

    it('has one debit and one entry for five simultaneous requests', async () => {
      const press = await payer.ready(services, '0000')
      await Promise.all(Array.from({ length: 5 }, () => press()))
      services.later(MINUTE)
      await reconcilePayments(services)
      await press()
      expect(await expectAgreement()).toMatchObject({ debits: 1, payments: 1, reversals: 0 })
      expect(await balance()).toBe(0)
    })

    it('posts nothing for a refused debit, and says so in the specified words', async () => {
      const press = await payer.ready(services, '2222')
      const result = await press()
      if (payer === autopay) expect(result).toMatchObject({ refused: 1 })
      else expect(result).toMatchObject({ ok: true, paid: { state: 'failed', message: achFailed } })
      expect(await expectAgreement()).toMatchObject({ debits: 0, payments: 0 })
      expect((await payments()).map((payment) => payment.state)).toEqual(['declined'])
    })

    it('reverses a debit returned days later once, switches autopay off and mails once', async () => {
      const press = await payer.ready(services, '3333')
      await press()
      const [row] = await payments()
      expect(await expectAgreement()).toMatchObject({ debits: 1, payments: 1 })
      const lease = () => leaseOf(services, row?.lease_number ?? 0)
      expect(await lease()).toMatchObject({ autopay: 1, autopay_label: 'Checking ****3333' })
      services.later(2 * DAY)
      const runs = await Promise.all([
        reverseReturnedDebits(services),
        reverseReturnedDebits(services),
        reverseReturnedDebits(services),
      ])
      expect(runs.reduce((sum, count) => sum + count, 0)).toBe(1)
      expect(await reverseReturnedDebits(services)).toBe(0)
      expect(await expectAgreement()).toMatchObject({ kept: 0, payments: 1, reversals: 1 })
      // Periods paid ahead are not due before they begin.
      const owes = (await balance()) > 0
      expect(owes).toBe(!payer.prepays)
      expect(await lease()).toMatchObject({
        autopay: 0,
        autopay_sealed: null,
        status: owes ? 'Past Due' : 'Current',
      })
      expect((await payments()).map((payment) => [payment.state, payment.return_code])).toEqual([['returned', 'R01']])
      await services.runDueJobs()
      await services.runDueJobs()
      expect((await subjects(services)).filter((subject) => subject.includes('was returned'))).toHaveLength(1)
    })

    it.skipIf(payer.lease === null)(
      'names the phone number in the mail about a returned debit when the tenant may no longer pay online',
      async () => {
        const press = await payer.ready(services, '3333')
        await press()
        const [row] = await payments()
        services.later(2 * DAY)
        await reverseReturnedDebits(services)
        await change(services, 'leases', { lease_number: row?.lease_number ?? 0 }, { auction_prepped: 1 })
        await services.runDueJobs()
        const text = (await mailsOf(services, /was returned$/))[0]?.text
        if ((await balance()) > 0)
          expect(text).toContain('Please contact customer service to make a payment - (404) 555-0199')
        else expect(payer.prepays).toBe(true)
        expect(text).not.toMatch(/Pay Now|by card|turn it on again/i)
      },
    )

    it.skipIf(payer.lease === null)(
      'refunds the debit when the dues were paid at the counter while the bank was asked',
      async () => {
        const press = await payer.ready(services, '0000')
        const owed = await balance()
        await expect(press(crashAt(services, 'provider asked'))).rejects.toThrow(SimulatedCrash)
        if (owed > 0) await payAtCounter(services, payer.lease ?? 0, owed)
        services.later(MINUTE)
        await reconcilePayments(services)
        services.later(MINUTE)
        await processRefunds(services)
        // Where no dues were owed, nothing was paid at the counter, and the debit is posted.
        const back = owed > 0
        expect(await expectAgreement()).toMatchObject({ debits: 1, credited: back ? 1 : 0, payments: back ? 0 : 1 })
        expect(await balance()).toBe(0)
      },
    )

    it.skipIf(payer === autopay || payer.lease === null)(
      'is refused and debits nothing when the dues have changed since they were shown',
      async () => {
        const press = await payer.ready(services, '0000')
        await services.db.transaction((tx) =>
          postCharge(tx, services, {
            locationCode: 'GA1',
            leaseNumber: payer.lease ?? 0,
            once: 'lock',
            kind: 'fee',
            cents: 25_00,
            description: 'Lock cut',
          }),
        )
        expect(await press()).toMatchObject({ ok: false })
        expect(await payments()).toEqual([])
      },
    )
  })
})
