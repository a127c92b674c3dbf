import * as example from '../internal/example-facts.ts'
import { type InsuranceProofFacts, policySummary } from '../internal/insurance-proof-facts.ts'
import { noMessage } from '../internal/message-facts.ts'
import { loadEndingPolicy } from '../internal/own-insurance-ending-letter-and-facts.ts'
import { formatUnits, letterFrom } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function ownInsuranceEndedForOffice(facts: InsuranceProofFacts): Letter {
  return letterFrom(facts, {
    subject: `A tenant’s own insurance has ended: ${formatUnits(facts.unitNumbers)} at ${facts.facility.name}`,
    heading: 'A tenant’s own insurance has ended',
    preview: `${facts.name}, ${formatUnits(facts.unitNumbers)}: ${facts.carrier}.`,
    blocks: [
      policySummary(facts, 'Ended'),
      'The tenant has been told and has sent no other proof. Nothing was added to the lease.',
    ],
  })
}

export const ownInsuranceEndedOfficeMail = mail('own_insurance_ended_office', {
  about: null,
  async facts(services, key) {
    const policy = await loadEndingPolicy(services, key)
    if (!policy || policy.leaseFacts.location.reservation_email === '') return noMessage
    const { first, last } = policy.leaseFacts.tenant
    return { to: policy.leaseFacts.location.reservation_email, facts: { ...policy.facts, name: `${first} ${last}` } }
  },
  letter: ownInsuranceEndedForOffice,
  samples: [
    {
      name: 'own-insurance-ended-office',
      title: 'Own insurance ended, to the office',
      facts: { ...example.insuranceProof, name: 'Maya Okafor' },
    },
  ],
})
