import * as v from 'valibot'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { optionalText } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed, wrongFields } from '../../../platform/operations/outcome.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { example, loadProof, proofAuditSubject, proofFields } from '../internal/load-insurance-proof.ts'
import { decideProof } from '../internal/store-proof-decision.ts'
import { formatUnitNumbers } from '../proofs.ts'

export const DecideProof = internalOperation({
  name: 'DecideProof',
  access: { staff: mayAtFacility('proof.decide') },
  input: v.object({ ...proofFields, decision: v.picklist(['accept', 'refuse']), because: optionalText(300) }),
  example: { input: { ...example, decision: 'accept', because: '' } },
  async run(services, input, callers) {
    const { decision, because, proof_id } = input
    if (decision === 'refuse' && because === '') return wrongFields({ because: 'Say why: the tenant reads it.' })
    const proof = await loadProof(services, input)
    if (!proof) return recordNotFound
    const verdict = decision === 'accept' ? { accept: true as const } : { accept: false as const, because }
    const result = await decideProof(services, proof_id, verdict, (tx) =>
      writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'proof.decided',
        details: { decision, units: formatUnitNumbers(proof) },
        reason: because,
        ...proofAuditSubject(proof),
      }),
    )
    return result.ok ? succeed({ leases: result.leases.length }) : refuse(409, 'decided', result.why)
  },
})
