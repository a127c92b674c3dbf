import { formatUs } from '../../../domain/plain-date.ts'
import * as example from '../internal/example-facts.ts'
import { type InsuranceProofFacts, loadProofFacts, policyRows } from '../internal/insurance-proof-facts.ts'
import { loadMessageFacility, noMessage, proofFacts } from '../internal/message-facts.ts'
import { formatUnits, letterFrom, tableBlock } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function insuranceProofReceived(facts: InsuranceProofFacts): Letter {
  return letterFrom(facts, {
    subject: `We have your proof of insurance for ${formatUnits(facts.unitNumbers)}`,
    heading: 'Your proof of insurance has arrived',
    preview: `${facts.carrier}, until ${formatUs(facts.expires)}.`,
    blocks: [
      `${facts.name}, thank you. We keep it with your lease at ${facts.facility.name}.`,
      tableBlock(...policyRows(facts), ['Valid until', formatUs(facts.expires)]),
      'Before it ends, send us the new one the same way.',
    ],
  })
}

export const insuranceProofMail = mail('insurance_proof', {
  about: 'proof',
  name: 'Proof of insurance received',
  async facts(services, { proofId }) {
    const proof = await loadProofFacts(services, proofId)
    const place = proof && (await loadMessageFacility(services, proof.location_code))
    if (!proof || !place || proof.tenant_email === '') return noMessage
    return { to: proof.tenant_email, facts: proofFacts(proof, place) }
  },
  letter: insuranceProofReceived,
  samples: [{ name: 'insurance-proof-received', title: 'Proof of insurance received', facts: example.insuranceProof }],
})
