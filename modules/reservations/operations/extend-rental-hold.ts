import type { Services } from '../../../platform/operations/services.ts'
import { renewDraft } from '../draft.ts'
import { retryDraftWrite } from '../internal/retry-draft-write-after-conflict.ts'
import type { Draft, SavedDraft } from '../rules/journey/draft.ts'

/** Extends the hold on the draft's unit, and tries again when another tab saved at the same time. */
export const extendRentalHold = (services: Services, draft: Draft): Promise<SavedDraft> =>
  retryDraftWrite(services, draft, (current) => renewDraft(services, current))
