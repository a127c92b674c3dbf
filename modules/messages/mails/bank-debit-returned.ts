import { returnReason } from '../../../domain/bank-account-numbers-and-return-reasons.ts'
import { addDays } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { prepaidFrom } from '../../payments/payers/post-lease-payment.ts'
import { loadPaymentFacts, type PaymentFacts } from '../../payments/receipt.ts'
import * as example from '../internal/example-facts.ts'
import { loadLeaseWithBalance, noMessage, paymentWayOfLeases } from '../internal/message-facts.ts'
import { paymentFailed } from '../internal/payment-failed-letter.ts'
import { mail } from '../message-definition.ts'

/**
 * Loads the facts of the lease that a returned debit had paid. If the debit had paid several leases, the facts are of
 * the first, with the earliest paid-through date of all leases, the sum of the balances due, and the locks and payment
 * ways of the leases that owe. Null if no lease is known or the tenant has no e-mail address.
 */
async function loadReturnedLeases(services: Services, { locationCode, leaseNumber, parts, unitNumber }: PaymentFacts) {
  const numbers = parts.length > 0 ? parts.map((part) => part.leaseNumber) : leaseNumber === null ? [] : [leaseNumber]
  const loaded = await Promise.all(
    numbers.map((number) => loadLeaseWithBalance(services, { locationCode, leaseNumber: number })),
  )
  const leases = loaded.filter((lease) => lease !== null)
  const [first] = leases
  if (!first) return null
  const { to, paidThrough, facts, lock } = first
  if (numbers.length === 1) return { to, paidThrough, facts: { ...facts, locks: lock ? [lock] : [] } }
  const owing = leases.filter((lease) => lease.facts.balance > 0)
  const byPhone = owing.filter((lease) => lease.facts.notOnline !== '')
  const isPaidOnline = byPhone.length < owing.length
  return {
    to,
    paidThrough: leases.map((lease) => lease.paidThrough).sort()[0] ?? paidThrough,
    facts: {
      ...facts,
      unitNumber,
      balance: owing.reduce((sum, lease) => sum + lease.facts.balance, 0),
      alert: null,
      ...paymentWayOfLeases(owing),
      byPhone: isPaidOnline ? byPhone.map((lease) => lease.facts) : [],
      locks: owing.flatMap((lease) => (lease.lock ? { ...lease.lock, unitNumber: lease.facts.unitNumber } : [])),
    },
  }
}

/** Returns whether a payment paid periods ahead, on its lease or on any of its leases. */
const hasPaidAhead = (services: Services, { payment, parts }: PaymentFacts): boolean =>
  prepaidFrom(services, payment) !== null || parts.some((part) => part.ahead !== undefined)

export const paymentReturnedMail = mail('payment_returned', {
  about: 'order',
  name: 'Payment returned by the bank',
  async facts(services, { orderId, autopayOff }) {
    const paid = await loadPaymentFacts(services, orderId)
    const leases = paid && (await loadReturnedLeases(services, paid))
    if (!leases) return noMessage
    return {
      to: leases.to,
      facts: {
        ...leases.facts,
        kind: 'returned' as const,
        amount: paid.total,
        autopayOff,
        // A prepaid period is not due before it begins.
        beginsOn: hasPaidAhead(services, paid) ? addDays(leases.paidThrough, 1) : null,
        reason: returnReason(paid.payment.return_code ?? '').what,
      },
    }
  },
  letter: paymentFailed,
  samples: [
    {
      name: 'payment-returned',
      title: 'Payment returned by the bank',
      facts: {
        ...example.exampleRenter,
        kind: 'returned',
        amount: 15148,
        balance: 15148,
        autopayOff: true,
        reason: 'There was not enough money in the account.',
        payUrl: `${example.brand.siteUrl}/my-units`,
      },
    },
  ],
})
