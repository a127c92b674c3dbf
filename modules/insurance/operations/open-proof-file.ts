import * as v from 'valibot'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { may } from '../../../platform/operations/staff-scope.ts'
import { aboutProof, example, proof, proofAt } from '../internal/proof-input.ts'
import { unitsOf } from '../proofs.ts'

/** Returns the file of an insurance proof. The access is audited before the file is returned. */
export const OpenProofFile = internalOperation({
  name: 'OpenProofFile',
  access: { staff: may('proof.decide') },
  input: v.object(proof),
  example: { input: example },
  async run(services: Services, input, callers: Callers) {
    const known = await proofAt(services, input)
    const file = known && (await services.files.get(known.file_key))
    if (!file) return notOnFile
    await services.db.transaction((tx) =>
      audit(tx, services, staffActor(callers), {
        kind: 'proof.opened',
        details: { units: unitsOf(known) },
        ...aboutProof(known),
      }),
    )
    return succeed({ name: known.file_name, content: file.content })
  },
})
