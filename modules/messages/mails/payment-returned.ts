import { returnReason } from '../../../domain/bank-account-numbers.ts'
import { addDays } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { prepaidFrom } from '../../payments/payers/lease-payer.ts'
import { loadPaymentFacts, type PaymentFacts } from '../../payments/receipt.ts'
import * as example from '../internal/example-facts.ts'
import { loadLeaseForMessage, loadPaidLease, noMessage } from '../internal/message-facts.ts'
import { paymentFailed } from '../internal/payment-failed-letter.ts'
import { mail } from '../message-definition.ts'

/**
 * Loads the lease that a returned debit had paid. If it had paid several leases, loads the first, with the sum of their
 * balances due and the earliest of their paid-through dates. Null if the first lease's tenant has no e-mail address.
 */
async function loadReturnedLease(services: Services, { locationCode, leaseNumber, parts, unitNumber }: PaymentFacts) {
  const first = leaseNumber ?? parts[0]?.leaseNumber
  const paidLease = first === undefined ? null : await loadPaidLease(services, { locationCode, leaseNumber: first })
  if (!paidLease || parts.length < 2) return paidLease
  const leaseFacts = await Promise.all(parts.map((part) => loadLeaseForMessage(services, { locationCode, ...part })))
  const leases = leaseFacts.flatMap((facts) => facts?.lease ?? [])
  const balance = leases.reduce((sum, lease) => sum + Math.max(lease.balance, 0), 0)
  const [paidThrough = paidLease.paidThrough] = leases.map((lease) => lease.paid_through).sort()
  const facts = { ...paidLease.facts, unitNumber, balance, alert: null, payUrl: `${services.publicUrl}/my-units` }
  return { ...paidLease, paidThrough, facts }
}

/** Returns whether a payment paid periods ahead, on its lease or on any of its leases. */
const hasPaidAhead = (services: Services, { payment, parts }: PaymentFacts): boolean =>
  prepaidFrom(services, payment) !== null || parts.some((part) => part.ahead !== undefined)

export const paymentReturnedMail = mail('payment_returned', {
  about: 'order',
  name: 'Payment returned by the bank',
  async facts(services, { orderId, autopayOff }) {
    const paid = await loadPaymentFacts(services, orderId)
    const paidLease = paid && (await loadReturnedLease(services, paid))
    if (!paidLease) return noMessage
    return {
      to: paidLease.to,
      facts: {
        ...paidLease.facts,
        kind: 'returned' as const,
        amount: paid.total,
        autopayOff,
        locked: paidLease.locked,
        // A prepaid period is not due before it begins.
        beginsOn: hasPaidAhead(services, paid) ? addDays(paidLease.paidThrough, 1) : null,
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
