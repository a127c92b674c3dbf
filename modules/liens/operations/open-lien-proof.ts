import * as v from 'valibot'
import { staffOf } from '../../../platform/operations/callers.ts'
import { locationCode, uuid } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { hasPermissionForTenant } from '../../staff/staff-tasks.ts'
import { loadNamedCase } from '../internal/case-operation-fields.ts'
import { readProof } from '../lien-proof-files.ts'
import { stepNames } from '../rules/next-lien-step.ts'

/** Returns the proof file of a lien step. The access is audited before the file is returned. */
export const OpenLienProof = officeOperation({
  name: 'OpenLienProof',
  permission: 'file.read',
  input: v.object({ location_code: locationCode(), case_id: uuid(), step_id: uuid() }),
  example: {
    location_code: 'ATL01',
    case_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c16',
    step_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c17',
  },
  async before(services, input, callers) {
    const { row, steps } = await loadNamedCase(services, input)
    const step = steps.find(({ step_id }) => step_id === input.step_id)
    if (!step) throw new RefusalError(recordNotFound)
    // With the grant 'own', as field staff have, photographs of the door need no task about the tenant, and other proofs do.
    const tenantKey = { locationCode: row.location_code, tenantId: row.tenant_id }
    const maySee =
      step.step === 'check' ||
      (await hasPermissionForTenant(services.db.read, staffOf(callers), 'file.read', tenantKey))
    const file = maySee ? await readProof(services, step) : null
    if (!file) throw new RefusalError(recordNotFound)
    return { row, step, file }
  },
  async work(act, _input, { row, step, file }) {
    await act.audit({
      kind: 'document.opened',
      details: { what: `proof of ${stepNames[step.step].toLowerCase()}` },
      tenantId: row.tenant_id,
      leaseNumber: row.lease_number,
      subject: step.step_id,
    })
    return file
  },
})
