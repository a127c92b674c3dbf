import { type Cents, format } from '../../../domain/money.ts'
import * as example from '../internal/example-facts.ts'
import { loadLeaseForMessage, noMessage, renterFactsOf } from '../internal/message-facts.ts'
import { letterFrom, type RenterFacts } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

/** Writes the mail that offers a past-due tenant a settlement for less than the balance. */
function settlementLink(facts: RenterFacts & { owed: Cents; settlesFor: Cents; payUrl: string }): Letter {
  const owed = format(facts.owed)
  const settles = format(facts.settlesFor)
  return letterFrom(facts, {
    subject: `Settle unit ${facts.unitNumber} for ${settles}`,
    heading: `Pay ${settles} and it is settled`,
    preview: `For unit ${facts.unitNumber} at ${facts.facility.name}.`,
    blocks: [
      `${facts.name}, ${owed} is owed for unit ${facts.unitNumber} at ${facts.facility.name}. If you pay ${settles} now, we write the rest off.`,
      { button: `Pay ${settles}`, href: facts.payUrl },
      'The link is for you alone; please do not pass it on. It ends once what is owed has been paid in another way.',
    ],
  })
}

export const settlementLinkMail = mail('settlement_link', {
  about: 'lease',
  name: 'Link to settle',
  async facts(services, { uuid }) {
    const link = await services.db.read
      .selectFrom('settlements')
      .selectAll()
      .where('uuid', '=', uuid)
      .where('state', '=', 'open')
      .executeTakeFirst()
    const leaseFacts =
      link &&
      (await loadLeaseForMessage(services, { locationCode: link.location_code, leaseNumber: link.lease_number }))
    if (!link || !leaseFacts || leaseFacts.tenant.email === '') return noMessage
    return {
      to: leaseFacts.tenant.email,
      facts: {
        ...renterFactsOf(leaseFacts, leaseFacts.tenant.first, link.unit_number),
        owed: leaseFacts.lease.balance,
        settlesFor: link.settlement_amount,
        payUrl: `${services.publicUrl}/past-due-payment/${uuid}`,
      },
    }
  },
  letter: settlementLink,
  samples: [
    {
      name: 'settlement-link',
      title: 'Offer to settle',
      facts: {
        ...example.exampleRenter,
        owed: 41000,
        settlesFor: 30000,
        payUrl: `${example.brand.siteUrl}/past-due-payment/6f1d2a80-4c1b-4e0e-9d57-2b7a13100002`,
      },
    },
  ],
})
