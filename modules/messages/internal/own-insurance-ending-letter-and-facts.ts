import { formatUsDay } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { PolicyKey } from '../../../platform/schema/job-kinds.ts'
import { unitNumbersOf } from '../../insurance/proof-unit-numbers.ts'
import { ownPolicyOf } from '../../insurance/rules/lease-insurance.ts'
import type { Letter } from '../mail-layout.tsx'
import { type InsuranceProofFacts, policyRows } from './insurance-proof-facts.ts'
import { loadLeaseForMessage, noMessage } from './message-facts.ts'
import { formatUnits, letterFrom, tableBlock } from './renter-facts-and-mail-tables.ts'

/** Builds the letter about a tenant's own policy that ends soon or has ended. */
export function ownInsuranceLetter(facts: InsuranceProofFacts & { ended: boolean; link: string }): Letter {
  const day = formatUsDay(facts.expires)
  return letterFrom(facts, {
    subject: facts.ended
      ? `Your insurance for ${formatUnits(facts.unitNumbers)} has ended`
      : `Your insurance for ${formatUnits(facts.unitNumbers)} ends on ${day}`,
    heading: facts.ended ? 'Your own insurance has ended' : 'Your own insurance ends soon',
    preview: `${facts.carrier}, until ${day}.`,
    blocks: [
      facts.ended
        ? `${facts.name}, the policy that goes with your lease at ${facts.facility.name} ended on ${day}. Without another, what you store with us is not insured.`
        : `${facts.name}, the policy that goes with your lease at ${facts.facility.name} ends on ${day}.`,
      tableBlock(...policyRows(facts)),
      facts.ended
        ? 'If it goes on, or you have another one, send us the proof. We have added no insurance to your lease and charge none.'
        : 'Send us the next one before that day.',
      { button: 'Send proof of insurance', href: facts.link },
    ],
  })
}

/**
 * Loads a tenant's policy that ends or has ended; null if the lease is closed or has another policy by now, or the office
 * has yet to decide on a proof of a policy that ends later.
 */
export async function loadEndingPolicy(services: Services, key: PolicyKey) {
  const leaseFacts = await loadLeaseForMessage(services, key)
  const policy = leaseFacts && ownPolicyOf(leaseFacts.lease)
  if (!leaseFacts || leaseFacts.lease.status === 'Closed' || policy?.expires !== key.expires) return null
  const pendingProofs = await services.db.read
    .selectFrom('insurance_proofs')
    .select('unit_numbers')
    .where((eb) => eb.and({ location_code: key.locationCode, tenant_id: leaseFacts.lease.tenant_id }))
    .where('decision', 'is', null)
    .where('expiration_date', '>', key.expires)
    .execute()
  const unit = leaseFacts.lease.unit_number
  if (pendingProofs.some((proof) => unitNumbersOf(proof).includes(unit))) return null
  return {
    leaseFacts,
    facts: { ...policy, brand: leaseFacts.brand, facility: leaseFacts.facility, unitNumber: unit, unitNumbers: unit },
  }
}

/**
 * Loads the facts for the mails to the tenant about their own policy; `noMessage` where `loadEndingPolicy` returns null
 * or the tenant has no e-mail address.
 */
export async function loadPolicyMailToTenant(services: Services, key: PolicyKey, ended: boolean) {
  const policy = await loadEndingPolicy(services, key)
  if (!policy || policy.leaseFacts.tenant.email === '') return noMessage
  const { email, first } = policy.leaseFacts.tenant
  return { to: email, facts: { ...policy.facts, name: first, ended, link: `${services.publicUrl}/proof-of-insurance` } }
}
