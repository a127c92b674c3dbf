import { loadPaymentFacts } from '../../payments/receipt.ts'
import { failureReason } from '../../payments/rules/payment-failure-reason.ts'
import * as example from '../internal/example-facts.ts'
import { loadLeaseWithBalance, noMessage } from '../internal/message-facts.ts'
import { paymentFailed } from '../internal/payment-failed-letter.ts'
import { mail } from '../message-definition.ts'

export const autopayRefusedMail = mail('autopay_refused', {
  about: 'order',
  name: 'Autopay was refused',
  async facts(services, { orderId, autopayOff, nextTry }) {
    const paid = await loadPaymentFacts(services, orderId)
    if (!paid || paid.leaseNumber === null) return noMessage
    const paidLease = await loadLeaseWithBalance(services, {
      locationCode: paid.locationCode,
      leaseNumber: paid.leaseNumber,
    })
    // If the balance was paid otherwise, the mail matters only when autopay is off.
    if (!paidLease || paidLease.closed || (paidLease.facts.balance <= 0 && !autopayOff)) return noMessage
    return {
      to: paidLease.to,
      facts: {
        ...paidLease.facts,
        kind: 'refused' as const,
        amount: paid.payment.amount,
        reason: `The reason given was: ${failureReason({
          responseCode: paid.payment.response_code ?? '',
          responseDescription: paid.payment.response_text ?? '',
        }).replace(/\.$/, '')}.`,
        autopayOff,
        nextTry,
        // While a retry is scheduled, the unit is not overlocked.
        locks: nextTry === null && paidLease.lock ? [paidLease.lock] : [],
      },
    }
  },
  letter: paymentFailed,
  samples: [
    {
      name: 'autopay-refused',
      title: 'Autopay refused',
      facts: {
        ...example.exampleRenter,
        kind: 'refused',
        amount: 15148,
        balance: 30296,
        autopayOff: false,
        nextTry: '2026-12-22',
        payUrl: `${example.brand.siteUrl}/my-units`,
      },
    },
  ],
})
