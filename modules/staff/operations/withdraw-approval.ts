import * as v from 'valibot'
import { onlyOwnRequestWithdrawn } from '../../../domain/texts/office-refusals.ts'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { closeRequest, loadOpenRequest } from '../approvals.ts'
import { approvalExample } from '../internal/task-input-and-access.ts'
import { officeOperation } from '../office-operation.ts'

/** Withdraws the staff member's own approval request. */
export const WithdrawApproval = officeOperation({
  name: 'WithdrawApproval',
  permission: 'file.read',
  input: v.object({ approval_id: v.pipe(plainLine, v.uuid()), location_code: locationCode() }),
  example: approvalExample,
  async work(act, input) {
    const request = await loadOpenRequest(act.tx, input)
    if (request.asked_by !== act.staff.staffId) throw refusalError(403, 'own_request', onlyOwnRequestWithdrawn)
    await closeRequest(act, request, { state: 'withdrawn', because: '' })
    return { withdrawn: true }
  },
})
