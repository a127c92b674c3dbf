import type { Services } from '../../../platform/operations/services.ts'
import { saveAnswers } from '../draft.ts'
import { retryDraftWrite } from '../internal/retry-draft-write-after-conflict.ts'
import type { Draft, SavedDraft } from '../rules/journey/draft.ts'
import type { Answers } from '../rules/journey/journey-answers.ts'

/**
 * Saves answers to the session's draft, and tries again when another tab saved at the same time.
 * @param textsTo phone number, ten digits, for which the renter agreed to text messages with these answers
 */
export const saveAnswersWithRetry = (
  services: Services,
  draft: Draft,
  change: Partial<Answers>,
  textsTo?: string,
): Promise<SavedDraft> =>
  retryDraftWrite(services, draft, (current) => saveAnswers(services, current, change, { textsTo }))
