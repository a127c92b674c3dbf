import * as v from 'valibot'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { example, loadProof, proofAuditSubject, proofFields } from '../internal/load-insurance-proof.ts'
import { formatUnitNumbers } from '../proofs.ts'

/** Returns the file of an insurance proof. The access is audited before the file is returned. */
export const OpenProofFile = internalOperation({
  name: 'OpenProofFile',
  access: { staff: mayAtFacility('proof.decide') },
  input: v.object(proofFields),
  example: { input: example },
  async run(services: Services, input, callers: Callers) {
    const proof = await loadProof(services, input)
    const file = proof && (await services.files.get(proof.file_key))
    if (!file) return recordNotFound
    await services.db.transaction((tx) =>
      writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'proof.opened',
        details: { units: formatUnitNumbers(proof) },
        ...proofAuditSubject(proof),
      }),
    )
    return succeed({ name: proof.file_name, content: file.content })
  },
})
