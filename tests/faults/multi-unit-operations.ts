/** Payments for several units, whose process office.test.ts kills, alone and as one of three at the same work. */

import { payCheckoutByBank } from '../../modules/payments/bank/bank-debit.ts'
import { openCheckout } from '../../modules/payments/open/open-checkout.ts'
import { processRefunds } from '../../modules/payments/refund-unposted-payments.ts'
import { settlePayment } from '../../modules/payments/settle-payment.ts'
import { reconcilePayments } from '../../modules/payments/settle-pending-payments.ts'
import {
  bankAccount,
  change,
  cyDues,
  leaseOf,
  type PayingServices,
  payAtCounter,
  recordOf,
  recordsOf,
  startTestCheckout,
  testSubmission,
} from '../../modules/payments/testing.ts'
import { bankDebits, type PaymentSandbox } from '../../modules/payments/testing-card-provider.ts'
import { reverseReturnedDebits } from '../../modules/refunds/reverse-payments-returned-by-bank.ts'
import { postCharge } from '../../modules/standing/post-entries.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { addRecord, lease } from '../support/rows.ts'
import type { OfficeAct } from './killed-operation-interfaces.ts'

const DAY = 86_400_000
const units = [10002, 10003, 10004]
/** State in which a payment must end. */
type EndState = 'posted' | 'returned' | 'refunded'

/**
 * Adds a fee to each of the test tenant Cy's three leases, creates missing leases, and starts a checkout for their
 * dues.
 */
async function startMultiUnitCheckout(services: PayingServices, paymentSandbox: PaymentSandbox) {
  services.bank = paymentSandbox.bank
  for (const lease_number of units) {
    if ((await recordsOf(services, 'leases', { lease_number })).length === 0) {
      const unit_id = lease_number - 10_000
      await addRecord(
        services,
        'leases',
        lease({ lease_number, tenant_id: 1002, unit_id, unit_number: `10${unit_id}`, status: 'Past Due' }),
      )
      await change(services, 'units', { location_code: 'GA1', unit_id }, { status: 'rented' })
    }
    const fee = { kind: 'fee', cents: services.random.integer(1, 90_00), description: 'Fee' } as const
    await services.db.transaction((tx) =>
      postCharge(tx, services, {
        locationCode: 'GA1',
        leaseNumber: lease_number,
        ...fee,
        once: services.random.uuid(),
      }),
    )
  }
  return startTestCheckout(services, { ...cyDues, payer: 'units', leaseNumber: 10002, leaseNumbers: units })
}

/**
 * Pays on the card page without returning to the site.
 * @returns order id
 */
async function payAtPage(services: PayingServices, paymentSandbox: PaymentSandbox): Promise<string> {
  const page = await openCheckout(services, await startMultiUnitCheckout(services, paymentSandbox), testSubmission)
  if (!page.ok) throw new Error(page.why)
  await payAtHostedPage(page.payPageUrl, 'visa')
  return page.orderId
}

/**
 * Pays from a bank account whose debits the bank returns later.
 * @returns order id
 */
async function payByDebit(services: PayingServices, paymentSandbox: PaymentSandbox): Promise<string> {
  const checkout = await startMultiUnitCheckout(services, paymentSandbox)
  const paid = await payCheckoutByBank(services, checkout, { account: bankAccount('3333'), by: testSubmission })
  if (!paid.ok || !('orderId' in paid.paid)) throw new Error(JSON.stringify(paid))
  return paid.paid.orderId
}

/**
 * Finishes the scheduled work, then checks that provider or bank, order, shares and each lease's entries agree on the
 * end state, and that each of the order's mails was queued once.
 * @returns violations
 */
