import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { lienRulesOn } from '../lien-rules-by-state.ts'
import { loadSignOff } from '../load-lien-rules-sign-off.ts'
import { earliestCaseOpening } from '../rules/next-lien-step.ts'

/**
 * Returns the version of the lien rules by which a case of the lease opens, whether the operator has signed the rules
 * off, and the first day on which the case may open; null where the state has no rules.
 */
export async function loadCaseOpening(
  services: Pick<Services, 'db' | 'lienRules'>,
  { state, paidThrough, today }: { state: string; paidThrough: IsoDate; today: IsoDate },
): Promise<{ version: string; isSignedOff: boolean; from: IsoDate } | null> {
  const rules = lienRulesOn(services, state, today)
  if (!rules) return null
  return {
    version: rules.version,
    isSignedOff: (await loadSignOff(services.db.read, rules)) !== null,
    from: earliestCaseOpening(rules, paidThrough),
  }
}
