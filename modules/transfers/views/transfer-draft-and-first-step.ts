import type { Services } from '../../../platform/operations/services.ts'
import { loadDraft } from '../../reservations/draft.ts'
import { loadJourneyFacts } from '../../reservations/load-draft-facts.ts'
import type { Draft } from '../../reservations/rules/journey/draft.ts'
import { firstIncomplete } from '../../reservations/rules/journey/journey-navigation.ts'
import type { StepPath } from '../../reservations/rules/journey/journey-steps.ts'

/** Draft by which a tenant signs for the new unit of a transfer, with the page where the signing begins. */
export interface TransferDraft {
  draft: Draft
  path: StepPath
}

/**
 * Loads the draft of a transfer that has just been opened; null without a draft, or where its facility or unit type no
 * longer exists.
 */
export async function loadTransferSigningDraft(
  services: Services,
  draftId: string,
  caller: { signedIn: boolean },
): Promise<TransferDraft | null> {
  const draft = await loadDraft(services, draftId)
  const facts = draft && (await loadJourneyFacts(services, draft, caller))
  return facts && { draft, path: firstIncomplete(facts).path }
}
