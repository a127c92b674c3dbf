import * as v from 'valibot'
import { addDays, formatUs } from '../../../domain/plain-date.ts'
import { ownTenantNamed } from '../../../platform/operations/callers.ts'
import { date, integer, lines } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { loadToday } from '../../facilities/facility-facts-for-pricing.ts'
import { leaseNotFound } from '../../leases/lease.ts'
import { moveOutFailed } from '../../leases/texts/portal.ts'
import { dateOutsideWindow } from '../../reservations/texts/reserve.ts'
import { callerLeaseFields, findCallerLease, savedFields } from '../internal/caller-lease.ts'
import { earliestMoveOutDate } from '../rules/earliest-move-out.ts'
import { MAX_DAYS_AHEAD } from '../rules/move-out-days-ahead.ts'
import { scheduleMoveOut, VACATE_REASON_ID } from '../schedule-and-cancel-move-out.ts'

export const ScheduleMoveOut = operation({
  name: 'ScheduleMoveOut',
  summary:
    'Schedules a move-out and turns autopay off. Asking again changes nothing; the answer has the date that holds.',
  access: { tenant: ownTenantNamed },
  input: v.object({
    ...callerLeaseFields,
    /** Move-out date; tomorrow at the facility when omitted. */
    move_out_date: v.optional(date()),
    vacate_reason_id: v.optional(integer(), VACATE_REASON_ID),
    custom_note: v.optional(lines(1000), ''),
  }),
  output: v.object({
    ...savedFields,
    scheduledMoveoutDate: v.string(),
  }),
  wrapper: 'ScheduleMoveOut',
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      move_out_date: '11/21/2026',
      vacate_reason_id: 1,
      custom_note: '',
    },
    output: { SaveSuccessful: 'True', ErrorMessage: '', scheduledMoveoutDate: '11/21/2026' },
  },
  async run(services, input, callers) {
    const [lease, today] = await Promise.all([
      findCallerLease(services, input, callers),
      loadToday(services.db.read, services, input.location_code),
    ])
    if (!lease || !today) return leaseNotFound()
    const failWith = (ErrorMessage: string) =>
      succeed({ SaveSuccessful: 'False', ErrorMessage, scheduledMoveoutDate: '' })
    const moveOutDate = input.move_out_date ?? earliestMoveOutDate(today)
    const first = earliestMoveOutDate(today)
    const last = addDays(today, MAX_DAYS_AHEAD)
    if (moveOutDate < first || moveOutDate > last) return failWith(dateOutsideWindow(formatUs(first), formatUs(last)))
    const result = await scheduleMoveOut(services, {
      locationCode: lease.location_code,
      leaseNumber: lease.lease_number,
      date: moveOutDate,
      vacateReasonId: input.vacate_reason_id,
      customNote: input.custom_note,
      feedback: null,
      note: '',
      mail: false,
    })
    if (!result.ok) return failWith(moveOutFailed)
    return succeed({ SaveSuccessful: 'True', ErrorMessage: '', scheduledMoveoutDate: formatUs(result.date) })
  },
})
