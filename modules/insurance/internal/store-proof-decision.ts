import type { Kysely } from 'kysely'
import { formatUs } from '../../../domain/plain-date.ts'
import { enqueue } from '../../../platform/jobs/job-queue.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { InsuredLease } from '../../../platform/schema/job-kinds.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { loadToday } from '../../facilities/facility-price-facts.ts'
import { addNote } from '../../tenants/add-note.ts'
import { formatUnitNumbers, type Proof, switchToOwnPolicy } from '../proofs.ts'

type Decision = { accept: true } | { accept: false; because: string }

export type ProofDecisionResult = { ok: true; proof: Proof; leases: InsuredLease[] } | { ok: false; why: string }

/** Thrown when the proof was decided before or the tenant has left the units. Rolls back. */
class RolledBack extends Error {
  readonly outcome: ProofDecisionResult
  constructor(outcome: ProofDecisionResult) {
    super()
    this.outcome = outcome
  }
}

function decisionNote(proof: Proof, decision: Decision): string {
  const policy = `the proof of insurance for unit ${formatUnitNumbers(proof)}: ${proof.insurance_carrier}, policy ${proof.policy_number}`
  return decision.accept ? `Accepted ${policy}` : `Refused ${policy}. ${decision.because}`
}

/**
 * Accepts or refuses a tenant's proof of insurance, once. Periods charged before keep their premium.
 * @param decision `because`: reason shown to the tenant
 * @param afterDecision runs in the transaction of the decision
 * @returns not ok for an unknown or decided proof, an expired policy, or units that the tenant has left
 */
export async function decideProof(
  services: Services,
  proofId: string,
  decision: Decision,
  afterDecision: (tx: Kysely<Tables>) => Promise<void> = async () => {},
): Promise<ProofDecisionResult> {
  const undecided = await services.db.read
    .selectFrom('insurance_proofs')
    .selectAll()
    .where('proof_id', '=', proofId)
    .executeTakeFirst()
  const today = undecided && (await loadToday(services.db.read, services, undecided.location_code))
  if (!undecided || today === undefined) return { ok: false, why: `There is no proof ${proofId}.` }
  if (decision.accept && undecided.expiration_date < today)
    return { ok: false, why: `The policy ended on ${formatUs(undecided.expiration_date)}.` }
  try {
    return await services.db.transaction(async (tx) => {
      const now = services.clock.now()
      const proof = await tx
        .updateTable('insurance_proofs')
        .set({
          decision: decision.accept ? 'accepted' : 'refused',
          decided_at: now,
          decided_because: decision.accept ? null : decision.because,
        })
        .where('proof_id', '=', proofId)
        .where('decision', 'is', null)
        .returningAll()
        .executeTakeFirst()
      if (!proof) throw new RolledBack({ ok: false, why: `The proof ${proofId} was decided before.` })
      const leases = decision.accept ? await switchToOwnPolicy(tx, proof) : []
      if (decision.accept && leases.length === 0)
        throw new RolledBack({ ok: false, why: `The tenant has left unit ${formatUnitNumbers(proof)}.` })

      await addNote(tx, services, {
        locationCode: proof.location_code,
        tenantId: proof.tenant_id,
        note: decisionNote(proof, decision),
      })
      await enqueue(tx, {
        kind: 'insurance_proof_decided',
        once: proofId,
        payload: { proofId, leases },
        runAt: now,
      })
      await afterDecision(tx)
      return { ok: true, proof, leases }
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.outcome
    throw error
  }
}
