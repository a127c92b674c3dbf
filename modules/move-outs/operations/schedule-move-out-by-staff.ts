import * as v from 'valibot'
import { addDays, formatUs } from '../../../domain/plain-date.ts'
import { moveOutAlreadyScheduled, untilOutsideWindow } from '../../../domain/texts/office-refusals.ts'
import { date, requiredText } from '../../../platform/operations/input-fields.ts'
import { fieldError, refusalError } from '../../../platform/operations/outcome.ts'
import { requireToday } from '../../leases/lock-lease-row.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { leaseFields } from '../../standing/ledger-operation.ts'
import { leaseExample, lockOpenLease } from '../internal/lock-open-lease.ts'
import { MAX_DAYS_AHEAD } from '../rules/move-out-days-ahead.ts'
import { scheduleMoveOutIn, VACATE_REASON_ID } from '../schedule-and-cancel-move-out.ts'

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
  input: v.object({ ...leaseFields, move_out_date: date(), reason: requiredText(500) }),
  example: { ...leaseExample, move_out_date: '2026-11-30', reason: 'Called: moves to another state' },
  async work(act, input) {
    const { location_code: locationCode, lease_number: leaseNumber, move_out_date: moveOutDate } = input
    const row = await lockOpenLease(act.tx, input)
    if (row.scheduled_move_out !== null) throw refusalError(409, 'scheduled', moveOutAlreadyScheduled)
    const today = await requireToday(act.tx, act.services, locationCode)
    const last = addDays(today, MAX_DAYS_AHEAD)
    if (moveOutDate < today || moveOutDate > last) {
      const why = untilOutsideWindow(formatUs(today), formatUs(last))
      throw fieldError('move_out_date', why)
    }
    await scheduleMoveOutIn(act.tx, act.services, {
      locationCode,
      leaseNumber,
      date: moveOutDate,
      vacateReasonId: VACATE_REASON_ID,
      customNote: input.reason,
      feedback: null,
      mail: true,
      note: `Move-out scheduled by the office for ${formatUs(moveOutDate)}: ${input.reason}`,
    })
    await act.audit({ kind: 'move_out.scheduled', details: { unit: row.unit_number, on: formatUs(moveOutDate) } })
    return { move_out_date: moveOutDate }
  },
})
