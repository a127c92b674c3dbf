import * as v from 'valibot'
import { addDays, formatUs } from '../../../domain/plain-date.ts'
import { moveOutAhead, untilOutsideWindow } from '../../../domain/texts/office.ts'
import { date, required } from '../../../platform/operations/input-fields.ts'
import { refused } from '../../../platform/operations/outcome.ts'
import { dayAt } from '../../leases/lock.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { leaseFields } from '../../standing/ledger-operation.ts'
import { leaseExample, lockedLease } from '../internal/staff-lease.ts'
import { MOST_DAYS_AHEAD, scheduleIn, VACATE_REASON_ID } from '../schedule.ts'

export const ScheduleMoveOutByStaff = officeOperation({
  name: 'ScheduleMoveOutByStaff',
  permission: 'move-out.schedule',
  button: {
    label: 'Move out',
    key: 'm',
    place: 6,
    page: 'move-out',
    about: 'lease',
    when: ({ status }) => status !== 'Closed',
  },
  input: v.object({ ...leaseFields, move_out_date: date(), reason: required(500) }),
  example: { ...leaseExample, move_out_date: '2026-11-30', reason: 'Called: moves to another state' },
  async work(act, input) {
    const { location_code: locationCode, lease_number: leaseNumber, move_out_date: on } = input
    const row = await lockedLease(act.tx, input)
    if (row.scheduled_move_out !== null) throw refused(409, 'scheduled', moveOutAhead)
    const today = await dayAt(act.tx, act.services, locationCode)
    const last = addDays(today, MOST_DAYS_AHEAD)
    if (on < today || on > last) {
      const why = untilOutsideWindow(formatUs(today), formatUs(last))
      throw refused(400, 'invalid_input', why, { fields: { move_out_date: why } })
    }
    await scheduleIn(act.tx, act.services, {
      locationCode,
      leaseNumber,
      date: on,
      vacateReasonId: VACATE_REASON_ID,
      customNote: input.reason,
      feedback: null,
      mail: true,
      note: `Move-out scheduled by the office for ${formatUs(on)}: ${input.reason}`,
    })
    await act.audit({ kind: 'move_out.scheduled', details: { unit: row.unit_number, on: formatUs(on) } })
    return { move_out_date: on }
  },
})
