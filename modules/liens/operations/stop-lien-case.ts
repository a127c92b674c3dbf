import * as v from 'valibot'
import { required } from '../../../platform/operations/input-fields.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { endCase } from '../close-case.ts'
import { aboutCase, caseExample, caseFields, caseOf } from '../internal/case-input.ts'
import { lockCase } from '../record.ts'

export const StopLienCase = officeOperation({
  name: 'StopLienCase',
  permission: 'lien.step',
  input: v.object({ ...caseFields, reason: required(300) }),
  example: { ...caseExample, reason: 'Agreed on payments' },
  before: caseOf,
  about: (_, known) => aboutCase(known),
  async work(act, input) {
    const { lien, lease } = await lockCase(act, input, ['open', 'sold'])
    const end = { state: 'stopped', by: act.staff.staffId, because: input.reason, today: lien.today } as const
    await endCase(act.tx, act.services, lease, end)
    await act.audit({
      kind: 'lien.stopped',
      subject: lien.row.case_id,
      details: { unit: lease.unit_number, why: input.reason },
    })
    return { stopped: true }
  },
})
