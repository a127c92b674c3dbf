import type { LienRules } from '../../../domain/office/lien-rules.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { hashRules, signableRules } from '../lien-rules-by-state.ts'
import { loadSignOff, type SignOff } from '../load-lien-rules-sign-off.ts'

/** Lien rules with the hash that their sign-off names, and by whom and when they were signed off. */
export interface SignableRules extends LienRules {
  digest: string
  signed: SignOff | null
}

/** Returns all lien rules that can be signed off, by state, newest first. */
export const loadSignableRules = (services: Pick<Services, 'db' | 'lienRules'>): Promise<SignableRules[]> =>
  Promise.all(
    signableRules(services).map(async (rules) => ({
      ...rules,
      digest: hashRules(rules),
      signed: await loadSignOff(services.db.read, rules),
    })),
  )
