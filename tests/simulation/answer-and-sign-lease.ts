/** The renter's part of a move-in before payment: answers and signature. */

import { signLease } from '../../modules/move-in/sign-lease.ts'
import { loadDraft, saveAnswers } from '../../modules/reservations/draft.ts'
import type { Draft } from '../../modules/reservations/draft-facts.ts'
import type { Answers } from '../../modules/reservations/rules/journey/journey-answers.ts'
import type { Services } from '../../platform/operations/services.ts'

const said: Partial<Answers> = {
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
 * @returns function that saves further answers; or why signing failed
 */
export async function answeredAndSigned(
  services: Services,
  draftId: string,
  { name, answers }: { name: string; answers: Partial<Answers> },
): Promise<{ ok: true; saved: (answers: Partial<Answers>) => Promise<Draft> } | { ok: false; why: string }> {
  const saved = async (more: Partial<Answers>) => {
    const draft = await loadDraft(services, draftId)
    const done = draft && (await saveAnswers(services, draft, more))
    if (!done?.ok) throw new Error(`An answer was refused: ${done?.why}`)
    return done.draft
  }
  const unsigned = await saved({ ...said, ...answers })
  const by = { address: '198.51.100.9', agent: 'renter' }
  const signed = await signLease(services, unsigned, { method: 'typed', name }, { claimed: name, ...by })
  return signed.ok ? { ok: true, saved } : { ok: false, why: signed.why }
}
