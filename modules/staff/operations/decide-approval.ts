import * as v from 'valibot'
import { alreadyDecided, openToSee } from '../../../domain/texts/office-refusals.ts'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { approvalById, refuseApproval } from '../approvals.ts'
import { approvalExample } from '../internal/task-input.ts'

export const DecideApproval = internalOperation({
  name: 'DecideApproval',
  access: { staff: mayAtFacility('approval.decide') },
  freshFactor: true,
  input: v.object({
    approval_id: v.pipe(plainLine, v.uuid()),
    location_code: locationCode(),
    decision: v.picklist(['approve', 'refuse']),
    because: v.pipe(plainLine, v.trim(), v.maxLength(500)),
    /**
     * State of the records that the approval's page displayed; '' when the decision comes from the list of requests.
     */
    seen: v.optional(v.pipe(plainLine, v.maxLength(1000)), ''),
  }),
  example: { input: { ...approvalExample, decision: 'approve', because: '' } },
  async run(services, { approval_id, location_code, decision, because, seen }, callers) {
    const request = await approvalById(services, approval_id)
    if (request?.locationCode !== location_code) return recordNotFound
    if (decision === 'refuse') {
      const refusal = await refuseApproval(services, callers, approval_id, { because, withdraw: false })
      return refusal ?? succeed({ decided: true })
    }
    if (request.state !== 'open') return refuse(409, 'decided', alreadyDecided)
    if (!services.runApprovedOperation) throw new Error('No operation can be approved here')
    const approvingCallers = { ...callers, approval: approval_id, ...(seen !== '' && { seen }) }
    const outcome = await services.runApprovedOperation(request.operation, request.input, approvingCallers)
    if (outcome.ok) return succeed({ decided: true })
    return outcome.code === 'changed' && seen === '' ? { ...outcome, message: openToSee(outcome.message) } : outcome
  },
})
