import * as v from 'valibot'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { leaseFields } from '../../standing/ledger-operation.ts'
import { example, lockOwingLease, note } from '../internal/lock-owing-lease.ts'
import { callOutcomeNames } from '../rules/past-due-calls-and-promises.ts'

export const RecordCall = officeOperation({
  name: 'RecordCall',
  permission: 'note.write',
  done: 'Noted: called today.',
  input: v.object({ ...leaseFields, outcome: v.picklist(callOutcomeNames, 'Say how it went.'), note }),
  example: { ...example, outcome: 'no answer', note: '' },
  async work(act, input) {
    const { tx, services, staff } = act
    const lease = await lockOwingLease(act, input)
    const now = services.clock.now()
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
        staff_id: staff.staffId,
        called_on: todayIn(lease.time_zone, now),
        called_at: now,
      })
      .execute()
    await act.audit({ kind: 'call.made', details: { outcome: input.outcome, note: input.note }, subject: call_id })
    return { call_id }
  },
})
