import type { Cents } from '../../../domain/money.ts'
import { loadPaymentFacts } from '../../payments/receipt.ts'
import * as example from '../internal/example-facts.ts'
import {
  loadMessageFacility,
  noMessage,
  parseAuthorization,
  renterFactsOf,
  unitUrl,
} from '../internal/message-facts.ts'
import { formatUnits, letterFrom, type RenterFacts, tableBlock } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

/**
 * Writes the mail that confirms the autopay agreement, after autopay was turned on or moved to another card or account
 * without a payment.
 */
function autopayOn(
  facts: RenterFacts & {
    method: string
    /** Amount that the order charged by mistake and that review accepted, in cents; usually 0. */
    charged: Cents
    /** Agreed text, word for word, and its time: '12:00 PM on Friday, 11/20/2026'. */
    agreed: { text: string; at: string }
    unitUrl: string
  },
): Letter {
  return letterFrom(facts, {
    subject: `Autopay is on for ${formatUnits(facts.unitNumber)}`,
    heading: 'Autopay is on',
    preview: `What comes due for ${formatUnits(facts.unitNumber)} is charged by itself.`,
    blocks: [
      `${facts.name}, what comes due for ${formatUnits(facts.unitNumber)} at ${facts.facility.name} is charged by itself from now on.${facts.charged === 0 ? ' Nothing was charged for this.' : ''}`,
      tableBlock(['Charged', facts.method], ['Unit', `${facts.unitNumber}, ${facts.facility.name}`]),
      `What you agreed to at ${facts.agreed.at}, for your records: “${facts.agreed.text}”`,
      'Was this not you? Turn it off on the page of your unit, or call us.',
      { button: 'See your unit', href: facts.unitUrl },
    ],
  })
}

export const autopayOnMail = mail('autopay_on', {
  about: 'order',
  name: 'Autopay is on',
  async facts(services, { orderId }) {
    const paymentFacts = await loadPaymentFacts(services, orderId)
    const place = paymentFacts && (await loadMessageFacility(services, paymentFacts.locationCode))
    if (!paymentFacts || !place || paymentFacts.to === '' || paymentFacts.payment.authorisation === null)
      return noMessage
    return {
      to: paymentFacts.to,
      facts: {
        ...renterFactsOf(place, paymentFacts.first, paymentFacts.unitNumber),
        method: paymentFacts.method,
        charged: paymentFacts.total,
        agreed: parseAuthorization(paymentFacts.payment.authorisation, place.facility.timeZone),
        unitUrl: unitUrl(services, {
          locationCode: paymentFacts.locationCode,
          leaseNumber: paymentFacts.leaseNumber,
          tenantId: paymentFacts.payment.tenant_id,
        }),
      },
    }
  },
  letter: autopayOn,
  samples: [
    {
      name: 'autopay-on',
      title: 'Autopay turned on',
      facts: {
        ...example.exampleRenter,
        method: 'Visa ending 1111',
        charged: 0,
        agreed: {
          text: 'I agree that what is due for unit 214 is charged automatically every 30 days, next $118.00 on 12/20/2026, until I turn autopay off in my account.',
          at: '12:00 PM on Friday, 11/20/2026',
        },
        unitUrl: `${example.brand.siteUrl}/unit-lease-details?lease=10042`,
      },
    },
  ],
})
