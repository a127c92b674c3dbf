import type { Services } from '../../../platform/operations/services.ts'
import { saveAnswers } from '../draft.ts'
import type { Draft } from '../rules/journey/draft.ts'
import type { Answers } from '../rules/journey/journey-answers.ts'
import { loadRentalFacts, type RentalFacts } from '../views/current-rental.ts'

/**
 * Saves the answers of one page of the journey.
 * @returns the saved draft with its facts, which are null where the facility or the unit type no longer exists; null
 *   where another tab has changed the draft
 */
export async function saveStepAnswers(
  services: Services,
  draft: Draft,
  change: Partial<Answers>,
  visitor: { signedIn: boolean },
): Promise<{ draft: Draft; facts: RentalFacts | null } | null> {
  const saved = await saveAnswers(services, draft, change)
  return saved.ok ? { draft: saved.draft, facts: await loadRentalFacts(services, saved.draft, visitor) } : null
}
