import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type RenterFacts, tableBlock } from './renter-facts-and-mail-tables.ts'

export interface InsuranceProofFacts extends RenterFacts {
  unitNumbers: string
  carrier: string
  policyNumber: string
  expires: IsoDate
}

/** Returns the table rows of a mail about an insurance proof: units, carrier and policy number. */
export const policyRows = (facts: InsuranceProofFacts): [string, string][] => [
  ['Unit', facts.unitNumbers],
  ['Carrier', facts.carrier],
  ['Policy number', facts.policyNumber],
]

/** Returns the table about an insurance proof for mails to the office. @param until label of the policy's last day */
export const policySummary = (facts: InsuranceProofFacts, until: string) =>
  tableBlock(['Tenant', facts.name], ...policyRows(facts), [until, formatUs(facts.expires)])

/** Loads an insurance proof; undefined for an unknown id. */
export const loadProofFacts = (services: Services, proofId: string) =>
  services.db.read.selectFrom('insurance_proofs').selectAll().where('proof_id', '=', proofId).executeTakeFirst()
