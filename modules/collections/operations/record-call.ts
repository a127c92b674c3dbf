import * as v from 'valibot'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { leaseFields } from '../../standing/ledger-operation.ts'
import { auditSubject, example, isRefusal, lockOwingLease, note } from '../internal/owing-lease.ts'
import { callOutcomeNames } from '../rules/past-due-calls-and-promises.ts'

export const RecordCall = internalOperation({
  name: 'RecordCall',
  done: 'Noted: called today.',
  access: { staff: mayAtFacility('note.write') },
  input: v.object({ ...leaseFields, outcome: v.picklist(callOutcomeNames, 'Say how it went.'), note }),
  example: { input: { ...example, outcome: 'no answer', note: '' } },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      const lease = await lockOwingLease(tx, callers, input)
      if (isRefusal(lease)) return lease
      const now = services.clock.now()
      const actor = staffActor(callers)
      const call_id = services.random.uuid()
      await tx
        .insertInto('call_attempts')
        .values({
          call_id,
          location_code: lease.location_code,
          tenant_id: lease.tenant_id,
          outcome: input.outcome,
          lease_number: lease.lease_number,
          note: input.note,
          staff_id: actor.staff.staffId,
          called_on: todayIn(lease.time_zone, now),
          called_at: now,
        })
        .execute()
      await writeAuditEvent(tx, services, actor, {
        kind: 'call.made',
        details: { outcome: input.outcome, note: input.note },
        subject: call_id,
        ...auditSubject(lease),
      })
      return succeed({ call_id })
    }),
})
