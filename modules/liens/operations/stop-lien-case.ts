import * as v from 'valibot'
import { may, staffOf } from '../../../platform/operations/callers.ts'
import { required } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { caseById } from '../cases.ts'
import { endCase } from '../close-case.ts'
import { lockCase } from '../record.ts'
import { example, ofCase } from './record-step.ts'

export const StopLienCase = internalOperation({
  name: 'StopLienCase',
  access: { staff: may('lien.step') },
  input: v.object({ ...ofCase, reason: required(300) }),
  example: { input: { ...example, reason: 'Agreed on payments' } },
  async run(services, input, callers) {
    const known = await caseById(services, input.case_id)
    if (known?.row.location_code !== input.location_code) return notOnFile
    const of = { tenantId: known.row.tenant_id, leaseNumber: known.row.lease_number }
    const called = { operation: 'StopLienCase', permission: 'lien.step', input, ...of } as const
    return officeAct(services, callers, called, async (tx, tools) => {
      const { lien, lease } = await lockCase(tx, services, tools, input, ['open', 'sold'])
      const { staffId } = staffOf(callers)
      const end = { state: 'stopped', by: staffId, because: input.reason, today: lien.today } as const
      await endCase(tx, services, lease, end)
      return {
        done: { stopped: true },
        event: {
          kind: 'lien.stopped',
          subject: lien.row.case_id,
          details: { unit: lease.unit_number, why: input.reason },
        },
      }
    })
  },
})
