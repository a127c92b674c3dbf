import type { Services } from '../../../platform/operations/services.ts'
import { saveAnswers } from '../draft.ts'
import type { Draft } from '../rules/journey/draft.ts'
import type { Answers } from '../rules/journey/journey-answers.ts'

/**
 * Saves the answers of one page of the journey, without a retry; null where the draft was changed or deleted meanwhile.
 */
export async function saveStepAnswers(
  services: Services,
  draft: Draft,
  change: Partial<Answers>,
): Promise<Draft | null> {
  const saved = await saveAnswers(services, draft, change)
  return saved.ok ? saved.draft : null
}
