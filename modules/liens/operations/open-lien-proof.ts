import * as v from 'valibot'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { locationCode, uuid } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { hasPermissionForTenant } from '../../staff/staff-tasks.ts'
import { caseById } from '../load-lien-cases.ts'
import { readProof } from '../proof-file.ts'
import { stepNames } from '../rules/next-lien-step.ts'

/** Returns the proof file of a lien step. The access is audited before the file is returned. */
export const OpenLienProof = internalOperation({
  name: 'OpenLienProof',
  access: { staff: mayAtFacility('file.read') },
  input: v.object({ location_code: locationCode(), case_id: uuid(), step_id: uuid() }),
  example: {
    input: {
      location_code: 'ATL01',
      case_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c16',
      step_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c17',
    },
  },
  async run(services, input, callers) {
    const lien = await caseById(services, input.case_id)
    const step = lien?.steps.find((step) => step.step_id === input.step_id)
    if (!lien || !step || lien.row.location_code !== input.location_code) return recordNotFound
    const tenantKey = { locationCode: input.location_code, tenantId: lien.row.tenant_id }
    // Staff who photograph the door may see those photographs. Other proofs need access to the tenant's file.
    const maySee =
      step.step === 'check' ||
      (await hasPermissionForTenant(services.db.read, staffOf(callers), 'file.read', tenantKey))
    if (!maySee) return recordNotFound
    const file = await readProof(services, step)
    if (!file) return recordNotFound
    await services.db.transaction((tx) =>
      writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'document.opened',
        details: { what: `proof of ${stepNames[step.step].toLowerCase()}` },
        permission: 'file.read',
        ...tenantKey,
        leaseNumber: lien.row.lease_number,
        subject: step.step_id,
      }),
    )
    return succeed(file)
  },
})
