import { formatUs, formatUsDay, type IsoDate } from '../../../domain/plain-date.ts'
import type { Notice } from '../letter.tsx'
import { filled, letterFrom, type ToRenter, unitsNamed } from './shared.ts'

export interface InsuranceProofFacts extends ToRenter {
  unitNumbers: string
  carrier: string
  policyNumber: string
  expires: IsoDate
}

const policyRows = (facts: InsuranceProofFacts): [string, string][] => [
  ['Unit', facts.unitNumbers],
  ['Carrier', facts.carrier],
  ['Policy number', facts.policyNumber],
]

export function insuranceProofReceived(facts: InsuranceProofFacts): Notice {
  return letterFrom(facts, {
    subject: `We have your proof of insurance for ${unitsNamed(facts.unitNumbers)}`,
    heading: 'Your proof of insurance has arrived',
    preview: `${facts.carrier}, until ${formatUs(facts.expires)}.`,
    blocks: [
      `${facts.name}, thank you. We keep it with your lease at ${facts.facility.name}.`,
      filled(...policyRows(facts), ['Valid until', formatUs(facts.expires)]),
      'Before it ends, send us the new one the same way.',
    ],
  })
}

export function insuranceProofAccepted(
  facts: InsuranceProofFacts & {
    /** Units whose premium ends, with the last day that is charged with it. */
    ending: { unitNumber: string; until: IsoDate }[]
  },
): Notice {
  return letterFrom(facts, {
    subject: `Your own insurance is accepted for ${unitsNamed(facts.unitNumbers)}`,
    heading: 'Your proof of insurance is accepted',
    preview: `${facts.carrier}, until ${formatUs(facts.expires)}.`,
    blocks: [
      `${facts.name}, your own policy now goes with your lease at ${facts.facility.name}.`,
      filled(...policyRows(facts), ['Valid until', formatUs(facts.expires)]),
      ...facts.ending.map(
        ({ unitNumber, until }) =>
          `Insurance for unit ${unitNumber} is charged through ${formatUsDay(until)}, and no more after that.`,
      ),
      'Before your policy ends, send us the new one the same way.',
    ],
  })
}

export function insuranceProofRefused(facts: InsuranceProofFacts & { because: string; link: string }): Notice {
  return letterFrom(facts, {
    subject: `Your proof of insurance for ${unitsNamed(facts.unitNumbers)} needs another look`,
    heading: 'We could not accept your proof of insurance',
    preview: facts.because,
    blocks: [
      `${facts.name}, we have looked at what you sent us for ${unitsNamed(facts.unitNumbers)} at ${facts.facility.name}: ${facts.because}`,
      'Until we have a proof that we can accept, your lease stays as it is.',
      { button: 'Send another', href: facts.link },
    ],
  })
}

/** A tenant's own policy is about to end, or has: nothing else is charged for it, so nothing else would tell. */
export function ownInsuranceEnds(facts: InsuranceProofFacts & { ended: boolean; link: string }): Notice {
  const day = formatUsDay(facts.expires)
  return letterFrom(facts, {
    subject: facts.ended
      ? `Your insurance for ${unitsNamed(facts.unitNumbers)} has ended`
      : `Your insurance for ${unitsNamed(facts.unitNumbers)} ends on ${day}`,
    heading: facts.ended ? 'Your own insurance has ended' : 'Your own insurance ends soon',
    preview: `${facts.carrier}, until ${day}.`,
    blocks: [
      facts.ended
        ? `${facts.name}, the policy that goes with your lease at ${facts.facility.name} ended on ${day}. Without another, what you store with us is not insured.`
        : `${facts.name}, the policy that goes with your lease at ${facts.facility.name} ends on ${day}.`,
      filled(...policyRows(facts)),
      facts.ended
        ? 'If it goes on, or you have another one, send us the proof. We have added no insurance to your lease and charge none.'
        : 'Send us the next one before that day.',
      { button: 'Send proof of insurance', href: facts.link },
    ],
  })
}

/** Whose policy it is, for the office. @param until what its last day is called */
const policyOf = (facts: InsuranceProofFacts, until: string) =>
  filled(['Tenant', facts.name], ...policyRows(facts), [until, formatUs(facts.expires)])

export function ownInsuranceEndedForOffice(facts: InsuranceProofFacts): Notice {
  return letterFrom(facts, {
    subject: `A tenant’s own insurance has ended: ${unitsNamed(facts.unitNumbers)} at ${facts.facility.name}`,
    heading: 'A tenant’s own insurance has ended',
    preview: `${facts.name}, ${unitsNamed(facts.unitNumbers)}: ${facts.carrier}.`,
    blocks: [
      policyOf(facts, 'Ended'),
      'The tenant has been told and has sent no other proof. Nothing was added to the lease.',
    ],
  })
}

export function insuranceProofForOffice(facts: InsuranceProofFacts): Notice {
  return letterFrom(facts, {
    subject: `Proof of insurance for ${unitsNamed(facts.unitNumbers)} at ${facts.facility.name}`,
    heading: 'A tenant has sent proof of insurance',
    preview: `${facts.name}, ${unitsNamed(facts.unitNumbers)}: ${facts.carrier}.`,
    blocks: [
      policyOf(facts, 'Valid until'),
      'The file is attached as the tenant sent it. It was not checked for harm: open it with care.',
    ],
  })
}
