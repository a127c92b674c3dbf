import * as v from 'valibot'
import { alreadyDecided } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { catchRefusal, refusalError, succeed } from '../../../platform/operations/outcome.ts'
import { cancelRentChange } from '../internal/cancel-rent-change.ts'
import { exampleBatch, reason, uuid } from '../internal/rent-change-operation-parts.ts'
import { loadChangesToDecide } from '../views/changes-to-decide.ts'

/**
 * Cancels a batch's changes that are approved but not yet charged, at facilities where the staff member approves rents.
 * Each change has its own transaction. Changes without a sent notice come first, so that few notices still go out.
 */
export const StopRentChanges = internalOperation({
  name: 'StopRentChanges',
  access: { staff: mayAnywhere('rent.approve') },
  input: v.object({ batch_id: uuid, reason }),
  example: { input: { ...exampleBatch, reason: 'Approved by mistake' } },
  async run(services, { batch_id, reason: why }, callers) {
    const staff = staffOf(callers)
    const all = await loadChangesToDecide(services.db.read, staff, batch_id, 'announced')
    if (all.length === 0) throw refusalError(409, 'decided', alreadyDecided)
    const counts = { stopped: 0, charged: 0 }
    const unsentFirst = all.toSorted((a, b) => Number(a.notice_on !== null) - Number(b.notice_on !== null))
    for (const change of unsentFirst) {
      const outcome = await catchRefusal(() =>
        services.db.transaction(async (tx) => {
          const event = await cancelRentChange({ tx, services, staff }, change)
          const eventFields = { permission: 'rent.approve' as const, locationCode: change.location_code, reason: why }
          await writeAuditEvent(tx, services, staffActor(callers), { ...event, ...eventFields })
          return succeed(null)
        }),
      )
      if (outcome.ok) counts.stopped += 1
      else if (outcome.code === 'charged') counts.charged += 1
    }
    return succeed(counts)
  },
})
