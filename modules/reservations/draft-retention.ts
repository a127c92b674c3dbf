import type { Services } from '../../platform/operations/services.ts'

/** Days after which an untouched draft is forgotten, with what it holds of a person. */
const KEPT_DAYS = 30

/** One without a reservation is found by its cookie alone, which is dead after a day. */
const UNRESERVED_KEPT_DAYS = 2

/** Removes drafts untouched for 30 days, those without a reservation after 2. @returns how many */
export async function deleteExpiredDrafts(services: Services): Promise<number> {
  const before = (days: number) => services.clock.now() - days * 86_400_000
  const gone = await services.db.write
    .deleteFrom('rental_drafts')
    .where((eb) =>
      eb.or([
        eb('touched_at', '<', before(KEPT_DAYS)),
        eb.and([eb('reservation_code', 'is', null), eb('touched_at', '<', before(UNRESERVED_KEPT_DAYS))]),
      ]),
    )
    .executeTakeFirst()
  await services.db.write
    .deleteFrom('resumed_rentals')
    .where('draft_id', 'not in', (eb) => eb.selectFrom('rental_drafts').select('rental_drafts.draft_id'))
    .execute()
  return Number(gone.numDeletedRows)
}
