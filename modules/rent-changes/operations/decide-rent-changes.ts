import * as v from 'valibot'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { mayAnywhere } from '../../../platform/operations/staff-scope.ts'
import { decideRentChanges } from '../internal/store-batch-decision.ts'
import { batch, isRefusal, uuid } from '../rent-change-operation-parts.ts'
import { RENT_BATCH_MAX } from '../rules/rent-change.ts'

export const DecideRentChanges = internalOperation({
  name: 'DecideRentChanges',
  access: { staff: mayAnywhere('rent.approve') },
  input: v.object({
    batch_id: uuid,
    /** Changes to decide; empty for all proposed changes at the staff member's facilities. */
    change_ids: v.pipe(v.array(uuid), v.maxLength(RENT_BATCH_MAX)),
    decision: v.picklist(['approve', 'refuse']),
    because: v.pipe(plainLine, v.trim(), v.maxLength(500)),
  }),
  example: { input: { ...batch, change_ids: [], decision: 'approve', because: '' } },
  async run(services, input, callers) {
    const { batch_id: batchId, change_ids: changeIds, decision, because } = input
    const done = await decideRentChanges(services, callers, { batchId, changeIds, decision, because })
    return isRefusal(done) ? done : succeed(done)
  },
})
