import * as v from 'valibot'
import { formatUsShort } from '../../../domain/plain-date.ts'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { integer, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { loadToday } from '../../facilities/facility-facts-for-pricing.ts'
import { leaseNotFound, loadLease } from '../../leases/lease.ts'
import { invalidLeaseNumber, moveOutDayPassed } from '../../leases/texts/portal.ts'
import { tenantFields } from '../../tenants/tenant-key-input.ts'
import { earliestMoveOutDate } from '../rules/earliest-move-out.ts'
import { moveOutFeedback } from '../rules/feedback-form.ts'
import { moveOutNote, scheduleMoveOut, VACATE_REASON_ID } from '../schedule-and-cancel-move-out.ts'

/**
 * Schedules a tenant's move-out with feedback, note and mail. `day`, which the tenant accepted, must be tomorrow at the
 * facility; otherwise 409.
 */
export const ScheduleMoveOutWithFeedback = internalOperation({
  name: 'leave-with-feedback',
  access: { tenant: ownTenant },
  input: v.object({
    ...tenantFields,
    lease_number: integer(invalidLeaseNumber),
    day: plainLine,
    feedback: moveOutFeedback,
  }),
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      day: '2026-11-21',
      feedback: { star_rating: 0, comment: '' },
    },
  },
  async run(services, { lease_number, day, feedback, ...tenantKey }) {
    const [lease, today] = await Promise.all([
      loadLease(services, tenantKey, lease_number),
      loadToday(services.db.read, services, tenantKey.location_code),
    ])
    if (!lease || !today) return leaseNotFound()
    const date = earliestMoveOutDate(today)
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
