import { type Cents, format } from '../../../domain/money.ts'
import { formatUs } from '../../../domain/plain-date.ts'
import { payNow } from '../../leases/texts/portal.ts'
import { loadBalance } from '../../ledger/load-and-repair-lease-balance.ts'
import { loadRefundForMail } from '../../refunds/refunds-of-order.ts'
import * as example from '../internal/example-facts.ts'
import { loadPaymentForMail, loadPaymentWayOfLease, noMessage } from '../internal/message-facts.ts'
import type { PaymentNoticeFacts } from '../internal/payment-notice-facts-type.ts'
import { formatUnits, letterFrom, tableBlock } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

/** Writes the mail that tells the payer that a staff member refunded a posted payment. */
function refundSent(
  facts: PaymentNoticeFacts & {
    /** The refunded payment: its amount in cents, and its day as mm/dd/yyyy. */
    paid: { cents: Cents; on: string }
    /** 'to Visa ending 1111', 'by check 1042'. */
    to: string
    byHand: boolean
    forgiven: boolean
    /** Balance due of the unit now, in cents. */
    balance: Cents
    /** The specified sentence if the unit cannot be paid online, else ''. */
    notOnline: string
    payUrl: string
  },
): Letter {
  const { amount, paid, forgiven, balance } = facts
  const isFullRefund = amount === paid.cents
  const dueSentence = forgiven
    ? 'What it had paid for is taken care of: you owe nothing for it.'
    : balance > 0
      ? `What it had paid for is open again: ${format(balance)} is due for ${formatUnits(facts.unitNumber)}.`
      : `Nothing is due for ${formatUnits(facts.unitNumber)} today.`
  return letterFrom(facts, {
    subject: `Your refund of ${format(amount)} is on its way`,
    heading: `${format(amount)} is on its way back to you`,
    preview: dueSentence,
    blocks: [
      `${facts.name}, we gave back ${isFullRefund ? 'all' : format(amount)} of your payment of ${format(paid.cents)} from ${paid.on} for ${formatUnits(facts.unitNumber)} at ${facts.facility.name}.`,
      dueSentence,
      tableBlock(['Amount', format(amount)], ['How', facts.to], ['Order number', facts.orderNumber]),
      facts.byHand
        ? 'It does not go back to where the payment came from, so it comes to you this way.'
        : 'Banks take 3 to 10 days to show a refund. A charge that was never settled simply disappears.',
      ...(!forgiven && balance > 0 ? [facts.notOnline || { button: payNow, href: facts.payUrl }] : []),
    ],
  })
}

export const refundSentMail = mail('refund_sent', {
  about: 'refund',
  name: 'Refund sent',
  async facts(services, { refundId }) {
    const refund = await loadRefundForMail(services, refundId)
    const facts = refund && (await loadPaymentForMail(services, refund.orderId))
    if (!refund || !facts) return noMessage
    const { leaseNumber, locationCode } = refund
    const paymentWay = await loadPaymentWayOfLease(services, { locationCode, leaseNumber })
    if (!paymentWay) return noMessage
    return {
      to: facts.to,
      facts: {
        ...facts.notice,
        ...(refund.unitNumber !== null && { unitNumber: refund.unitNumber }),
        amount: refund.cents,
        to: refund.to,
        byHand: refund.byHand,
        forgiven: refund.forgiven,
        paid: { cents: refund.captured, on: formatUs(refund.paidOn) },
        balance: await loadBalance(services.db.read, locationCode, leaseNumber),
        ...paymentWay,
      },
    }
  },
  letter: refundSent,
  samples: [
    {
      name: 'refund-sent',
      title: 'Refund of a payment that counted',
      facts: {
        ...example.exampleRenter,
        orderNumber: 'LK-5T8W-2QN7',
        amount: 15148,
        paid: { cents: 15148, on: '11/03/2026' },
        to: 'to Visa ending 1111',
        byHand: false,
        forgiven: false,
        balance: 15148,
        notOnline: '',
        payUrl: `${example.brand.siteUrl}/my-units`,
      },
    },
  ],
})
