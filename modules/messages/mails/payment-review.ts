import { format } from '../../../domain/money.ts'
import * as example from '../internal/example-facts.ts'
import { loadPaymentForMail } from '../internal/message-facts.ts'
import type { PaymentNoticeFacts } from '../internal/payment-notice-facts-type.ts'
import { formatUnits, letterFrom, tableBlock } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function paymentUnderReview(facts: PaymentNoticeFacts): Letter {
  return letterFrom(facts, {
    subject: `We are checking your payment for ${formatUnits(facts.unitNumber)}`,
    heading: 'We are checking your payment',
    preview: 'Please do not pay again. You will hear from us.',
    blocks: [
      `${facts.name}, your card provider confirmed a payment for ${formatUnits(facts.unitNumber)} at ${facts.facility.name}, but something about it does not match what you agreed to. A person is looking at it.`,
      'Please do not pay again. Either the payment is counted as you agreed, or you get all of it back. We write to you in both cases.',
      tableBlock(['Amount', format(facts.amount)], ['Order number', facts.orderNumber]),
    ],
  })
}

export const paymentReviewMail = mail('payment_review', {
  about: 'order',
  name: 'Payment in review',
  async facts(services, { orderId }) {
    const facts = await loadPaymentForMail(services, orderId)
    return facts && { to: facts.to, facts: facts.notice }
  },
  letter: paymentUnderReview,
  samples: [
    {
      name: 'payment-under-review',
      title: 'Payment under review',
      facts: { ...example.exampleRenter, orderNumber: 'LK-5T8W-2QN7', amount: 3308 },
    },
  ],
})
