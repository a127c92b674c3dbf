import * as example from '../internal/example-facts.ts'
import { type InsuranceProofFacts, loadProofFacts, policySummary } from '../internal/insurance-proof-facts.ts'
import { loadMessageFacility, noMessage, proofFacts } from '../internal/message-facts.ts'
import { formatUnits, letterFrom } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function insuranceProofForOffice(facts: InsuranceProofFacts): Letter {
  return letterFrom(facts, {
    subject: `Proof of insurance for ${formatUnits(facts.unitNumbers)} at ${facts.facility.name}`,
    heading: 'A tenant has sent proof of insurance',
    preview: `${facts.name}, ${formatUnits(facts.unitNumbers)}: ${facts.carrier}.`,
    blocks: [
      policySummary(facts, 'Valid until'),
      'The file is attached as the tenant sent it. It was not checked for harm: open it with care.',
    ],
  })
}

export const insuranceProofOfficeMail = mail('insurance_proof_office', {
  about: null,
  // The office gets the file; the tenant, who has it, does not.
  async facts(services, { proofId }) {
    const proof = await loadProofFacts(services, proofId)
    const place = proof && (await loadMessageFacility(services, proof.location_code))
    const to = place?.location.reservation_email
    if (!proof || !place || !to) return noMessage
    const file = await services.files.get(proof.file_key)
    // A file that cannot be read now may be readable later, so the job is retried.
    if (!file) throw new Error(`the proof of insurance ${proofId} cannot be read`)
    return {
      to,
      facts: proofFacts(proof, place),
      attachments: [{ filename: proof.file_name, contentType: 'application/octet-stream', content: file.content }],
    }
  },
  letter: insuranceProofForOffice,
  samples: [
    {
      name: 'insurance-proof-for-office',
      title: 'Proof of insurance, to the office',
      facts: { ...example.insuranceProof, name: 'Maya Okafor' },
    },
  ],
})
