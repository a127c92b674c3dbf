import * as v from 'valibot'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { example, loadProof, proofFields } from '../internal/load-insurance-proof.ts'
import { formatUnitNumbers } from '../proof-unit-numbers.ts'

/** Returns the file of an insurance proof. The access is audited before the file is returned. */
export const OpenProofFile = officeOperation({
  name: 'OpenProofFile',
  permission: 'proof.decide',
  input: v.object(proofFields),
  example,
  async before(services, input) {
    const proof = await loadProof(services.db.read, input)
    const file = await services.files.get(proof.file_key)
    if (!file) throw new RefusalError(recordNotFound)
    return { proof, content: file.content }
  },
  async work(act, _input, { proof, content }) {
    const { tenant_id: tenantId, proof_id: subject } = proof
    await act.audit({ kind: 'proof.opened', details: { units: formatUnitNumbers(proof) }, tenantId, subject })
    return { name: proof.file_name, content }
  },
})
