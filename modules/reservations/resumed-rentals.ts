/**
 * Resumes a rental in another browser, or after its cookie was lost. Each browser gets its own session on the
 * reservation's draft, so all continue with the same answers.
 */
import type { ExpressionBuilder } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { type Draft, type DraftFacts, journeyFacts } from './draft-facts.ts'
import { isMoveInStarted } from './draft-price.ts'
import { loadDraftOfSession, startDraftSession } from './draft-sessions.ts'
import { checkStepAccess } from './rules/journey/journey-navigation.ts'
import type { StepPath } from './rules/journey/journey-steps.ts'
import { insertDraft } from './start-draft.ts'

/** Active reservation that a visitor has found by look-up or by a mailed link. */
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
 * Inserts a draft for a reservation that was imported or whose draft was deleted. Of two concurrent callers, the second
 * gets the first's draft.
 */
async function ensureDraft(services: Services, found: FoundRental): Promise<string> {
  return services.db.transaction(async (tx) => {
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

/** A browser's rental in progress, for a link to its next step. */
export interface RentalInProgress {
  unitNumber: string
  facility: string
  path: string
}

/**
 * Returns the step at which a rental with a unit resumes: at the latest the payment method, so that resuming creates no
 * order.
 */
export function resumeStep(draft: Draft, facts: DraftFacts): StepPath {
  const furthest = isMoveInStarted(draft) ? '/payment-method' : '/reservation-confirmed'
  const access = checkStepAccess(furthest, facts)
  return access.open ? furthest : access.goTo
}

/** Returns the rental in progress of a browser's session; null where the session holds no unit or has rented it. */
export async function loadRentalInProgress(services: Services, sessionId: string): Promise<RentalInProgress | null> {
  const draft = await loadDraftOfSession(services, sessionId)
  const facts = draft && (await journeyFacts(services, draft, { signedIn: false }))
  if (!draft || !facts?.reservation || facts.heldUntil === null) return null
  return {
    unitNumber: facts.reservation.unit_number,
    facility: facts.facility.location.name,
    path: resumeStep(draft, facts),
  }
}
