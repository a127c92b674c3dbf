import type { Services } from '../../../platform/operations/services.ts'
import { loadDraftOfSession } from '../draft-sessions-across-browsers.ts'
import { loadJourneyFacts } from '../load-draft-facts.ts'
import { resumeStep } from '../rules/journey/journey-navigation.ts'

/** A browser's rental in progress, for a link to its next step. */
export interface RentalInProgress {
  unitNumber: string
  facility: string
  path: string
}

/** Returns the rental in progress of a browser's session; null where the session holds no unit or has rented it. */
export async function loadRentalInProgress(services: Services, sessionId: string): Promise<RentalInProgress | null> {
  const draft = await loadDraftOfSession(services, sessionId)
  const facts = draft && (await loadJourneyFacts(services, draft, { signedIn: false }))
  if (!draft || !facts?.reservation || facts.heldUntil === null) return null
  return {
    unitNumber: facts.reservation.unit_number,
    facility: facts.facility.location.name,
    path: resumeStep(draft, facts),
  }
}
