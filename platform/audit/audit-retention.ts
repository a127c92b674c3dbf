/** The retention period of the audit log. Triggers in the database refuse to delete events younger than seven years. */

import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { type Instant, todayIn } from '../../domain/time-zone-dates.ts'
import { deleteInBatches } from '../database/delete-in-batches.ts'
import type { Services } from '../operations/services.ts'

/**
 * Days for which audit events are kept: seven years, and some days more than the triggers' term (migration 001), so
 * that a database whose clock differs from ours does not refuse to delete.
 */
const AUDIT_TERM_DAYS = 7 * 366

/** Returns the oldest day (UTC) whose audit events are kept. */
export const firstKeptDay = (now: Instant): IsoDate => addDays(todayIn('UTC', now), -AUDIT_TERM_DAYS)

/** Deletes events older than the retention period, by whole days in UTC. @returns the number of events */
export function deleteOldEvents(services: Services, stopping: () => boolean): Promise<number> {
  const start = Date.parse(`${firstKeptDay(services.clock.now())}T00:00:00Z`)
  return deleteInBatches(
    (limit) =>
      services.db.write
        .deleteFrom('audit_events')
        .where('event_id', 'in', (eb) =>
          eb.selectFrom('audit_events').select('event_id').where('at', '<', start).orderBy('at').limit(limit),
        )
        .executeTakeFirst(),
    stopping,
  )
}
