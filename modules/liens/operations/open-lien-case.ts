import * as v from 'valibot'
import { may, staffOf } from '../../../platform/operations/callers.ts'
import { optional, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { lockForAct, ofLease, signedCents } from '../../standing/adjustments.ts'
import { openCase } from '../record.ts'
import { refuseMoneyOnItsWay } from './record-step.ts'

export const OpenLienCase = internalOperation({
  name: 'OpenLienCase',
  access: { staff: may('lien.step') },
  input: v.object({
    ...ofLease,
    balance: signedCents,
    newest_entry: v.pipe(plainLine, v.maxLength(80)),
    reason: optional(300),
  }),
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      balance: 25000,
      newest_entry: '',
    },
  },
  run: (services, input, callers) => {
    const about = { input, tenantId: input.tenant_id, leaseNumber: input.lease_number }
    const called = { operation: 'OpenLienCase', permission: 'lien.step', ...about } as const
    return officeAct(services, callers, called, async (tx, tools) => {
      const lease = await lockForAct(tx, tools, input, input)
      await refuseMoneyOnItsWay(tx, tools, lease)
      const { staffId } = staffOf(callers)
      const { caseId, rules } = await openCase(tx, services, tools, lease, staffId)
      return {
        done: { case_id: caseId },
        event: { kind: 'lien.opened', details: { unit: lease.unit_number, rules }, subject: caseId },
      }
    })
  },
})
