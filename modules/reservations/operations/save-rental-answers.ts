import type { Services } from '../../../platform/operations/services.ts'
import { saveAnswers } from '../draft.ts'
import { type SavedDraft, saveWithRetry } from '../internal/save-with-retry.ts'
import type { Draft } from '../rules/journey/draft.ts'
import type { Answers } from '../rules/journey/journey-answers.ts'

/**
 * Saves answers to the session's draft, and tries again when another tab saved at the same time.
 * @param textsTo phone number that agreed to text messages with these answers, ten digits
 */
export const saveRentalAnswers = (
  services: Services,
  draft: Draft,
  change: Partial<Answers>,
  textsTo?: string,
): Promise<SavedDraft> =>
  saveWithRetry(services, draft, (current) => saveAnswers(services, current, change, { textsTo }))