async function findPaymentViolations(
  services: PayingServices,
  paymentSandbox: PaymentSandbox,
  orderId: string,
  endState: EndState,
): Promise<string[]> {
  // Scheduled work finishes the orders, refunds and mails of a killed process.
  for (let round = 0; round < 3; round += 1) {
    await reconcilePayments(services)
    await processRefunds(services)
    await reverseReturnedDebits(services)
    await services.runDueJobs()
    services.later(60 * 60_000)
  }
  const sum = (rows: readonly { cents: number }[]) => rows.reduce((all, row) => all + row.cents, 0)
  const { state, amount, method } = await recordOf(services, 'payments', { order_id: orderId })
  const shares = await recordsOf(services, 'payment_shares', { order_id: orderId })
  const entries = await recordsOf(services, 'ledger_entries', { order_id: orderId })
  const debit = (await bankDebits(paymentSandbox)).filter((row) => row.order_id === orderId)
  const { charges, charged, returned } = await paymentSandbox.moved(orderId)
  const timesTaken = method === 'CC' ? charges : debit.length
  const keptCents =
    method === 'CC'
      ? charged - returned
      : sum(debit.map((row) => ({ cents: row.state === 'ACCEPTED' && row.credited_at === null ? amount : 0 })))
  const mailKinds = (await recordsOf(services, 'jobs')).filter((job) => job.once === orderId).map(({ kind }) => kind)
  const leases = await recordsOf(services, 'leases', { tenant_id: 1002 })
  const balances = await Promise.all(
    leases.map(async ({ lease_number, balance }) =>
      sum(await recordsOf(services, 'ledger_entries', { lease_number })) === balance
        ? []
        : [`lease ${lease_number} differs`],
    ),
  )
  const isOnEachShare = (kind: string) =>
    shares.every(
      (share) => sum(entries.filter((entry) => entry.kind === kind && entry.lease_number === share.lease_number)) !== 0,
    )
  const mails = { posted: ['receipt'], returned: ['receipt', 'payment_returned'], refunded: ['refund'] }[endState]
  return [
    ...(state === endState ? [] : [`it is ${state}`]),
    ...(timesTaken === 1 ? [] : [`taken ${timesTaken} times`]),
    ...(sum(shares) === amount && shares.length === units.length ? [] : [`the shares are ${sum(shares)} of ${amount}`]),
    ...(sum(entries.filter(({ kind }) => kind === 'payment')) === (endState === 'refunded' ? 0 : -amount)
      ? []
      : ['the ledger has not all of it']),
    ...(endState === 'refunded' || isOnEachShare('payment') ? [] : ['a lease has nothing of it']),
    ...(isOnEachShare('reversal') === (endState === 'returned') ? [] : ['a share came back alone']),
    ...(keptCents === (endState === 'posted' ? amount : 0) ? [] : [`the other side has ${keptCents}`]),
    ...(mailKinds.toSorted().join() === mails.toSorted().join() ? [] : [`told: ${mailKinds.join()}`]),
    ...balances.flat(),
  ]
}

/**
 * Pays for several units on the card page, then pays for one of these units at the counter.
 * @returns id of the card page's order
 */
async function payTwice(services: PayingServices, paymentSandbox: PaymentSandbox): Promise<string> {
  const orderId = await payAtPage(services, paymentSandbox)
  await payAtCounter(services, 10003, (await leaseOf(services, 10003)).balance, services.random.hex(12))
  return orderId
}

export const multiUnitActs: readonly OfficeAct[] = [
  {
    name: 'the card page of several units',
    async prepare(services, paymentSandbox) {
      const checkout = await startMultiUnitCheckout(services, paymentSandbox)
      return {
        operation: 'openCheckout',
        input: { checkoutId: checkout.checkoutId },
        async findViolations() {
          const page = await openCheckout(services, checkout, testSubmission)
          if (!page.ok) return [page.why]
          await payAtHostedPage(page.payPageUrl, 'visa')
          await settlePayment(services, page.orderId)
          const open = await recordsOf(services, 'payments', { payer: 'units', state: 'presented' })
          return [
            ...(await findPaymentViolations(services, paymentSandbox, page.orderId, 'posted')),
            ...open.map(() => 'another is open'),
          ]
        },
      }
    },
  },
  {
    name: 'a card payment for several units',
    async prepare(services, paymentSandbox) {
      const order_id = await payAtPage(services, paymentSandbox)
      return {
        operation: 'settlePayment',
        input: { order_id },
        findViolations: () => findPaymentViolations(services, paymentSandbox, order_id, 'posted'),
      }
    },
  },
  {
    name: 'a card payment for several units, one of which was paid for meanwhile',
    async prepare(services, paymentSandbox) {
      const order_id = await payTwice(services, paymentSandbox)
      return {
        operation: 'settlePayment',
        input: { order_id },
        findViolations: () => findPaymentViolations(services, paymentSandbox, order_id, 'refunded'),
      }
    },
  },
  {
    name: 'the refund of a payment for several units',
    async prepare(services, paymentSandbox) {
      const order_id = await payTwice(services, paymentSandbox)
      await settlePayment(services, order_id)
      return {
        operation: 'processRefunds',
        input: {},
        findViolations: () => findPaymentViolations(services, paymentSandbox, order_id, 'refunded'),
      }
    },
  },
  {
    name: 'a debit for several units',
    async prepare(services, paymentSandbox) {
      const { checkoutId } = await startMultiUnitCheckout(services, paymentSandbox)
      return {
        operation: 'payCheckoutByBank',
        input: { checkoutId, account: bankAccount('0000') },
        async findViolations() {
          const orders = (await recordsOf(services, 'payments', { payer: 'units', method: 'ACH' })).sort(
            (a, b) => b.created_at - a.created_at,
          )
          return findPaymentViolations(services, paymentSandbox, orders[0]?.order_id ?? '', 'posted')
        },
      }
    },
  },
  {
    name: 'a debit for several units that comes back',
    async prepare(services, paymentSandbox) {
      const order_id = await payByDebit(services, paymentSandbox)
      services.later(3 * DAY)
      return {
        operation: 'reverseReturnedDebits',
        input: {},
        findViolations: () => findPaymentViolations(services, paymentSandbox, order_id, 'returned'),
      }
    },
  },
]
