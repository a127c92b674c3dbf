import { updatedLeaseTerms } from '../../leases/texts/portal.ts'
import * as example from '../internal/example-facts.ts'
import { loadLeaseForMessage, noMessage, renterFactsOf } from '../internal/message-facts.ts'
import { letterFrom, type RenterFacts } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

/** Writes the mail that asks a tenant to accept the updated terms of a lease, by a link to a page that needs log-in. */
function termsLink(facts: RenterFacts & { termsUrl: string }): Letter {
  return letterFrom(facts, {
    subject: `Please sign the updated terms of unit ${facts.unitNumber}`,
    heading: updatedLeaseTerms,
    preview: `For unit ${facts.unitNumber} at ${facts.facility.name}. Your unit, your gate code and what you pay stay as they are.`,
    blocks: [
      `${facts.name}, the terms of your lease of unit ${facts.unitNumber} at ${facts.facility.name} have been updated. Please read and accept them: log in, and they open by themselves.`,
      { button: 'Read and accept', href: facts.termsUrl },
      'Your unit, your gate code and what you pay stay as they are.',
    ],
  })
}

export const termsLinkMail = mail('terms_link', {
  about: 'lease',
  name: 'Link to sign the terms',
  async facts(services, key) {
    const leaseFacts = await loadLeaseForMessage(services, key)
    if (
      !leaseFacts ||
      leaseFacts.tenant.email === '' ||
      leaseFacts.lease.terms_required !== 1 ||
      leaseFacts.lease.status === 'Closed'
    )
      return noMessage
    return {
      to: leaseFacts.tenant.email,
      facts: {
        ...renterFactsOf(leaseFacts, leaseFacts.tenant.first, leaseFacts.lease.unit_number),
        // Without a lease number, since the page opens the tenant's waiting terms one after another.
        termsUrl: `${services.publicUrl}/complete-lease`,
      },
    }
  },
  letter: termsLink,
  samples: [
    {
      name: 'terms-link',
      title: 'Updated terms',
      facts: { ...example.exampleRenter, termsUrl: `${example.brand.siteUrl}/complete-lease` },
    },
  ],
})
