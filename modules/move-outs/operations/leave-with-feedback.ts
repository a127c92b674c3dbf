import * as v from 'valibot'
import { formatUsShort } from '../../../domain/plain-date.ts'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { integer, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { todayAt } from '../../facilities/facts.ts'
import { leaseRow, noLease, whose } from '../../leases/lease.ts'
import { moveOutFeedback } from '../../leases/rules/portal-form.ts'
import { invalidLeaseNumber, moveOutDayPassed } from '../../leases/texts/portal.ts'
import { moveOutDate } from '../rules/earliest-move-out.ts'
import { moveOutNote, scheduleMoveOut, VACATE_REASON_ID } from '../schedule.ts'

/**
 * Schedules a tenant's move-out with feedback, note and mail. `day`, which the tenant accepted, must be tomorrow at the
 * facility; otherwise 409.
 */
export const LeaveWithFeedback = internalOperation({
  name: 'leave-with-feedback',
  access: { tenant: ownTenant },
  input: v.object({ ...whose, lease_number: integer(invalidLeaseNumber), day: plainLine, feedback: moveOutFeedback }),
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      day: '2026-11-21',
      feedback: { star_rating: 0, comment: '' },
    },
  },
  async run(services, { lease_number, day, feedback, ...of }) {
    const [lease, today] = await Promise.all([
      leaseRow(services, of, lease_number),
      todayAt(services.db.read, services, of.location_code),
    ])
    if (!lease || !today) return noLease()
    const date = moveOutDate(today)
    if (day !== date) return refuse(409, 'day_passed', moveOutDayPassed(formatUsShort(date)))
    return succeed(
      await scheduleMoveOut(services, {
        locationCode: lease.location_code,
        leaseNumber: lease_number,
        date,
        vacateReasonId: VACATE_REASON_ID,
        customNote: feedback.comment,
        feedback,
        note: moveOutNote(date, feedback),
        mail: true,
      }),
    )
  },
})
