import { formatUs, formatUsDay, type IsoDate } from '../../../domain/plain-date.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import * as example from '../internal/example-facts.ts'
import { type InsuranceProofFacts, loadProofFacts, policyRows } from '../internal/insurance-proof-facts.ts'
import { loadMessageFacility, noMessage, proofFacts } from '../internal/message-facts.ts'
import { formatUnits, letterFrom, tableBlock } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

interface Accepted extends InsuranceProofFacts {
  /** Units whose premium for our insurance ends, each with the last day that is charged with it. */
  ending: { unitNumber: string; until: IsoDate }[]
}

interface Refused extends InsuranceProofFacts {
  because: string
  link: string
}

function insuranceProofAccepted(facts: Accepted): Letter {
  return letterFrom(facts, {
    subject: `Your own insurance is accepted for ${formatUnits(facts.unitNumbers)}`,
    heading: 'Your proof of insurance is accepted',
    preview: `${facts.carrier}, until ${formatUs(facts.expires)}.`,
    blocks: [
      `${facts.name}, your own policy now goes with your lease at ${facts.facility.name}.`,
      tableBlock(...policyRows(facts), ['Valid until', formatUs(facts.expires)]),
      ...facts.ending.map(
        ({ unitNumber, until }) =>
          `Insurance for unit ${unitNumber} is charged through ${formatUsDay(until)}, and no more after that.`,
      ),
      'Before your policy ends, send us the new one the same way.',
    ],
  })
}

function insuranceProofRefused(facts: Refused): Letter {
  return letterFrom(facts, {
    subject: `Your proof of insurance for ${formatUnits(facts.unitNumbers)} needs another look`,
    heading: 'We could not accept your proof of insurance',
    preview: facts.because,
    blocks: [
      `${facts.name}, we have looked at what you sent us for ${formatUnits(facts.unitNumbers)} at ${facts.facility.name}: ${facts.because}`,
      'Until we have a proof that we can accept, your lease stays as it is.',
      { button: 'Send another', href: facts.link },
    ],
  })
}

const insuranceProofDecided = (facts: Accepted | Refused): Letter =>
  'because' in facts ? insuranceProofRefused(facts) : insuranceProofAccepted(facts)

export const insuranceProofDecidedMail = mail('insurance_proof_decided', {
  about: 'proof',
  name: 'Proof of insurance decided',
  /**
   * Loads the facts for the mail to the tenant's current address, or to the address stored with the proof if the tenant
   * is gone.
   */
  async facts(services, { proofId, leases }) {
    const proof = await loadProofFacts(services, proofId)
    if (!proof || proof.decision === null) return noMessage
    const [place, tenant] = await Promise.all([
      loadMessageFacility(services, proof.location_code),
      loadTenant(services.db.read, proof.location_code, proof.tenant_id),
    ])
    const to = tenant?.email ?? proof.tenant_email
    if (!place || to === '') return noMessage
    const facts = proofFacts(proof, place)
    if (proof.decision === 'accepted') {
      const ending = leases.flatMap(({ unit_number, charged_until }) =>
        charged_until === null ? [] : [{ unitNumber: unit_number, until: charged_until }],
      )
      return { to, facts: { ...facts, ending } }
    }
    return {
      to,
      facts: { ...facts, because: proof.decided_because ?? '', link: `${services.publicUrl}/proof-of-insurance` },
    }
  },
  letter: insuranceProofDecided,
  samples: [
    {
      name: 'insurance-proof-accepted',
      title: 'Proof of insurance accepted',
      facts: { ...example.insuranceProof, ending: [{ unitNumber: '214', until: '2026-12-19' }] },
    },
    {
      name: 'insurance-proof-refused',
      title: 'Proof of insurance not accepted',
      facts: {
        ...example.insuranceProof,
        because: 'The page with the name of the insured is missing.',
        link: `${example.brand.siteUrl}/proof-of-insurance`,
      },
    },
  ],
})
