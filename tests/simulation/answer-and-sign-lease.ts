/** The renter's part of a move-in before payment: answers and signature. */

import { signLease } from '../../modules/move-in/sign-lease.ts'
import { loadDraft, saveAnswers } from '../../modules/reservations/draft.ts'
import type { Draft } from '../../modules/reservations/rules/journey/draft.ts'
import type { Answers } from '../../modules/reservations/rules/journey/journey-answers.ts'
import type { Services } from '../../platform/operations/services.ts'
import { payerBrowser } from './payer-address-and-browser.ts'

/** Answers that all simulated renters give. */
const commonAnswers: Partial<Answers> = {
  vehicle: false,
  hasLienHolder: false,
  brochureSeen: true,
  activeMilitary: false,
  customerInfo: {
    drivers_license: '048213377',
    issued_state: 'GA',
    birth_date: '1987-05-14',
    expiration_date: '2035-01-31',
    brief_description: 'Household goods',
  },
}

/**
 * Saves a draft's answers and signs the lease.
 * @param renter `name` is the signature, `answers` are saved besides the common ones
 * @returns `saveMore`, which saves further answers and returns the draft; or why signing failed
 * @throws Error when an answer is refused or the draft does not exist
 */
export async function answerAndSignLease(
  services: Services,
  draftId: string,
  { name, answers }: { name: string; answers: Partial<Answers> },
): Promise<{ ok: true; saveMore: (answers: Partial<Answers>) => Promise<Draft> } | { ok: false; why: string }> {
  const saveMore = async (more: Partial<Answers>) => {
    const draft = await loadDraft(services, draftId)
    const outcome = draft && (await saveAnswers(services, draft, more))
    if (!outcome?.ok) throw new Error(`An answer was refused: ${outcome?.why}`)
    return outcome.draft
  }
  const unsigned = await saveMore({ ...commonAnswers, ...answers })
  const signed = await signLease(services, unsigned, { method: 'typed', name }, { claimed: name, ...payerBrowser })
  return signed.ok ? { ok: true, saveMore } : { ok: false, why: signed.why }
}
