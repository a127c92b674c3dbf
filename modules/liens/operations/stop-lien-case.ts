import * as v from 'valibot'
import { requiredText } from '../../../platform/operations/input-fields.ts'
import { approvableOperation } from '../../staff/approvable-operation.ts'
import { lockCase } from '../case-steps.ts'
import { closeCase } from '../close-case.ts'
import { caseAuditSubject, caseExample, caseFields, loadNamedCase } from '../internal/case-operation-fields.ts'

export const StopLienCase = approvableOperation({
  name: 'StopLienCase',
  permission: 'lien.step',
  input: v.object({ ...caseFields, reason: requiredText(300) }),
  example: { ...caseExample, reason: 'Agreed on payments' },
  before: loadNamedCase,
  about: (_, lienCase) => caseAuditSubject(lienCase),
  async work(act, input) {
    const { lien, lease } = await lockCase(act, input, ['open', 'sold'])
    const end = { state: 'stopped', by: act.staff.staffId, because: input.reason, today: lien.today } as const
    await closeCase(act.tx, act.services, lease, end)
    await act.audit({
      kind: 'lien.stopped',
      subject: lien.row.case_id,
      details: { unit: lease.unit_number, why: input.reason },
    })
    return { stopped: true }
  },
})
