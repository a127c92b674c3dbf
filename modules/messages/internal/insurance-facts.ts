import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { filled, type ToRenter } from './letter-parts.ts'

export interface InsuranceProofFacts extends ToRenter {
  unitNumbers: string
  carrier: string
  policyNumber: string
  expires: IsoDate
}

export const policyRows = (facts: InsuranceProofFacts): [string, string][] => [
  ['Unit', facts.unitNumbers],
  ['Carrier', facts.carrier],
  ['Policy number', facts.policyNumber],
]

/** Describes an insurance proof and its tenant to the office. @param until label of the policy's last day */
export const policyOf = (facts: InsuranceProofFacts, until: string) =>
  filled(['Tenant', facts.name], ...policyRows(facts), [until, formatUs(facts.expires)])

export const proofOnFile = (services: Services, proofId: string) =>
  services.db.read.selectFrom('insurance_proofs').selectAll().where('proof_id', '=', proofId).executeTakeFirst()
