import * as v from 'valibot'
import { addDays, formatUs } from '../../../domain/plain-date.ts'
import { moveOutAhead, untilOutsideWindow } from '../../../domain/texts/office.ts'
import { may } from '../../../platform/operations/callers.ts'
import { date, required } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import { dayAt } from '../../leases/lock.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { lease, leaseExample, lockedLease } from '../internal/staff-lease.ts'
import { MOST_DAYS_AHEAD, scheduleIn, VACATE_REASON_ID } from '../schedule.ts'

export const ScheduleMoveOutByStaff = internalOperation({
  name: 'ScheduleMoveOutByStaff',
  access: { staff: may('move-out.schedule') },
  input: v.object({ ...lease, move_out_date: date(), reason: required(500) }),
  example: { input: { ...leaseExample, move_out_date: '2026-11-30', reason: 'Called: moves to another state' } },
  run(services, input, callers) {
    const { location_code: locationCode, tenant_id: tenantId, lease_number: leaseNumber, move_out_date: on } = input
    const about = { permission: 'move-out.schedule' as const, operation: 'ScheduleMoveOutByStaff', input }
    return officeAct(services, callers, { ...about, tenantId, leaseNumber }, async (tx, { refuse: end }) => {
      const row = await lockedLease(tx, input, end)
      if (row.scheduled_move_out !== null) end(refuse(409, 'scheduled', moveOutAhead))
      const today = await dayAt(tx, services, locationCode)
      const last = addDays(today, MOST_DAYS_AHEAD)
      if (on < today || on > last) {
        const why = untilOutsideWindow(formatUs(today), formatUs(last))
        end(refuse(400, 'invalid_input', why, { fields: { move_out_date: why } }))
      }
      await scheduleIn(tx, services, {
        locationCode,
        leaseNumber,
        date: on,
        vacateReasonId: VACATE_REASON_ID,
        customNote: input.reason,
        feedback: null,
        mail: true,
        note: `Move-out scheduled by the office for ${formatUs(on)}: ${input.reason}`,
      })
      return {
        done: { move_out_date: on },
        event: { kind: 'move_out.scheduled', details: { unit: row.unit_number, on: formatUs(on) } },
      }
    })
  },
})
