/**
 * Resumes a rental in another browser, or after its cookie was lost. Each browser gets its own session on the
 * reservation's draft, so all continue with the same answers.
 */
import type { ExpressionBuilder } from 'kysely'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { startDraftSession } from '../draft-sessions-across-browsers.ts'
import { insertDraft } from '../insert-draft.ts'

/** Active reservation that a visitor has found by look-up or by its personal link. */
export interface FoundRental {
  locationCode: string
  unitTypeId: number
  tenantId: number
  reservationCode: string
  moveInDate: IsoDate
  /** Id of the reservation's draft; null where it was deleted or never existed (`selectNewestDraft`). */
  draftId: string | null
  existingTenant: boolean
  proof: 'link' | 'names'
}

/**
 * Starts a session on an active reservation's rental.
 * @returns the session id for the browser's cookie
 */
export const resumeRental = async (services: Services, found: FoundRental): Promise<string> =>
  startDraftSession(services.db.write, services, found.draftId ?? (await ensureDraft(services, found)), found)

/** Selects the id of the newest draft of the reservation in the surrounding query. */
export const selectNewestDraft = (eb: ExpressionBuilder<Tables, 'reservations'>) =>
  eb
    .selectFrom('rental_drafts')
    .select('draft_id')
    .whereRef('rental_drafts.location_code', '=', 'reservations.location_code')
    .whereRef('rental_drafts.reservation_code', '=', 'reservations.reservation_code')
    .orderBy('touched_at', 'desc')
    .limit(1)

/**
 * Inserts a draft for a reservation that has none, such as one made at the desk. Of two concurrent callers, the second
 * gets the first's draft.
 */
async function ensureDraft(services: Services, found: FoundRental): Promise<string> {
  return services.db.transaction(async (tx) => {
    // Writes the row unchanged, which locks it on both engines.
    await tx
      .updateTable('reservations')
      .set((eb) => ({ hold_until: eb.ref('hold_until') }))
      .where('location_code', '=', found.locationCode)
      .where('reservation_code', '=', found.reservationCode)
      .execute()
    // Queried separately, since the update's snapshot is from before the lock.
    const reservation = await tx
      .selectFrom('reservations')
      .select((eb) => selectNewestDraft(eb).as('draft_id'))
      .where('location_code', '=', found.locationCode)
      .where('reservation_code', '=', found.reservationCode)
      .executeTakeFirst()
    if (reservation?.draft_id) return reservation.draft_id
    const { locationCode, unitTypeId, tenantId, reservationCode, moveInDate } = found
    const draft = { locationCode, unitTypeId, tenantId, reservationCode, answers: { moveInDate } }
    return (await insertDraft(tx, services, draft)).draftId
  })
}
