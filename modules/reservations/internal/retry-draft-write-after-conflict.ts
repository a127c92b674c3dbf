import type { Services } from '../../../platform/operations/services.ts'
import { loadDraft, type SaveAnswersResult } from '../draft.ts'
import type { Draft, SavedDraft } from '../rules/journey/draft.ts'

/** Maximum number of attempts to save when another tab changed the draft concurrently. */
const MAX_ATTEMPTS = 5

/** Writes to a draft, and tries again with the reloaded draft when another tab has changed it. */
export async function retryDraftWrite(
  services: Services,
  draft: Draft,
  write: (current: Draft) => Promise<SaveAnswersResult>,
): Promise<SavedDraft> {
  let current: Draft | null = draft
  for (let attempt = 0; current && attempt < MAX_ATTEMPTS; attempt += 1) {
    const saved = await write(current)
    if (saved.ok) return saved
    current = await loadDraft(services, draft.draftId, draft)
  }
  return { ok: false, why: current ? 'stale' : 'gone' }
}
