import { format } from '../../../domain/money.ts'
import { refundReason } from '../../refunds/texts/payer-refund-reasons.ts'
import * as example from '../internal/example-facts.ts'
import { loadPaymentForMail } from '../internal/message-facts.ts'
import type { PaymentNoticeFacts } from '../internal/payment-notice-facts-type.ts'
import { formatUnits, letterFrom, tableBlock } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function refundMade(
  facts: PaymentNoticeFacts & {
    /** Sentence made by `refundReason`. */
    why: string
    method: string
    byHand?: boolean
  },
): Letter {
  return letterFrom(facts, {
    subject: `Your refund of ${format(facts.amount)} is on its way`,
    heading: `${format(facts.amount)} is on its way back to you`,
    preview: facts.why,
    blocks: [
      `${facts.name}, we gave back your whole payment for ${formatUnits(facts.unitNumber)} at ${facts.facility.name}. ${facts.why}`,
      tableBlock(
        ['Amount', format(facts.amount)],
        [facts.byHand ? 'By' : 'Back to', facts.method],
        ['Order number', facts.orderNumber],
      ),
      facts.byHand
        ? 'It could not go back to where it came from, so it comes to you this way.'
        : 'Banks take 3 to 10 days to show a refund. A charge that was never settled simply disappears.',
    ],
  })
}

export const refundMail = mail('refund', {
  about: 'order',
  name: 'Refund',
  /**
   * @param keys.by how a staff member refunded the money, if the provider could not
   */
  async facts(services, { orderId, by }) {
    const facts = await loadPaymentForMail(services, orderId)
    return (
      facts && {
        to: facts.to,
        facts: {
          ...facts.notice,
          why: refundReason(facts.trouble, facts.payer),
          method: by ?? facts.method,
          byHand: by !== undefined,
        },
      }
    )
  },
  letter: refundMade,
  samples: [
    {
      name: 'refund-made',
      title: 'Refund made',
      facts: {
        ...example.exampleRenter,
        orderNumber: 'LK-5T8W-2QN7',
        amount: 3308,
        why: refundReason('unit_lost'),
        method: 'Visa ending 1111',
      },
    },
  ],
})
