import * as v from 'valibot'
import {
  aboveYourLimit,
  alreadyDecided,
  cannotDecideOwnRequest,
  openToSee,
} from '../../../domain/texts/office-refusals.ts'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refusalError, refuse, succeed } from '../../../platform/operations/outcome.ts'
import { closeRequest, loadOpenRequest, mayDecide } from '../approvals.ts'
import { approvalExample } from '../internal/task-input-and-access.ts'
import { officeOperation } from '../office-operation.ts'
import { loadApprovalInput } from '../views/single-approval-request.ts'

/** Refuses another staff member's approval request. */
const refuseRequest = officeOperation({
  name: 'DecideApproval',
  permission: 'approval.decide',
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
  example: { ...approvalExample, decision: 'approve', because: '' },
  async work(act, input) {
    const { tx, staff, callers } = act
    const request = await loadOpenRequest(tx, input)
    if (request.asked_by === staff.staffId) throw refusalError(403, 'own_request', cannotDecideOwnRequest)
    if (!(await mayDecide(tx, callers, request))) throw refusalError(403, 'above_limit', aboveYourLimit)
    await closeRequest(act, request, { state: 'refused', because: input.because })
    return { decided: true }
  },
})

/** Refuses an approval request, or approves it: runs the requested operation, which writes the approval too. */
export const DecideApproval = internalOperation({
  ...refuseRequest,
  async run(services, input, callers) {
    if (input.decision === 'refuse') return refuseRequest.run(services, input, callers)
    const { approval_id, location_code, seen } = input
    const request = await loadApprovalInput(services, approval_id)
    if (request?.locationCode !== location_code) return recordNotFound
    if (request.state !== 'open') return refuse(409, 'decided', alreadyDecided)
    if (!services.runApprovedOperation) throw new Error('No operation can be approved here')
    const approvingCallers = { ...callers, approval: approval_id, ...(seen !== '' && { seen }) }
    const outcome = await services.runApprovedOperation(request.operation, request.input, approvingCallers)
    if (outcome.ok) return succeed({ decided: true })
    return outcome.code === 'changed' && seen === '' ? { ...outcome, message: openToSee(outcome.message) } : outcome
  },
})
