import type { Services } from '../../../platform/operations/services.ts'
import { facilityPath } from '../../facilities/rules/facility-path.ts'
import { loadDraft } from '../draft.ts'
import { type DraftQuote, priceDraft } from '../draft-price.ts'
import { loadDraftOfSession } from '../draft-sessions-across-browsers.ts'
import { type DraftFacts, loadJourneyFacts } from '../load-draft-facts.ts'
import type { Draft } from '../rules/journey/draft.ts'
import { progressBarStep } from '../rules/journey/journey-navigation.ts'
import type { StepPath } from '../rules/journey/journey-steps.ts'

/** Loads the session's rental draft; null without one. */
export const loadCurrentDraft = async (services: Services, session: { draftId?: string }): Promise<Draft | null> =>
  session.draftId ? loadDraftOfSession(services, session.draftId) : null

/** Loads a draft again, with the same session and proof; null where it was deleted meanwhile. */
export const reloadDraft = (services: Services, draft: Draft): Promise<Draft | null> =>
  loadDraft(services, draft.draftId, draft)

/** Facts of a rental that its pages show, with the path of its facility's page. */
export interface RentalFacts extends DraftFacts {
  facilityPath: string
}

/** Loads the facts of a rental; null where the facility or the unit type no longer exists. */
export async function loadRentalFacts(
  services: Services,
  draft: Draft,
  visitor: { signedIn: boolean },
): Promise<RentalFacts | null> {
  const facts = await loadJourneyFacts(services, draft, visitor)
  return facts && { ...facts, facilityPath: facilityPath(facts.facility.location) }
}

/** Returns the price that a page of the rental shows; null where the unit type no longer exists. */
export function quoteOfStep(draft: Draft, facts: RentalFacts, path: StepPath): DraftQuote | null {
  // Move-in pages price a lease from today, or from a transfer's later day, even before the first page is answered.
  const pricedDraft = progressBarStep(path) === null ? draft : { ...draft, rentNow: true }
  return priceDraft(facts.facility, pricedDraft, facts.reservation)
}
