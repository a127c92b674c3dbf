import * as v from 'valibot'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { optional } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed, wrongFields } from '../../../platform/operations/outcome.ts'
import { may } from '../../../platform/operations/staff-scope.ts'
import { decideProof } from '../decide.ts'
import { aboutProof, example, proof, proofAt } from '../internal/proof-input.ts'
import { unitsOf } from '../proofs.ts'

export const DecideProof = internalOperation({
  name: 'DecideProof',
  access: { staff: may('proof.decide') },
  input: v.object({ ...proof, decision: v.picklist(['accept', 'refuse']), because: optional(300) }),
  example: { input: { ...example, decision: 'accept', because: '' } },
  async run(services, input, callers) {
    const { decision, because, proof_id } = input
    if (decision === 'refuse' && because === '') return wrongFields({ because: 'Say why: the tenant reads it.' })
    const known = await proofAt(services, input)
    if (!known) return notOnFile
    const asked = decision === 'accept' ? { accept: true as const } : { accept: false as const, because }
    const decided = await decideProof(services, proof_id, asked, (tx) =>
      audit(tx, services, staffActor(callers), {
        kind: 'proof.decided',
        details: { decision, units: unitsOf(known) },
        reason: because,
        ...aboutProof(known),
      }),
    )
    return decided.ok ? succeed({ leases: decided.leases.length }) : refuse(409, 'decided', decided.why)
  },
})
