import * as v from 'valibot'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { may } from '../../../platform/operations/staff-scope.ts'
import { approvalById, turnDownApproval } from '../approvals.ts'
import { approval } from '../internal/task-input.ts'

export const WithdrawApproval = internalOperation({
  name: 'WithdrawApproval',
  access: { staff: may('file.read') },
  input: v.object({ approval_id: v.pipe(plainLine, v.uuid()), location_code: locationCode() }),
  example: { input: approval },
  async run(services, { approval_id, location_code }, callers) {
    if ((await approvalById(services, approval_id))?.locationCode !== location_code) return notOnFile
    const refused = await turnDownApproval(services, callers, approval_id, { because: '', withdraw: true })
    return refused ?? succeed({ withdrawn: true })
  },
})
