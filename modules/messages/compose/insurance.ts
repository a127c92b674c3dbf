import type { Services } from '../../../platform/operations/services.ts'
import type { JobKinds, PolicyKey } from '../../../platform/schema/job-kinds.ts'
import { ownPolicyOf } from '../../insurance/own-policy.ts'
import { tenantRow } from '../../tenants/tenant.ts'
import { type Composed, type Composers, leaseOf, loadLetters, nothing, placeOf, proofFacts } from './facts.ts'

/** To the address that the tenant has by now. */
async function insuranceProofDecided(
  services: Services,
  { proofId, leases }: JobKinds['insurance_proof_decided'],
): Promise<Composed> {
  const proof = await services.db.read
    .selectFrom('insurance_proofs')
    .selectAll()
    .where('proof_id', '=', proofId)
    .executeTakeFirst()
  if (!proof || proof.decision === null) return nothing
  const [place, tenant] = await Promise.all([
    placeOf(services, proof.location_code),
    tenantRow(services.db.read, proof.location_code, proof.tenant_id),
  ])
  const to = tenant?.email ?? proof.tenant_email
  if (!place || to === '') return nothing
  const { insuranceProofAccepted, insuranceProofRefused } = await loadLetters()
  const facts = proofFacts(proof, place)
  const ending = leases.flatMap(({ unit_number, charged_until }) =>
    charged_until === null ? [] : [{ unitNumber: unit_number, until: charged_until }],
  )
  return {
    to,
    notice:
      proof.decision === 'accepted'
        ? insuranceProofAccepted({ ...facts, ending })
        : insuranceProofRefused({
            ...facts,
            because: proof.decided_because ?? '',
            link: `${services.publicUrl}/proof-of-insurance`,
          }),
  }
}

/** The office gets the file; the tenant, who has it, does not. */
async function insuranceProof(
  services: Services,
  { proofId }: { proofId: string },
  to: 'tenant' | 'office',
): Promise<Composed> {
  const proof = await services.db.read
    .selectFrom('insurance_proofs')
    .selectAll()
    .where('proof_id', '=', proofId)
    .executeTakeFirst()
  const place = proof && (await placeOf(services, proof.location_code))
  const recipient = to === 'tenant' ? proof?.tenant_email : place?.location.reservation_email
  if (!proof || !place || !recipient) return nothing
  const { insuranceProofReceived, insuranceProofForOffice } = await loadLetters()
  const notice = (to === 'tenant' ? insuranceProofReceived : insuranceProofForOffice)(proofFacts(proof, place))
  if (to === 'tenant') return { to: recipient, notice }
  const file = await services.files.get(proof.file_key)
  // A file that cannot be read now may be readable in a while.
  if (!file) throw new Error(`the proof of insurance ${proofId} cannot be read`)
  return {
    to: recipient,
    notice,
    attachments: [{ filename: proof.file_name, contentType: 'application/octet-stream', content: file.content }],
  }
}

/** That a tenant's own policy ends or has ended: not where the lease goes by another by now, or a later proof waits. */
async function ownInsurance(
  services: Services,
  key: PolicyKey,
  which: 'ending' | 'ended' | 'office',
): Promise<Composed> {
  const of = await leaseOf(services, key)
  const policy = of && ownPolicyOf(of.lease)
  if (!of || of.lease.status === 'Closed' || policy?.expires !== key.expires) return nothing
  const waiting = await services.db.read
    .selectFrom('insurance_proofs')
    .select('unit_numbers')
    .where((eb) => eb.and({ location_code: key.locationCode, tenant_id: of.lease.tenant_id }))
    .where('decision', 'is', null)
    .where('expiration_date', '>', key.expires)
    .execute()
  if (waiting.some((proof) => (JSON.parse(proof.unit_numbers) as string[]).includes(of.lease.unit_number)))
    return nothing
  const to = which === 'office' ? of.location.reservation_email : of.tenant.email
  if (to === '') return nothing
  const { ownInsuranceEnds, ownInsuranceEndedForOffice } = await loadLetters()
  const unit = of.lease.unit_number
  const facts = { ...policy, brand: of.brand, facility: of.facility, unitNumber: unit, unitNumbers: unit }
  const { first, last } = of.tenant
  const link = `${services.publicUrl}/proof-of-insurance`
  return {
    to,
    notice:
      which === 'office'
        ? ownInsuranceEndedForOffice({ ...facts, name: `${first} ${last}` })
        : ownInsuranceEnds({ ...facts, name: first, ended: which === 'ended', link }),
  }
}

export const insuranceNotices: Composers<
  | 'insurance_proof'
  | 'insurance_proof_office'
  | 'insurance_proof_decided'
  | 'own_insurance_ending'
  | 'own_insurance_ended'
  | 'own_insurance_ended_office'
> = {
  insurance_proof: (services, key) => insuranceProof(services, key, 'tenant'),
  insurance_proof_office: (services, key) => insuranceProof(services, key, 'office'),
  insurance_proof_decided: (services, job) => insuranceProofDecided(services, job),
  own_insurance_ending: (services, key) => ownInsurance(services, key, 'ending'),
  own_insurance_ended: (services, key) => ownInsurance(services, key, 'ended'),
  own_insurance_ended_office: (services, key) => ownInsurance(services, key, 'office'),
}
