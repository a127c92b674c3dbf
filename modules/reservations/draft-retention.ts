import { DAY } from '../../domain/durations.ts'
import type { Services } from '../../platform/operations/services.ts'

/** Days after which an untouched draft and its personal data are deleted. */
const RETENTION_DAYS = 30

/**
 * Days after which an untouched draft without a reservation is deleted. Only a cookie names such a draft, and it expires
 * a day after its last renewal.
 */
const UNRESERVED_RETENTION_DAYS = 2

/**
 * Deletes drafts untouched for 30 days, or for 2 days without a reservation, and the sessions that resumed them.
 * @returns number of deleted drafts
 */
export async function deleteExpiredDrafts(services: Services): Promise<number> {
  const before = (days: number) => services.clock.now() - days * DAY
  const deleted = await services.db.write
    .deleteFrom('rental_drafts')
    .where((eb) =>
      eb.or([
        eb('touched_at', '<', before(RETENTION_DAYS)),
        eb.and([eb('reservation_code', 'is', null), eb('touched_at', '<', before(UNRESERVED_RETENTION_DAYS))]),
      ]),
    )
    .executeTakeFirst()
  await services.db.write
    .deleteFrom('resumed_rentals')
    .where('draft_id', 'not in', (eb) => eb.selectFrom('rental_drafts').select('rental_drafts.draft_id'))
    .execute()
  return Number(deleted.numDeletedRows)
}
