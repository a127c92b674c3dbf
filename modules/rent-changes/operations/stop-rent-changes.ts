import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { mayAnywhere } from '../../../platform/operations/staff-scope.ts'
import { cancelBatch } from '../internal/store-batch-decision.ts'
import { batch, isRefusal, reason, uuid } from '../rent-change-operation-parts.ts'

export const StopRentChanges = internalOperation({
  name: 'StopRentChanges',
  access: { staff: mayAnywhere('rent.approve') },
  input: v.object({ batch_id: uuid, reason }),
  example: { input: { ...batch, reason: 'Approved by mistake' } },
  async run(services, input, callers) {
    const done = await cancelBatch(services, callers, { batchId: input.batch_id, reason: input.reason })
    return isRefusal(done) ? done : succeed(done)
  },
})
