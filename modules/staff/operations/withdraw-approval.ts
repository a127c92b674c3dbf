import * as v from 'valibot'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { approvalById, refuseApproval } from '../approvals.ts'
import { approvalExample } from '../internal/task-input.ts'

export const WithdrawApproval = internalOperation({
  name: 'WithdrawApproval',
  access: { staff: mayAtFacility('file.read') },
  input: v.object({ approval_id: v.pipe(plainLine, v.uuid()), location_code: locationCode() }),
  example: { input: approvalExample },
  async run(services, { approval_id, location_code }, callers) {
    if ((await approvalById(services, approval_id))?.locationCode !== location_code) return recordNotFound
    const refusal = await refuseApproval(services, callers, approval_id, { because: '', withdraw: true })
    return refusal ?? succeed({ withdrawn: true })
  },
})
