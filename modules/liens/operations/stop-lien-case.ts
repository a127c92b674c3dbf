import * as v from 'valibot'
import { requiredText } from '../../../platform/operations/input-fields.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { closeCase } from '../close-case.ts'
import { caseAuditSubject, caseExample, caseFields } from '../internal/case-operation-fields.ts'
import { lockCase } from '../internal/lock-case.ts'

export const StopLienCase = officeOperation({
  name: 'StopLienCase',
  permission: 'lien.step',
  input: v.object({ ...caseFields, reason: requiredText(300) }),
  example: { ...caseExample, reason: 'Agreed on payments' },
  async work(act, input) {
    const { lien, lease } = await lockCase(act, input, ['open', 'sold'])
    const end = { state: 'stopped', by: act.staff.staffId, because: input.reason, today: lien.today } as const
    await closeCase(act.tx, act.services, lease, end)
    await act.audit({
      kind: 'lien.stopped',
      ...caseAuditSubject(lien),
      details: { unit: lease.unit_number, why: input.reason },
    })
    return { stopped: true }
  },
})
