import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { perform } from '../../platform/operations/operation.ts'
import { seededRandom } from '../../ports/testing-clock-and-random.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { addRecord, change, recordsOf } from '../../tests/support/rows.ts'
import { lease } from '../../tests/support/small-operator.ts'
import { addStaffCaller, type StaffCallers, withApprovals } from '../../tests/support/staff.ts'
import { RefundPayment } from '../refunds/operations/refund-payment.ts'
import { reverseReturnedDebits } from '../refunds/reverse-payments-returned-by-bank.ts'
import { loadNewestEntry } from '../standing/add-staff-ledger-entries.ts'
import { postCharge } from '../standing/post-entries.ts'
import { payCheckoutByBank } from './bank/bank-debit.ts'
import { openCheckout } from './open/open-checkout.ts'
import { startCheckout } from './price-checkout.ts'
import { processRefunds } from './refund-unposted-payments.ts'
import type { Checkout } from './rules/checkout-terms.ts'
import { settlePayment } from './settle-payment.ts'
import { reconcilePayments } from './settle-pending-payments.ts'
import {
  bankAccount,
  cyDues,
  leaseOf,
  openPayingServices,
  type PayingServices,
  payAtCounter,
  testSubmission,
} from './testing.ts'
import { bankDebits, sandboxForTests } from './testing-card-provider.ts'
import { loadCheckout } from './views/own-checkout.ts'

const HOUR = 60 * 60 * 1000
const { till, folder } = sandboxForTests('several-histories')
const units = [10002, 10003, 10004, 10005]

