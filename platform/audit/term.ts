/** How long the audit is kept: the database refuses to delete a younger event. */
import { type Instant, todayIn } from '../../domain/dates.ts'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import type { Services } from '../operations/services.ts'

/** Seven years, whichever they are. */
export const AUDIT_TERM_DAYS = 7 * 366

const AT_ONCE = 500

/** The oldest day, in UTC, whose events are kept. */
export const firstKeptDay = (now: Instant): IsoDate => addDays(todayIn('UTC', now), -AUDIT_TERM_DAYS)

/** Deletes the events whose term is over, whole days in UTC. @returns how many */
export async function deleteOldEvents(services: Services, stopping: () => boolean): Promise<number> {
  const start = Date.parse(`${firstKeptDay(services.clock.now())}T00:00:00Z`)
  let gone = 0
  while (!stopping()) {
    const done = await services.db.write
      .deleteFrom('audit_events')
      .where('event_id', 'in', (eb) =>
        eb.selectFrom('audit_events').select('event_id').where('at', '<', start).orderBy('at').limit(AT_ONCE),
      )
      .executeTakeFirst()
    gone += Number(done.numDeletedRows)
    if (Number(done.numDeletedRows) < AT_ONCE) break
  }
  return gone
}
