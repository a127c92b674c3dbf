import type { Services } from '../../../platform/operations/services.ts'
import { saveAnswers } from '../../reservations/draft.ts'
import type { Draft } from '../../reservations/rules/journey/draft.ts'

/**
 * Turns autopay on or off in a rental in progress, which voids a signature for the other setting.
 * @returns false where the draft was changed or deleted since it was loaded
 */
export async function chooseAutopay(services: Services, draft: Draft, autopay: boolean): Promise<boolean> {
  return (await saveAnswers(services, draft, { autopay })).ok
}
