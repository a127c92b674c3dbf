import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { formatUs } from '../../../domain/plain-date.ts'
import { engineOf } from '../../../platform/database/engine-differences.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { optionalText } from '../../../platform/operations/input-fields.ts'
import { RefusalError, refusalError, wrongFields } from '../../../platform/operations/outcome.ts'
import type { InsuredLease } from '../../../platform/schema/job-kinds.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { setOwnInsurance } from '../../leases/lease.ts'
import { requireToday } from '../../leases/lock-lease-row.ts'
import { loadChargedThrough } from '../../ledger/lease-ledger-totals.ts'
import type { OwnInsurance } from '../../move-in/rules/move-in-form.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { addNote } from '../../tenants/add-note.ts'
import { example, loadProof, proofFields } from '../internal/load-insurance-proof.ts'
import { formatUnitNumbers, type Proof, unitNumbersOf } from '../proof-unit-numbers.ts'

const VEHICLE_POLICY = 3

const vehiclePolicyStays = (leases: readonly { unit_number: string }[]): string => {
  const units = leases.map(({ unit_number }) => unit_number).join(', ')
  return leases.length === 1
    ? `Unit ${units} is insured by the policy of its vehicle, which stays. Refuse this proof.`
    : `Units ${units} are insured by the policies of their vehicles, which stay. Refuse this proof.`
}

/** Accepts or refuses a tenant's proof of insurance, once. Periods charged before keep their premium. */
export const DecideProof = officeOperation({
  name: 'DecideProof',
  permission: 'proof.decide',
  input: v.object({
    ...proofFields,
    decision: v.picklist(['accept', 'refuse']),
    /** Reason of a refusal, which the tenant sees; may be '' only when accepting. */
    because: optionalText(300),
  }),
  example: { ...example, decision: 'accept', because: '' },
  async work(act, input) {
    const { tx, services } = act
    const { proof_id: proofId, decision, because } = input
    const isAccepted = decision === 'accept'
    if (!isAccepted && because === '') throw new RefusalError(wrongFields({ because: 'Say why: the tenant reads it.' }))
    const undecided = await loadProof(tx, input)
    const { location_code: locationCode, tenant_id: tenantId, expiration_date: lastDay } = undecided
    if (isAccepted && lastDay < (await requireToday(tx, services, locationCode)))
      throw refusalError(409, 'policy_ended', `The policy ended on ${formatUs(lastDay)}.`)
    const now = services.clock.now()
    const proof = await tx
      .updateTable('insurance_proofs')
      .set({
        decision: isAccepted ? 'accepted' : 'refused',
        decided_at: now,
        decided_because: isAccepted ? null : because,
      })
      .where('proof_id', '=', proofId)
      .where('decision', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (!proof) throw refusalError(409, 'decided', `The proof ${proofId} was decided before.`)
    const units = formatUnitNumbers(proof)
    const leases = isAccepted ? await switchToOwnPolicy(tx, proof) : []
    const policy = `the proof of insurance for unit ${units}: ${proof.insurance_carrier}, policy ${proof.policy_number}`
    const note = isAccepted ? `Accepted ${policy}` : `Refused ${policy}. ${because}`
    await addNote(tx, services, { locationCode, tenantId, note })
    await enqueue(tx, { kind: 'insurance_proof_decided', once: proofId, payload: { proofId, leases }, runAt: now })
    await act.audit({
      kind: 'proof.decided',
      details: { decision, units },
      tenantId,
      subject: proofId,
      reason: because,
    })
    return { leases: leases.length }
  },
})

/**
 * Makes the tenant's open leases of a proof's units use the tenant's own policy, except leases with a vehicle's policy.
 * @returns leases that changed, at least one
 * @throws RefusalError that says why none changed
 */
async function switchToOwnPolicy(tx: Kysely<Tables>, proof: Proof): Promise<InsuredLease[]> {
  const { location_code, tenant_id, insurance_carrier: carrier, policy_number, expiration_date } = proof
  const rented = await tx
    .selectFrom('leases')
    .selectAll()
    .where((eb) => eb.and({ location_code, tenant_id }))
    .where('status', '!=', 'Closed')
    .where('unit_number', 'in', unitNumbersOf(proof))
    .orderBy('lease_number')
    // Locked, so that no lease is closed or insured otherwise meanwhile, and a concurrent billing has charged by now.
    .$if(engineOf(tx) === 'postgres', (query) => query.forNoKeyUpdate())
    .execute()
  if (rented.length === 0) throw refusalError(409, 'unit_left', `The tenant has left unit ${formatUnitNumbers(proof)}.`)
  const insurable = rented.filter((lease) => lease.insurance_status !== VEHICLE_POLICY)
  if (insurable.length === 0) throw refusalError(409, 'vehicle_policy', vehiclePolicyStays(rented))
  const insured: InsuredLease[] = []
  for (const lease of insurable) {
    const policy = JSON.stringify({ carrier, policy_number, expiration_date } satisfies OwnInsurance)
    await setOwnInsurance(tx, lease, policy)
    const hadPlan = lease.insurance_status === 1
    insured.push({
      lease_number: lease.lease_number,
      unit_number: lease.unit_number,
      premium_ended: hadPlan ? lease.insurance_premium : 0,
      charged_until: hadPlan ? await loadChargedThrough(tx, lease) : null,
    })
  }
  return insured
}