describe('Payments for several units over random histories', () => {
  const open = openerForTests()
  let services: PayingServices
  let finance: StaffCallers
  beforeEach(async () => {
    services = withApprovals(await openPayingServices(await open(), till, folder))
    services.bank = till.bank
    finance = await addStaffCaller(services, 'finance')
    await addRecord(services, 'settings', { name: 'bank_refund_days', value: '0', updated_at: 0 })
    for (const number of units.slice(1)) {
      const at = number - 10000
      await addRecord(
        services,
        'leases',
        lease({ lease_number: number, tenant_id: 1002, unit_id: at, unit_number: `10${at}` }),
      )
      await change(services, 'units', { location_code: 'GA1', unit_id: at }, { status: 'rented' })
    }
  })
  afterEach(() => services.db.close())

  const charge = (leaseNumber: number, cents: number, once: string) =>
    services.db.transaction((tx) =>
      postCharge(tx, services, { locationCode: 'GA1', leaseNumber, kind: 'fee', cents, description: 'Fee', once }),
    )

  async function checkoutFor(numbers: readonly number[]): Promise<Checkout | null> {
    const [first = 0] = numbers
    const started = await startCheckout(services, {
      ...cyDues,
      leaseNumber: first,
      ...(numbers.length > 1 && { payer: 'units', leaseNumbers: numbers }),
    })
    return started.ok ? loadCheckout(services, started.checkoutId) : null
  }

  async function refundShare(orderId: string, lease_number: number, cents: number) {
    const { location_code, tenant_id, balance } = await leaseOf(services, lease_number)
    const newest = await loadNewestEntry(services.db.read, { location_code, lease_number })
    const form = {
      location_code,
      lease_number,
      tenant_id,
      balance,
      newest_entry: newest?.entry_id ?? '',
      note: '',
      act_id: services.random.uuid(),
      order_id: orderId,
      cents,
      way: 'check',
      reason: 'charged-twice',
    }
    await perform(services, RefundPayment, { ...form, afterwards: cents % 2 ? 'owed' : 'forgiven' }, finance)
  }

  /**
   * Checks that each order is in the ledger wholly or not at all, and that shares and balances agree with the ledger.
   * @param atRest whether no payment is in progress; the provider's charges are then compared too
   */
  async function expectBooksAgree(step: string, atRest: boolean) {
    const entries = await recordsOf(services, 'ledger_entries')
    const shares = await recordsOf(services, 'payment_shares')
    const debits = await bankDebits(till)
    for (const number of units) {
      const own = entries.filter((entry) => entry.lease_number === number)
      expect(
        own.reduce((sum, { cents }) => sum + cents, 0),
        step,
      ).toBe((await leaseOf(services, number)).balance)
    }
    for (const order of await recordsOf(services, 'payments')) {
      const counts = order.state === 'posted' || order.state === 'returned'
      const captured = order.approved_amount ?? order.amount
      const entriesOf = (kind: string) =>
        entries.filter((entry) => entry.order_id === order.order_id && entry.kind === kind)
      const sum = (rows: { cents: number }[]) => rows.reduce((all, { cents }) => all + cents, 0)
      expect(sum(entriesOf('payment')), `${step}: ${order.state}`).toBe(counts ? -captured : 0)
      expect(sum(entriesOf('refund')), step).toBe(order.refunded_cents)
      expect(sum(entriesOf('reversal')), step).toBe(order.state === 'returned' ? captured - order.refunded_cents : 0)
      const parts = shares.filter((share) => share.order_id === order.order_id)
      for (const part of parts) {
        const ofLease = (kind: string) =>
          sum(entriesOf(kind).filter((entry) => entry.lease_number === part.lease_number))
        expect(ofLease('payment'), step).toBe(counts ? -part.cents : 0)
        expect(ofLease('refund'), step).toBe(part.refunded_cents)
        expect(part.refunded_cents, step).toBeLessThanOrEqual(part.cents)
      }
      if (order.payer === 'units') expect(sum(parts), step).toBe(captured)
      if (!atRest) continue
      expect(['created', 'presented', 'captured'], step).not.toContain(order.state)
      const debit = debits.find((debit) => debit.order_id === order.order_id)
      const { charged, returned } = await till.moved(order.order_id)
      const netCharged =
        order.method === 'CC'
          ? charged - returned
          : debit?.state === 'ACCEPTED' && debit.credited_at === null
            ? debit.amount
            : 0
      expect(netCharged, `${step}: ${order.method} ${order.state}`).toBe(order.state === 'posted' ? captured : 0)
    }
  }

  it.each([1, 6])('agree with the ledger, the shares and the provider (seed %i)', async (seed) => {
    const random = seededRandom(seed)
    const pick = <T>(list: readonly T[]): T => list[random.integer(0, list.length - 1)] as T
    /** Picks leases, mostly ones that owe, since a lease that owes nothing makes the checkout fail. */
    const pickLeases = async () => {
      const leases = await Promise.all(units.map((number) => leaseOf(services, number)))
      const owing = leases.filter(({ balance }) => balance > 0 || random.integer(0, 15) === 0)
      const chosen = owing.filter(() => random.integer(0, 3) > 0).map((lease) => lease.lease_number)
      return chosen.length > 0 ? chosen : [pick(units)]
    }
    const pages: { orderId: string; payPageUrl: string }[] = []
    const cards: TestCardName[] = ['visa', 'visa', 'mastercard', 'declined', 'late']
    const acts = {
      async charged() {
        for (const number of units)
          if (random.integer(0, 1) === 0) await charge(number, random.integer(1, 90_00), `fee ${random.hex(6)}`)
      },
      async opens() {
        const checkout = await checkoutFor(await pickLeases())
        const page = checkout && (await openCheckout(services, checkout, testSubmission))
        if (page?.ok) pages.push(page)
      },
      async 'pays a page, perhaps one that was left'() {
        const page = pick(pages)
        if (page) await payAtHostedPage(page.payPageUrl, pick(cards)).catch(() => {})
        if (page && random.integer(0, 2) > 0) await settlePayment(services, page.orderId)
      },
      async 'pays by bank'() {
        const checkout = await checkoutFor(await pickLeases())
        if (!checkout) return
        const account = bankAccount(pick(['0000', '0000', '3333', '1111']))
        await payCheckoutByBank(services, checkout, { account, by: testSubmission })
      },
      async 'at the counter'() {
        const { balance, lease_number } = await leaseOf(services, pick(units))
        if (balance > 0) await payAtCounter(services, lease_number, balance, `COUNTER${random.hex(4)}`)
      },
      async 'a share goes back'() {
        const share = pick(await recordsOf(services, 'payment_shares'))
        if (share) await refundShare(share.order_id, share.lease_number, random.integer(1, share.cents))
      },
      async 'days later'() {
        services.later(random.integer(1, 72) * HOUR)
        await reverseReturnedDebits(services)
      },
      async reconciled() {
        await reconcilePayments(services)
        await processRefunds(services)
      },
    }
    const names = Object.keys(acts) as (keyof typeof acts)[]
    for (let step = 1; step <= 40; step += 1) {
      const name = pick([...names, 'opens', 'charged', 'charged', 'pays a page, perhaps one that was left'] as const)
      await acts[name]()
      await expectBooksAgree(`step ${step}, ${name}`, false)
    }
    for (let round = 0; round < 4; round += 1) {
      services.later(36 * HOUR)
      await acts.reconciled()
      await reverseReturnedDebits(services)
    }
    await expectBooksAgree('at rest', true)
    const together = await recordsOf(services, 'payments', { payer: 'units' })
    expect(together.filter(({ posted_at }) => posted_at !== null)).not.toEqual([])
  })
})
